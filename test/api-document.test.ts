import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { apiDocument } from '../scripts/api-document.ts';

it('docs/api.md is what the doc comments of the library say: npx tsx scripts/api.ts writes it', () => {
  expect(readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8')).toBe(apiDocument());
}, 120_000);
