// Makes the reference's programs open wallets and mine blocks quickly: see quick-reference.c.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './setup.mjs';

/** Builds it into a folder. Returns environment variables for starting those programs; none without a C compiler, and they run at their own speed. */
export function quickReference(folder) {
  const library = join(folder, 'quick-reference.so');
  const source = join(root, 'scripts', 'quick-reference.c');
  const { status } = spawnSync('cc', ['-O1', '-fPIC', '-shared', '-nostdlib', '-o', library, source]);
  return status === 0 ? { NIGHTJAR_PRELOAD: library } : {};
}
