import { argon2id } from '../crypto/argon2.ts';
import { type Random, systemRandom } from '../crypto/random.ts';
import type { Journal, JournalStore, JournalSummary } from '../wallet/ports.ts';
import type { WalletEvent } from '../wallet/state/events.ts';
import { copySecrets, type WalletSecrets } from '../wallet/wallet-secrets.ts';
import { type Backend, isWalletName, WALLET_NAME_EXPECTED } from './backend.ts';
import { splitContainer } from './container.ts';
import { damagedError, isStorageError, StorageError } from './errors.ts';
import { SealedJournal, sealAll } from './journal.ts';
import {
  decodeHeader,
  encodeHeader,
  type Header,
  hasMagic,
  type OpenedHeader,
  openHeader,
  openSecrets,
  type SealTools,
  sealKey,
  sealSecrets,
} from './seal/header.ts';
import { DEFAULT_KDF, deriveKey, type HashBegin, type KdfParameters, type PasswordHash } from './seal/kdf.ts';
import { openRecord } from './seal/records.ts';

/** How journals are sealed; everything has a default. */
export interface StoreOptions {
  /** Cost of hashing passwords, for new wallets and changed passwords. Tests pass a cheap one. */
  readonly kdf?: KdfParameters;
  /** Source of keys and nonces; the system's by default. */
  readonly random?: Random;
  /** Hashes passwords; in this thread by default. */
  readonly hash?: PasswordHash;
}

/** Journals on any backend. @internal */
export class SealedJournalStore implements JournalStore {
  readonly #backend: Backend;
  readonly #tools: SealTools;

  constructor(backend: Backend, options: StoreOptions) {
    this.#backend = backend;
    this.#tools = { kdf: DEFAULT_KDF, random: systemRandom, hash: argon2id, ...options };
  }

  /** A wallet whose header cannot be read is listed as damaged, so that it does not disappear from view. */
  async list(): Promise<readonly JournalSummary[]> {
    const summaries: JournalSummary[] = [];
    for (const name of await this.#backend.names()) {
      try {
        const { network, kind } = decodeHeader(await this.#backend.peek(name));
        summaries.push({ name, network, kind });
      } catch (error) {
        if (isStorageError(error, 'not-found')) continue;
        if (!isStorageError(error)) throw error;
        summaries.push({ name, network: 'unknown', kind: error.code });
      }
    }
    return summaries;
  }

  /** @internal */
  async create(
    name: string,
    password: string,
    secrets: WalletSecrets,
    first: readonly WalletEvent[],
    key?: Uint8Array,
  ): Promise<Journal> {
    requireName(name);
    const masterKey = key?.slice() ?? this.#tools.random.bytes(32);
    const walletId = this.#tools.random.bytes(16);
    const created = first.find((event) => event.type === 'Created');
    const header: Header = {
      walletId,
      generation: 0,
      network: created?.wallet.network ?? 'unknown',
      kind: created?.wallet.kind ?? 'unknown',
      ...(await sealKey(masterKey, walletId, password, this.#tools)),
      sealedSecrets: sealSecrets(masterKey, walletId, secrets, this.#tools.random),
    };
    const records = sealAll({ masterKey, walletId, generation: 0 }, first, this.#tools.random);
    const file = await this.#backend.create(name, encodeHeader(header), records);
    return new SealedJournal(file, header, { masterKey, secrets: copySecrets(secrets) }, this.#tools);
  }

  /** @internal */
  open(name: string, password: string): Promise<Journal> {
    return this.#open(name, (header) => openHeader(header, password, this.#tools.hash));
  }

  /**
   * Begins to hash the password that would open a wallet, without opening it. The password is probably complete, but not confirmed.
   * @internal
   */
  async hashAhead(name: string, password: string, begin: HashBegin): Promise<void> {
    const { salt, kdf } = decodeHeader(await this.#backend.peek(name));
    await deriveKey(password, salt, kdf, async (...asked) => {
      await begin(...asked);
      return new Uint8Array(0);
    });
  }

  /** @internal */
  openByKey(name: string, key: Uint8Array): Promise<Journal> {
    return this.#open(name, async (header) => {
      const secrets = openSecrets(header, key);
      if (secrets === undefined) throw new StorageError('wrong-password', 'this key does not open the wallet');
      return { masterKey: key.slice(), secrets };
    });
  }

  async #open(name: string, opened: (header: Header) => Promise<OpenedHeader>): Promise<Journal> {
    requireName(name);
    const { header: bytes, file } = await this.#backend.open(name);
    try {
      const header = decodeHeader(bytes);
      return new SealedJournal(file, header, await opened(header), this.#tools);
    } catch (error) {
      await file.release();
      throw error;
    }
  }

  /** @internal */
  async restore(name: string, password: string, backup: Uint8Array): Promise<Journal> {
    requireName(name);
    if (!hasMagic(backup)) throw new StorageError('not-a-backup', 'expected a backup file of this program');
    const { header: bytes, records, length } = splitContainer(backup);
    if (length !== backup.length) throw damagedError(records.length, 'the backup to be whole');
    const header = decodeHeader(bytes);
    const opened = await openHeader(header, password, this.#tools.hash);
    const seal = { masterKey: opened.masterKey, walletId: header.walletId, generation: header.generation };
    records.forEach((record, position) => {
      openRecord(seal, position, record);
    });
    const file = await this.#backend.create(name, bytes, records);
    return new SealedJournal(file, header, opened, this.#tools);
  }

  async remove(name: string): Promise<void> {
    requireName(name);
    await this.#backend.remove(name);
  }
}

function requireName(name: string): void {
  if (!isWalletName(name)) throw new StorageError('bad-name', WALLET_NAME_EXPECTED);
}
