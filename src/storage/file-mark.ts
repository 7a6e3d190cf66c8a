import { open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../base/index.ts';

/**
 * The mark of a wallet file, in a file beside it that records its own identity (inode and creation time): a copy is another file, or an
 * older one overwritten, whose recorded identity is wrong. Restored snapshots of a whole file system are not detected.
 */

const markOf = (path: string): string => `${path}.mark`;

/** Identity of a file that no copy keeps. Nanoseconds, because an inode number may be reused at once. */
async function identity(path: string): Promise<string> {
  const { ino, birthtimeNs } = await stat(path, { bigint: true });
  return `${ino}:${birthtimeNs}`;
}

/** Undefined if there is none, or a copy. */
export async function readMark(path: string): Promise<string | undefined> {
  const file = markOf(path);
  try {
    const [own, mark] = (await readFile(file, 'utf8')).split('\n');
    return own === (await identity(file)) ? mark : undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the mark to a new file and moves it into place: it names the identity of its own file, which a copy does not have. Synced to disk before it resolves. */
export async function writeMark(path: string, mark: string): Promise<void> {
  const file = markOf(path);
  const aside = `${file}.new`;
  await unlink(aside).catch(() => undefined);
  const handle = await open(aside, 'wx', 0o600);
  try {
    await handle.writeFile(`${await identity(aside)}\n${mark}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(aside, file);
  await syncFolder(dirname(file));
}

/** Removes the mark of a wallet file, if there is one. */
export async function removeMark(path: string): Promise<void> {
  await unlink(markOf(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** Syncs a folder, so that a rename or removal survives a power cut. Systems that cannot sync folders do not need it. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
