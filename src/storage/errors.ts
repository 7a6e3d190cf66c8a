import { CodedError } from '../base/index.ts';

/** Everything that can go wrong with a wallet at rest. A closed union: match on it exhaustively. */
export type StorageErrorCode =
  /** The password does not open this wallet. */
  | 'wrong-password'
  /** The wallet is open elsewhere: another tab, window or program. */
  | 'locked'
  /** Bytes were changed or lost; `data.record` says in which record (-1 is the header). Nothing was overwritten. */
  | 'damaged'
  /** Not a backup of this program. */
  | 'not-a-backup'
  /** No wallet of this name. */
  | 'not-found'
  /** The wallet was removed or rewritten by somebody else while it was open here. Nothing more of it is stored. */
  | 'removed'
  /** A wallet of this name is there already. */
  | 'exists'
  /** No space left on the disk or in the browser's quota. The wallet is unchanged. */
  | 'full'
  /** A name that cannot be a wallet's. */
  | 'bad-name'
  /** Written by a later version of this program: update it. */
  | 'newer-version'
  /** The journal was closed. */
  | 'closed'
  /** The place cannot store data: private window, storage switched off, no such folder, no permission. */
  | 'unavailable';

/** A typed failure of this room. `data` never contains a secret. */
export class StorageError extends CodedError<StorageErrorCode> {
  override readonly name = 'StorageError';
}

/** Whether this is a storage error; if `code` is given, one with that code. */
export function isStorageError(error: unknown, code?: StorageErrorCode): error is StorageError {
  return error instanceof StorageError && (code === undefined || error.code === code);
}

/** @param record number of the record, from 0; -1 is the header */
export function damagedError(record: number, expected: string): StorageError {
  const where = record < 0 ? 'the header' : `record ${record}`;
  return new StorageError('damaged', `${where} of the wallet is damaged: expected ${expected}`, { record });
}

/** @param left name of a leftover lock next to the wallet's file whose holder cannot be checked */
export function lockedError(left?: string): StorageError {
  const open = 'the wallet is open in another program: close it there first';
  if (left === undefined) return new StorageError('locked', open);
  const way = `If it is open nowhere, on no machine that shares this folder, remove ${left} from the folder`;
  return new StorageError('locked', `${open}. ${way}`, { left });
}
