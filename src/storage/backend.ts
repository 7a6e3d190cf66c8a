import type { Durability } from '../wallet/ports.ts';

/**
 * A place for sealed bytes. Implementations know nothing of keys or events: for each wallet they store one header and a list of records,
 * hold the lock, and make each change completely or not at all. All throw StorageError.
 */
export interface Backend {
  names(): Promise<readonly string[]>;
  /** Reads the header without taking the lock. @throws `not-found` */
  peek(name: string): Promise<Uint8Array>;
  /** Takes the lock. @throws `not-found`, `locked`, `damaged` */
  open(name: string): Promise<{ readonly header: Uint8Array; readonly file: RecordFile }>;
  /** Takes the lock; on the disk before it resolves. @throws `exists`, `locked`, `full` */
  create(name: string, header: Uint8Array, records: readonly Uint8Array[]): Promise<RecordFile>;
  /** @throws `not-found`, `locked` */
  remove(name: string): Promise<void>;
}

/** One wallet's bytes, open for one writer. Calls do not overlap. */
export interface RecordFile {
  /** Number of records. */
  readonly count: number;
  /** Records in order, as they were when the iteration began. @throws `damaged` */
  records(): AsyncIterable<Uint8Array>;
  /** Appends completely or not at all. @throws `full` */
  append(record: Uint8Array, durability: Durability): Promise<void>;
  /** Replaces header and all records; on the disk before it resolves. @throws `full` */
  replace(header: Uint8Array, records: readonly Uint8Array[]): Promise<void>;
  /** The mark set last next to the records; copies of the records have none. */
  mark(): Promise<string | undefined>;
  /** On the disk before it resolves. @throws `full`, `unavailable` */
  setMark(mark: string): Promise<void>;
  /** Releases the lock. Idempotent. */
  release(): Promise<void>;
}

/** No control characters, no lone surrogates, no line ends, and no character that file systems reserve. */
const NAME = /^[^\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]{1,128}$/u;
/** Not a hidden file, not a flag, and no ending that people or Windows overlook. */
const BAD_END = /^[\p{Z}.-]|[\p{Z}.]$/u;
/** A file name has at most 255 bytes, suffix included. */
const MOST_BYTES = 240;

/** What is said of a name that is none (see {@link isWalletName}). */
export const WALLET_NAME_EXPECTED =
  'expected a wallet name of at most 128 characters and 240 bytes, composed (NFC), none of them unseen or of / \\ : * ? " < > |, no dot or space at an end, no dash first';

/** Whether a name is a valid file name on every system and stays within its folder. */
export function isWalletName(name: string): boolean {
  return (
    NAME.test(name) &&
    !BAD_END.test(name) &&
    new TextEncoder().encode(name).length <= MOST_BYTES &&
    name.normalize('NFC') === name &&
    !/^(con|prn|aux|nul|com\d|lpt\d)$/i.test(name)
  );
}
