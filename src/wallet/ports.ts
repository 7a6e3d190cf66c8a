import type { WalletEvent } from './state/events.ts';
import type { WalletSecrets } from './wallet-secrets.ts';

/** `relaxed`: may be lost in a power cut. `strict`: on the disk before the promise resolves (sends, rings, transaction keys). */
export type Durability = 'relaxed' | 'strict';

/**
 * A wallet's sealed journal, open for one writer. Implemented by `src/storage` on IndexedDB, on files and in memory. A record is appended
 * completely or not at all. Bytes are sealed: an implementation never sees a key in clear outside its own seal.
 */
export interface Journal {
  /** Without the spend key while the journal is locked. */
  readonly secrets: WalletSecrets;
  /** All events in order, beginning with the last snapshot. */
  read(): AsyncIterable<WalletEvent>;
  /** Appends the events as one atomic record. */
  append(events: readonly WalletEvent[], durability: Durability): Promise<void>;
  /** Replaces everything by an equivalent, shorter sequence of events. Atomic. */
  compact(events: Iterable<WalletEvent>): Promise<void>;
  /** @throws StorageError `wrong-password` */
  checkPassword(password: string): Promise<void>;
  changePassword(oldPassword: string, newPassword: string): Promise<void>;
  /**
   * Forgets the secret spend key and the key that opens it: neither is in memory until {@link unlock}. Meanwhile events are only in memory.
   * Idempotent.
   */
  lock(): Promise<void>;
  /** Restores the spend key, and writes the pending events. @throws StorageError `wrong-password` */
  unlock(password: string): Promise<void>;
  /** Corrects the unsealed summary if it differs from the sealed records. */
  label(shown: Pick<JournalSummary, 'network' | 'kind'>): Promise<void>;
  /** The encrypted backup file: header and all records, openable by the same password elsewhere. */
  backup(): Promise<Uint8Array>;
  /**
   * The mark that was set last: it is stored next to the journal and not in backups or copies. A journal that does not match its mark is a
   * restored older state.
   */
  mark(): Promise<string | undefined>;
  /** On the disk before it resolves. */
  setMark(mark: string): Promise<void>;
  /** Releases the lock, wipes the keys. Idempotent. */
  close(): Promise<void>;
}

/** Facts about a wallet that need no password. */
export interface JournalSummary {
  readonly name: string;
  /** Readable without the password, as the person has agreed. */
  readonly network: string;
  readonly kind: string;
}

/** All journals in one place (a browser's origin, a folder). */
export interface JournalStore {
  list(): Promise<readonly JournalSummary[]>;
  /** @param key 32 bytes that seal the journal, in place of random ones: {@link openByKey} takes them later @internal */
  create(
    name: string,
    password: string,
    secrets: WalletSecrets,
    first: readonly WalletEvent[],
    key?: Uint8Array,
  ): Promise<Journal>;
  /** @internal @throws StorageError `wrong-password`, `locked` (another holder), `damaged`, `not-found` */
  open(name: string, password: string): Promise<Journal>;
  /** Opens a journal without its password. @param key the 32 bytes given to {@link create} @internal @throws StorageError as {@link open} */
  openByKey(name: string, key: Uint8Array): Promise<Journal>;
  /** Restores a backup file under a name. @internal @throws StorageError `wrong-password`, `not-a-backup`, `damaged`, `exists` */
  restore(name: string, password: string, backup: Uint8Array): Promise<Journal>;
  /** Deletes a journal; without its seed words its coins are lost. @throws StorageError `not-found`, `locked` */
  remove(name: string): Promise<void>;
}
