// Whether build outputs match the current sources: a hash over all sources is stored beside them.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

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
  'vite.library.config.ts',
  'svelte.config.js',
  'tsconfig.json',
  'tsconfig.types.json',
  'package-lock.json',
];
const stampFile = join(root, 'dist', '.sources');

/** Written by the build. */
const written = ['build', 'made.d.ts'];

function* filesUnder(path) {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) return yield path;
  for (const name of readdirSync(path).sort()) {
    if (!written.includes(name)) yield* filesUnder(join(path, name));
  }
}

export function hashOfSources() {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of filesUnder(join(root, source))) hash.update(file).update(readFileSync(file));
  }
  return hash.digest('hex');
}

export const isBuilt = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hashOfSources();

/** @param {string} stamp hash of the sources, from before the build */
export function markBuilt(stamp) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stampFile, stamp);
}

/** Marks the build outputs as incomplete from here on. */
export const unmark = () => rmSync(stampFile, { force: true });
