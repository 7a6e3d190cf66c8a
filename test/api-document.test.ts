import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { type Api, readApi } from '../scripts/api-document.ts';

let api: Api;
beforeAll(() => {
  api = readApi();
}, 120_000);

it('docs/api.md is what the doc comments of the library say: npx tsx scripts/api.ts writes it', () => {
  expect(readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8')).toBe(api.document);
});

it('every type that a signature names can be imported', () => {
  expect(api.unnamed).toEqual([]);
});
