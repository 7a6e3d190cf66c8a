import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { StorageError } from './errors.ts';

/**
 * Opens a file for reading. Others may write to the folder of wallets: a pipe of this name would block the reader for ever, and a device
 * would have no end.
 * @throws StorageError `unavailable` for anything but a regular file; the system's error if it cannot be opened
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new StorageError('unavailable', 'expected a file of this name, found a folder, a pipe or a device');
}
