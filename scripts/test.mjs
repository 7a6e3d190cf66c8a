// `npm test`: sets up what is missing, then checks style, rooms, types, unit, integration and the page in a real browser.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checks } from './checks.mjs';
import { installReference } from './reference.mjs';
import { checkNode, installPackages, installPrograms, root } from './setup.mjs';

checkNode();
installPackages();
installPrograms();
installReference();

const bin = (name) => join('node_modules', '.bin', name);
const results = join(root, 'test-results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const node = process.execPath;
const vitest = (project) => [
  bin('vitest'),
  ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${results}/${project}.json`],
];
const steps = [
  ['build', node, ['scripts/build.mjs', '--if-stale']],
  ...checks,
  ['unit', ...vitest('unit')],
  ['guards', node, ['scripts/mutants.mjs', '--short']],
  ['integration', ...vitest('integration')],
  ['browser', bin('playwright'), ['test']],
];

const failed = [];
for (const [name, command, args] of steps) {
  const began = Date.now();
  console.log(`\n— ${name}`);
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: join(results, 'browser.json') },
  });
  console.log(`— ${name}: ${status === 0 ? 'ok' : 'FAILED'} in ${((Date.now() - began) / 1000).toFixed(0)} s`);
  if (status !== 0) failed.push(name);
  if (status !== 0 && name === 'build') break;
}

/** Counts of one suite as its runner reported them. */
function counts(name) {
  const file = join(results, `${name}.json`);
  if (!existsSync(file)) return { passed: 0, failed: 0 };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  if (report.stats) return { passed: report.stats.expected + report.stats.flaky, failed: report.stats.unexpected };
  return { passed: report.numPassedTests, failed: report.numFailedTests };
}

const total = ['unit', 'integration', 'browser'].map(counts);
const sum = (key) => total.reduce((all, one) => all + one[key], 0);
console.log(failed.length ? `\nfailed: ${failed.join(', ')}` : '\nall steps passed');
console.log(`${sum('passed')} passed, ${Math.max(sum('failed'), failed.length)} failed`);
process.exit(failed.length || sum('passed') === 0 ? 1 : 0);
