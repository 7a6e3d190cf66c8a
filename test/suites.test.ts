import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { suiteOf } from '../scripts/suites.mjs';

const testsOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => join(folder, path));

/** What the next file of the same process would meet: another module, another global, kernels loaded anew. */
const STAYS = /\bvi\.(mock|doMock|stubGlobal|stubEnv|resetModules)\(|\breloadCrypto\(|\binBothFields\(|\btraceKernels\(/;

it('no test file that shares a process puts something else in place of a module or of a global', () => {
  const sharing = testsOf('test').filter((file) => suiteOf(file) === 'unit');
  expect(sharing.length).toBeGreaterThan(100);
  expect(sharing.filter((file) => STAYS.test(readFileSync(file, 'utf8')))).toEqual([]);
});
