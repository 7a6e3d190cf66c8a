// Static checks: the steps of `npm run check`, which `npm test` runs as well.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './setup.mjs';

const bin = (name) => join('node_modules', '.bin', name);
/** Earlier results for unchanged files; with them `npm run check` takes about half of the time. */
const cache = (name) => join('.cache', 'checks', name);
/**
 * TypeScript in Go, which takes a third of the processor time. The other compiler is for tools that use it as a library: svelte-check, the API
 * documents.
 */
const typescript = join('node_modules', '@typescript', 'native', 'bin', 'tsc');
const incremental = (name) => ['--incremental', '--tsBuildInfoFile', cache(`${name}.tsbuildinfo`)];

/** The longest first. @type {readonly (readonly [name: string, command: string, args: readonly string[]])[]} */
const checks = [
  ['types', process.execPath, [typescript, '-p', '.', ...incremental('types')]],
  [
    'types of the page',
    bin('svelte-check'),
    ['--tsconfig', './src/app/tsconfig.json', '--fail-on-warnings', '--tsgo-experimental-api'],
  ],
  [
    'style of components',
    bin('prettier'),
    [
      '--check',
      '--log-level',
      'warn',
      '--cache',
      '--cache-strategy',
      'content',
      '--cache-location',
      cache('prettier'),
      'src/**/*.svelte',
    ],
  ],
  ['types of the workers', process.execPath, [typescript, '-p', 'workers', ...incremental('workers')]],
  [
    'rooms',
    bin('depcruise'),
    [
      '--config',
      '.dependency-cruiser.json',
      '--output-type',
      'err',
      '--cache',
      cache('rooms'),
      '--cache-strategy',
      'content',
      'src',
      'workers',
    ],
  ],
  ['unused code', bin('knip'), ['--cache', '--cache-location', cache('knip')]],
  ['style', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['style of kernels', process.execPath, ['scripts/kernel-style.mjs']],
];

/** How many run at a time: each uses one processor. */
const AT_ONCE = 2;

/** Runs one, and prints its output when it has ended. @returns {Promise<boolean>} whether it passed */
function passes([name, command, args]) {
  const began = Date.now();
  const check = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [check.stdout, check.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  return new Promise((resolve, reject) => {
    check.on('error', reject);
    check.on('close', (status) => {
      const seconds = ((Date.now() - began) / 1000).toFixed(0);
      console.log(`\n— ${name}\n${said.trim()}\n— ${name}: ${status === 0 ? 'ok' : 'FAILED'} in ${seconds} s`);
      resolve(status === 0);
    });
  });
}

/** Runs all, even if one fails. @returns {Promise<string[]>} names of those that failed */
export async function failedChecks() {
  const waiting = [...checks];
  const failed = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) if (!(await passes(next))) failed.push(next[0]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failed;
}
