// Builds the shipped files: kernels (wasm/build), the page (dist/app), the command line (dist/node), the library (dist/library) and its types
// (dist/types).
// `node scripts/build.mjs --if-stale` does nothing when no source has changed since the last build.
import { join } from 'node:path';
import { compressPage } from './compress.mjs';
import { aloneHere, checkNode, run, runBeside } from './setup.mjs';
import { hashOfSources, isBuilt, markBuilt, unmark } from './sources.mjs';

checkNode();
// Also when started from a test's environment: in any other the page is built for development, without its service worker.
process.env.NODE_ENV = 'production';
const ifStale = process.argv.includes('--if-stale');
if (!ifStale || !isBuilt()) await aloneHere(() => (ifStale && isBuilt()) || build());

async function build() {
  const stamp = hashOfSources();
  unmark();
  const node = process.execPath;
  const vite = join('node_modules', 'vite', 'bin', 'vite.js');
  const types = runBeside(node, [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.types.json']);
  run(node, ['scripts/build-kernels.mjs']);
  run(node, [vite, 'build', '--logLevel', 'warn']);
  await compressPage(join('dist', 'app'));
  for (const config of ['vite.node.config.ts', 'vite.library.config.ts'])
    run(node, [vite, 'build', '--logLevel', 'warn', '--config', config]);
  await types;
  markBuilt(stamp);
}
