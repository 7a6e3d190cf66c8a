/**
 * Breaks guards one by one in a copy of the project and runs the test named for each: it must go red.
 *
 *   npm run mutants               all of test/mutants/list.json
 *   npm run mutants -- --short    only those marked "short", one per threat (part of npm test); with words, those among the named ones
 *   npm run mutants -- T3 rings   those whose threat, guard, file or test contain one of the words
 *   npm run mutants -- --document rewrites the table of docs/threats.md
 *
 * The run fails if a mutation leaves its test green, no longer matches its file, or breaks the code so that no test runs.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fail, root } from './setup.mjs';
import { suiteOf } from './suites.mjs';

/** Built before any test runs; copied with their times, so that nothing is rebuilt. */
const BUILT = ['wasm/build', 'src/app/language/made.d.ts', 'dist'];
/** Neither read nor needed by any test. */
const LEFT_OUT = ['.git', 'node_modules', 'test-results'];
const DOCUMENT = join(root, 'docs', 'threats.md');
const BEGIN = '<!-- mutations: npm run mutants -- --document -->';
const END = '<!-- end of mutations -->';
/** A broken guard may make its test wait for an event that never comes. */
const PATIENCE = { unit: 120_000, integration: 300_000, browser: 300_000 };

const list = JSON.parse(readFileSync(join(root, 'test', 'mutants', 'list.json'), 'utf8'));
const words = process.argv.slice(2);

/** @typedef {{ threat: string, guard: string, file: string, find: string, replace: string, test: string, name: string, short?: true }} Mutation */

/** @returns {Mutation[]} */
function chosen() {
  const offered = words.includes('--short') ? list.filter(({ short }) => short) : list;
  const named = words.filter((word) => !word.startsWith('--'));
  if (named.length === 0) return offered;
  const text = ({ threat, guard, file, test }) => [threat, guard, file, test].join(' ');
  return offered.filter((mutation) => named.some((word) => new RegExp(`\\b${word}\\b`).test(text(mutation))));
}

/** @param {Mutation[]} mutations */
async function run(mutations) {
  if (mutations.length === 0) fail('no mutation is named so');
  const stale = list.filter((mutation) => mutated(mutation) === undefined);
  for (const { threat, guard, file } of stale)
    console.log(`STALE ${threat} ${guard}: its place in ${file} is not there exactly once`);
  const documentIsOld = readFileSync(DOCUMENT, 'utf8') !== documented(readFileSync(DOCUMENT, 'utf8'));
  if (documentIsOld) console.log('OLD   docs/threats.md: npm run mutants -- --document writes its table anew');

  const waiting = mutations.filter((mutation) => !stale.includes(mutation));
  const outcomes = [];
  const builds = waiting.some(({ test }) => test.startsWith('e2e/'));
  const copies = Array.from({ length: Math.min(availableParallelism(), 2, waiting.length) }, () => copyOfProject(builds));
  process.once('exit', () => {
    for (const copy of copies) rmSync(copy, { recursive: true, force: true });
  });
  await Promise.all(
    copies.map(async (copy) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { outcome, detail } = await attempt(copy, next);
        outcomes.push({ outcome, test: next.test, guard: `${next.threat} ${next.guard}` });
        console.log(`${outcome.padEnd(5)} ${next.threat} ${next.guard} (${next.file} → ${next.test})`);
        if (outcome !== 'red') console.log(detail);
      }
    }),
  );
  const green = outcomes.filter(({ outcome }) => outcome !== 'red').length;
  report(outcomes);
  console.log(`\n${outcomes.length} guards broken, ${outcomes.length - green} seen, ${green} not, ${stale.length} stale`);
  return green === 0 && stale.length === 0 && !documentIsOld;
}

/** Writes the results in the test runner's format, so that `npm test` can name undetected mutations. */
function report(outcomes) {
  const path = words.find((word) => word.startsWith('--report='))?.slice('--report='.length);
  if (path === undefined) return;
  const testResults = outcomes.map(({ outcome, test, guard }) => {
    const status = outcome === 'red' ? 'passed' : 'failed';
    return { name: join(root, test), status, assertionResults: [{ status, fullName: `${guard}: ${outcome}` }] };
  });
  const numPassedTests = outcomes.filter(({ outcome }) => outcome === 'red').length;
  writeFileSync(path, JSON.stringify({ numPassedTests, testResults }));
}

/**
 * Copies the project's files and build outputs, with the packages of this checkout: hard links if the page is built, since its build does not
 * follow a linked folder.
 */
function copyOfProject(builds) {
  const copy = mkdtempSync(join(tmpdir(), 'nightjar-mutants-'));
  // Does not use git: a checkout may have no history.
  for (const name of readdirSync(root).filter((name) => !LEFT_OUT.includes(name))) {
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !BUILT.includes(relative(root, path)) });
  }
  for (const folder of BUILT.filter((name) => existsSync(join(root, name)))) {
    cpSync(join(root, folder), join(copy, folder), { recursive: true, preserveTimestamps: true });
  }
  const packages = join(root, 'node_modules');
  const linked = builds && spawnSync('cp', ['-al', packages, copy]).status === 0;
  if (builds && !linked) cpSync(packages, join(copy, 'node_modules'), { recursive: true });
  if (!builds) symlinkSync(packages, join(copy, 'node_modules'));
  return copy;
}

/** The file with its guard broken; undefined unless the text to replace occurs exactly once. */
function mutated({ file, find, replace }) {
  const path = join(root, file);
  if (!existsSync(path)) return undefined;
  const parts = readFileSync(path, 'utf8').split(find);
  return parts.length === 2 ? parts.join(replace) : undefined;
}

/** Breaks one guard, runs its test, and restores it. */
async function attempt(copy, mutation) {
  const path = join(copy, mutation.file);
  const whole = readFileSync(path);
  const isKernel = mutation.file.startsWith('wasm/');
  writeFileSync(path, mutated(mutation));
  try {
    if (isKernel) await ended(copy, ['scripts/build-kernels.mjs'], PATIENCE.unit);
    return mutation.test.startsWith('e2e/') ? await inBrowser(copy, mutation) : await inVitest(copy, mutation);
  } finally {
    writeFileSync(path, whole);
    if (isKernel)
      for (const folder of BUILT.slice(0, 1))
        cpSync(join(root, folder), join(copy, folder), { recursive: true, preserveTimestamps: true });
  }
}

const literally = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

async function inVitest(copy, { test, name }) {
  const project = suiteOf(test);
  const report = join(copy, 'mutant.json');
  rmSync(report, { force: true });
  const args = [
    'run',
    '--project',
    project,
    test,
    '-t',
    literally(name),
    '--bail',
    '1',
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  const { output, late } = await ended(
    copy,
    [join('node_modules', 'vitest', 'vitest.mjs'), ...args],
    project === 'integration' ? PATIENCE.integration : PATIENCE.unit,
  );
  if (late) return { outcome: 'red', detail: '' };
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { numFailedTests: 0, numPassedTests: 0 };
  if (counts.numFailedTests > 0) return { outcome: 'red', detail: '' };
  return { outcome: counts.numPassedTests > 0 ? 'GREEN' : 'BROKE', detail: output.slice(-1500) };
}

async function inBrowser(copy, { test, name }) {
  const built = await ended(copy, ['scripts/build.mjs'], PATIENCE.browser);
  if (built.status !== 0) return { outcome: 'BROKE', detail: built.output.slice(0, 1500) };
  const args = ['test', test, '--project', 'phone', '-g', literally(name), '--reporter=json', '--workers=1'];
  const { output, late } = await ended(copy, [join('node_modules', '@playwright', 'test', 'cli.js'), ...args], PATIENCE.browser);
  if (late) return { outcome: 'red', detail: '' };
  const stats = /"stats": (\{[^}]*\})/.exec(output)?.[1];
  const { expected = 0, unexpected = 0 } = stats === undefined ? {} : JSON.parse(stats);
  if (unexpected > 0) return { outcome: 'red', detail: '' };
  return { outcome: expected > 0 ? 'GREEN' : 'BROKE', detail: output.slice(-1500) };
}

/** Runs Node to its end, or kills it and its children after a timeout. */
function ended(cwd, args, patience) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      process.kill(-child.pid, 'SIGKILL');
    }, patience);
    child.on('close', (status) => {
      clearTimeout(limit);
      resolve({ status, output, late });
    });
  });
}

/** The document with its table of mutations updated from the list. */
function documented(text) {
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) fail(`docs/threats.md has no place for the mutations, between ${BEGIN} and ${END}`);
  const cell = (value) => value.replaceAll('|', '\\|');
  const rows = list.map(
    ({ threat, guard, file, test, name }) => `| ${threat} | ${cell(guard)} | \`${file}\` | \`${test}\`: ${cell(name)} |`,
  );
  return `${before}${BEGIN}\n\n| Line | Guard that is broken | In | Goes red |\n|---|---|---|---|\n${rows.join('\n')}\n\n${END}${after}`;
}

if (words.includes('--document')) writeFileSync(DOCUMENT, documented(readFileSync(DOCUMENT, 'utf8')));
else process.exit((await run(chosen())) ? 0 : 1);
