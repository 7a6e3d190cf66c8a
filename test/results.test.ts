import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { resultsOf } from '../scripts/results.mjs';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-results-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

it('a page test that failed on one of its two screens is named, so that it can be run again', () => {
  const report = join(folder, 'browser.json');
  // As Playwright writes it: `ok` is that of the first screen.
  const spec = (title: string, ...statuses: string[]) => ({
    title,
    file: 'home.spec.ts',
    ok: true,
    tests: statuses.map((status) => ({ status })),
  });
  const suites = [
    { specs: [spec('both pass', 'expected', 'expected')], suites: [{ specs: [spec('wide fails', 'expected', 'unexpected')] }] },
  ];
  writeFileSync(report, JSON.stringify({ stats: { expected: 3, flaky: 0 }, suites, errors: [] }));
  expect(resultsOf(report)).toEqual({ passed: 3, failed: [{ file: 'home.spec.ts', title: 'wide fails' }] });
});
