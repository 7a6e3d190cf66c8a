// `npm run check`: all checks, one after the other, also when an earlier one fails.
import { spawnSync } from 'node:child_process';
import { checks } from './checks.mjs';
import { root } from './setup.mjs';

const failed = checks.filter(([name, command, args]) => {
  console.log(`\n— ${name}`);
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status !== 0;
});
console.log(failed.length === 0 ? '\nall checks passed' : `\nfailed: ${failed.map(([name]) => name).join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);
