// What makes the reference's programs quick to open a wallet and to mine a block: see quick-reference.c.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './setup.mjs';

/** Builds it into a folder. Variables for whoever starts those programs; none where no C compiler is, and they take their own time. */
export function quickReference(folder) {
  const library = join(folder, 'quick-reference.so');
  const source = join(root, 'scripts', 'quick-reference.c');
  const { status } = spawnSync('cc', ['-O1', '-fPIC', '-shared', '-nostdlib', '-o', library, source]);
  return status === 0 ? { NIGHTJAR_PRELOAD: library } : {};
}
