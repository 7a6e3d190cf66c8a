import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { StorageError } from './errors.ts';

/**
 * Opens a file to read it. Others may write in the folder of wallets: a pipe of this name would keep a reader waiting for good, and a device
 * would have no end.
 * @throws StorageError `unavailable` for what is there and is no file; what the system says where it cannot be opened
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new StorageError('unavailable', 'expected a file of this name, found a folder, a pipe or a device');
}
