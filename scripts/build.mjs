// Builds what is shipped: kernels (wasm/build), the page (dist/app), the command line and the library (dist/node), its types (dist/types).
// `node scripts/build.mjs --if-stale` does nothing when no source has changed since the last build.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkNode, root, run, runBeside } from './setup.mjs';

const sources = [
  'src',
  'wasm',
  'workers',
  'public',
  'messages',
  'scripts',
  'index.html',
  'vite.config.ts',
  'vite.node.config.ts',
  'svelte.config.js',
  'tsconfig.types.json',
  'package-lock.json',
];
const stampFile = join(root, 'dist', '.sources');

function* filesUnder(path) {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) return yield path;
  for (const name of readdirSync(path).sort()) {
    if (name !== 'build' && name !== 'paraglide') yield* filesUnder(join(path, name));
  }
}

function hashOfSources() {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of filesUnder(join(root, source))) hash.update(file).update(readFileSync(file));
  }
  return hash.digest('hex');
}

checkNode();
const stamp = hashOfSources();
const isFresh = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
if (!(process.argv.includes('--if-stale') && isFresh)) {
  const node = process.execPath;
  const vite = join('node_modules', 'vite', 'bin', 'vite.js');
  const types = runBeside(node, [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.types.json']);
  run(node, ['scripts/build-kernels.mjs']);
  run(node, [vite, 'build', '--logLevel', 'warn']);
  run(node, [vite, 'build', '--logLevel', 'warn', '--config', 'vite.node.config.ts']);
  await types;
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stampFile, stamp);
}
