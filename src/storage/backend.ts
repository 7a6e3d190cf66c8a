import type { Durability } from '../wallet/ports.ts';

/**
 * Where sealed bytes lie. Implementations know nothing of keys or events: they keep one header and a row of records a wallet,
 * hold the lock, and do each change whole or not at all. All throw StorageError.
 */
export interface Backend {
  names(): Promise<readonly string[]>;
  /** The header alone, without the lock. @throws `not-found` */
  peek(name: string): Promise<Uint8Array>;
  /** Takes the lock. @throws `not-found`, `locked`, `damaged` */
  open(name: string): Promise<{ readonly header: Uint8Array; readonly file: RecordFile }>;
  /** Takes the lock; on the disk before it resolves. @throws `exists`, `locked`, `full` */
  create(name: string, header: Uint8Array, records: readonly Uint8Array[]): Promise<RecordFile>;
  /** @throws `not-found`, `locked` */
  remove(name: string): Promise<void>;
}

/** One wallet's bytes, open for one writer. Calls come one at a time. */
export interface RecordFile {
  /** Records that are there. */
  readonly count: number;
  /** Records in order, as they were when the iteration began. @throws `damaged` */
  records(): AsyncIterable<Uint8Array>;
  /** Appends at the end, whole or not at all. @throws `full` */
  append(record: Uint8Array, durability: Durability): Promise<void>;
  /** A new header and new records in place of all, on the disk before it resolves. @throws `full` */
  replace(header: Uint8Array, records: readonly Uint8Array[]): Promise<void>;
  /** The mark set last beside the records; undefined in a copy of them. */
  mark(): Promise<string | undefined>;
  /** On the disk before it resolves. @throws `full`, `unavailable` */
  setMark(mark: string): Promise<void>;
  /** Gives the lock back. Idempotent. */
  release(): Promise<void>;
}

/** No control characters or broken ones, no line ends, and nothing that file systems keep for themselves. */
const NAME = /^[^\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]{1,128}$/u;
/** No hidden file, no flag, nothing that an eye or Windows overlooks. */
const BAD_END = /^[\p{Z}.-]|[\p{Z}.]$/u;
/** A file name has 255 bytes, the ending's included. */
const MOST_BYTES = 240;

/** A name is a file name on every system, without ways out of its folder. */
export function isWalletName(name: string): boolean {
  return (
    NAME.test(name) &&
    !BAD_END.test(name) &&
    new TextEncoder().encode(name).length <= MOST_BYTES &&
    name.normalize('NFC') === name &&
    !/^(con|prn|aux|nul|com\d|lpt\d)$/i.test(name)
  );
}
