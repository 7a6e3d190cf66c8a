// What is checked without running anything of ours, in the order of what is quickest: the steps of `npm run check`, and among those of `npm test`.
import { join } from 'node:path';

const bin = (name) => join('node_modules', '.bin', name);

/** @type {readonly (readonly [name: string, command: string, args: readonly string[]])[]} */
export const checks = [
  ['style', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['style of components', bin('prettier'), ['--check', '--log-level', 'warn', 'src/**/*.svelte']],
  ['style of kernels', process.execPath, ['scripts/kernel-style.mjs']],
  ['rooms', bin('depcruise'), ['--config', '.dependency-cruiser.json', '--output-type', 'err', 'src', 'workers']],
  ['unused code', bin('knip'), []],
  ['types', bin('tsc'), ['-p', '.']],
  ['types of the workers', bin('tsc'), ['-p', 'workers']],
  ['types of the page', bin('svelte-check'), ['--tsconfig', './src/app/tsconfig.json', '--fail-on-warnings']],
];
