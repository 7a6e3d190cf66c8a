// `npm test`: sets up what is missing, then checks style, rooms, types, unit, integration and the page in a real browser.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checks } from './checks.mjs';
import { installReference } from './reference.mjs';
import { resultsOf } from './results.mjs';
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
    env: {
      ...process.env,
      PLAYWRIGHT_JSON_OUTPUT_NAME: join(results, 'browser.json'),
      NIGHTJAR_CLI: join(root, 'dist', 'node', 'bin', 'cli.js'),
    },
  });
  console.log(`— ${name}: ${status === 0 ? 'ok' : 'FAILED'} in ${((Date.now() - began) / 1000).toFixed(0)} s`);
  if (status !== 0) failed.push(name);
  if (status !== 0 && name === 'build') break;
}

const suites = ['unit', 'integration', 'browser'].map((name) => resultsOf(join(results, `${name}.json`)));
const passed = suites.reduce((all, suite) => all + suite.passed, 0);
const red = suites.flatMap((suite) => suite.failed);
if (red.length > 0) console.log(`\n${red.map((name) => `✗ ${name}`).join('\n')}`);
console.log(failed.length ? `\nfailed: ${failed.join(', ')}` : '\nall steps passed');
console.log(`${passed} passed, ${Math.max(red.length, failed.length)} failed`);
process.exit(failed.length || passed === 0 ? 1 : 0);
