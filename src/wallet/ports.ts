import type { WalletEvent } from './state/events.ts';
import type { WalletSecrets } from './wallet-secrets.ts';

/** `relaxed`: may be lost by a power cut. `strict`: on the disk before the promise resolves (sends, rings, transaction keys). */
export type Durability = 'relaxed' | 'strict';

/**
 * One wallet's sealed journal, open for one writer. Implemented by `src/storage` on IndexedDB, on files and in memory.
 * A record is appended whole or not at all. Bytes are sealed: an implementation never sees a key in clear outside its own seal.
 */
export interface Journal {
  /** Without the spend key while the journal is locked. */
  readonly secrets: WalletSecrets;
  /** All events in order; after a snapshot, from the snapshot on. */
  read(): AsyncIterable<WalletEvent>;
  /** Appends all of them as one atomic record. */
  append(events: readonly WalletEvent[], durability: Durability): Promise<void>;
  /** Replaces everything before by an equivalent, shorter sequence of events. Atomic. */
  compact(events: Iterable<WalletEvent>): Promise<void>;
  /** @throws StorageError `wrong-password` */
  checkPassword(password: string): Promise<void>;
  changePassword(oldPassword: string, newPassword: string): Promise<void>;
  /**
   * Forgets the secret spend key and the key that opens it: neither is in memory until {@link unlock}. Events are kept in memory
   * meanwhile, and lost with it. Idempotent.
   */
  lock(): Promise<void>;
  /** The spend key is back, and what was kept is written. @throws StorageError `wrong-password` */
  unlock(password: string): Promise<void>;
  /** Sees to it that the list shows what the sealed records say; writes nothing where it does. */
  label(shown: Pick<JournalSummary, 'network' | 'kind'>): Promise<void>;
  /** The encrypted backup file: header and all records, openable by the same password elsewhere. */
  backup(): Promise<Uint8Array>;
  /**
   * The mark of this place, set last: it lies beside the journal and in no backup, and a copy of the journal has none. A journal
   * that does not go with its mark is an older state brought back.
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
  /** Shown before unlocking: written in clear by the person's leave. */
  readonly network: string;
  readonly kind: string;
}

/** All journals of one place (a browser's origin, a folder). */
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
  /** Brings a backup file in under a name. @internal @throws StorageError `wrong-password`, `not-a-backup`, `damaged`, `exists` */
  restore(name: string, password: string, backup: Uint8Array): Promise<Journal>;
  /** Deletes a journal; without its words its coins are lost. @throws StorageError `not-found`, `locked` */
  remove(name: string): Promise<void>;
}
