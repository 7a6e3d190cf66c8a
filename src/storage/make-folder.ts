import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../base/index.ts';

/**
 * Makes a folder, and those it lies in, for their owner alone. Node's own way to make several never ends where a system has the folder above and
 * says that it has not, as Linux does below /proc.
 * @throws the system's error
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    const above = dirname(path);
    if (!existsSync(above)) await makeFolder(above);
    await makeOne(path);
  }
}

/** Another may have made it meanwhile. */
async function makeOne(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}
