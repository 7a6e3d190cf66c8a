import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../base/index.ts';

/**
 * Makes a folder and its parents, for their owner alone. Node's recursive mkdir never ends on a system that has the parent but reports that
 * it is missing, as Linux does below /proc.
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

/** Another process may have made it meanwhile. */
async function makeOne(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}
