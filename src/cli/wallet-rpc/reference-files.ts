import { StorageError } from '../../storage/index.ts';
import { openRegularFile } from '../../storage/regular-file.ts';
import type { ReferenceFiles } from '../../wallet/index.ts';
import { MOST_CACHE } from '../../wallet2/index.ts';

/**
 * The files of a reference wallet; undefined if there are none.
 * @param path of the wallet, without suffix
 * @throws StorageError `unavailable` for an existing file that cannot be read, `damaged` for one longer than any cache
 */
export async function referenceFiles(path: string): Promise<ReferenceFiles | undefined> {
  const keys = await keysFileAt(path);
  return keys === undefined ? undefined : { keys, cache: await contents(path) };
}

/** The `.keys` file of a reference wallet; undefined if there is none. @param path as of {@link referenceFiles} @throws as that */
export const keysFileAt = (path: string): Promise<Uint8Array | undefined> => contents(`${path}.keys`);

async function contents(path: string): Promise<Uint8Array | undefined> {
  try {
    const file = await openRegularFile(path);
    try {
      if ((await file.stat()).size > MOST_CACHE)
        throw new StorageError('damaged', 'expected a wallet file of less than a gigabyte');
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof StorageError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new StorageError('unavailable', 'expected a wallet file that can be read', {}, error);
  }
}
