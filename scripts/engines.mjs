// `npm run test:engines [firefox] [webkit]`: sets up what is missing, then runs the main journey in the other engines, on a virtual display.
import { spawnSync } from 'node:child_process';
import { checkNode, ENGINES, installPackages, installPrograms, run } from './setup.mjs';

checkNode();
await installPackages();
installPrograms(ENGINES);
run(process.execPath, ['scripts/build.mjs', '--if-stale']);
const { status } = spawnSync(
  'xvfb-run',
  ['-a', process.execPath, '--import', 'tsx', 'e2e/engines/index.ts', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
);
process.exit(status ?? 1);
