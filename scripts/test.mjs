// `npm test`: sets up what is missing, then checks style, rooms, types, unit, integration and the page in a real browser.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { failedChecks } from './checks.mjs';
import { quickReference } from './quick-reference.mjs';
import { installReference } from './reference.mjs';
import { resultsOf } from './results.mjs';
import { checkNode, installPackages, installPrograms, installShell, root } from './setup.mjs';

checkNode();
await installPackages();
installPrograms();
installShell();
installReference();

const bin = (name) => join('node_modules', '.bin', name);
const results = join(root, 'test-results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const preload = quickReference(results);
const node = process.execPath;
const reportOf = (name) => join(results, `${name}.json`);
const vitest = (project, report = project, files = []) => [
  bin('vitest'),
  ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${reportOf(report)}`, ...files],
];
const playwright = (files = []) => [bin('playwright'), ['test', ...files]];
const guards = (report = 'guards', files = []) => [
  node,
  ['scripts/mutants.mjs', '--short', `--report=${reportOf(report)}`, ...files],
];
const steps = [
  ['unit', ...vitest('unit*', 'unit')],
  ['guards', ...guards()],
  ['integration', ...vitest('integration')],
  ['browser', ...playwright()],
];
/** Commands that repeat some files of a suite, for suites that run real programs on a busy machine or use random choices. */
const again = {
  guards: (files) => guards('guards-again', files),
  integration: (files) => vitest('integration', 'integration-again', files),
  browser: (files) => playwright(files),
};
/** More failed files than this are not a coincidence. */
const FILES_AGAIN = 3;
/** After this nothing is repeated: two current processors take 30 minutes for the whole run. */
const LAST_SECOND_TRY_MS = 60 * 60_000;

const started = Date.now();

function run(name, command, args, report = name) {
  const began = Date.now();
  console.log(`\n— ${name}`);
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      ...preload,
      PLAYWRIGHT_JSON_OUTPUT_NAME: reportOf(report),
      NIGHTJAR_CLI: join(root, 'dist', 'node', 'bin', 'cli.js'),
    },
  });
  console.log(`— ${name}: ${status === 0 ? 'ok' : 'FAILED'} in ${((Date.now() - began) / 1000).toFixed(0)} s`);
  return status === 0;
}

/** Repeats the failed files alone. Returns whether all of them passed now. */
function passesAlone(name, { failed }) {
  const files = [...new Set(failed.map(({ file }) => file))];
  if (!(name in again) || files.includes('') || files.length === 0 || files.length > FILES_AGAIN) return false;
  if (Date.now() - started > LAST_SECOND_TRY_MS) return false;
  const report = `${name}-again`;
  return (
    run(`${name}, once more: ${files.join(', ')}`, ...again[name](files), report) &&
    resultsOf(reportOf(report)).failed.length === 0
  );
}

const tally = { passed: 0, failed: [], unsteady: [], steps: [] };
const isBuilt = run('build', node, ['scripts/build.mjs', '--if-stale']);
tally.steps.push(...(isBuilt ? await failedChecks() : ['build']));
for (const [name, command, args] of isBuilt ? steps : []) {
  const ok = run(name, command, args);
  const suite = resultsOf(reportOf(name));
  tally.passed += suite.passed;
  if (ok) continue;
  if (passesAlone(name, suite)) {
    tally.unsteady.push(...suite.failed);
    tally.passed += suite.failed.length;
    continue;
  }
  tally.failed.push(...suite.failed);
  tally.steps.push(name);
}

const print = (mark, tests) => {
  if (tests.length > 0) console.log(`\n${tests.map(({ file, title }) => `${mark} ${file}: ${title}`).join('\n')}`);
};
print('~ failed beside the others, passed alone:', tally.unsteady);
print('✗', tally.failed);
console.log(tally.steps.length ? `\nfailed: ${tally.steps.join(', ')}` : '\nall steps passed');
console.log(
  `${tally.passed} passed, ${Math.max(tally.failed.length, tally.steps.length)} failed, ${tally.unsteady.length} unsteady`,
);
process.exit(tally.steps.length || tally.passed === 0 ? 1 : 0);
