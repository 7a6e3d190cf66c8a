import { SerialQueue } from '../base/index.ts';
import type { Random } from '../crypto/random.ts';
import type { Durability, Journal, JournalSummary } from '../wallet/ports.ts';
import type { WalletEvent } from '../wallet/state/events.ts';
import { forgetSpendKey, type WalletSecrets, wipeSecrets } from '../wallet/wallet-secrets.ts';
import type { RecordFile } from './backend.ts';
import { joinContainer } from './container.ts';
import { StorageError } from './errors.ts';
import {
  encodeHeader,
  type Header,
  type OpenedHeader,
  openHeader,
  type SealTools,
  sealKey,
  sealSecrets,
  unsealKey,
} from './seal/header.ts';
import { KnownPassword } from './seal/known-password.ts';
import { openRecord, type RecordSeal, sealRecord } from './seal/records.ts';

/** Events in each record of a compacted journal; the last may have fewer. */
export const EVENTS_A_RECORD = 256;

/** A journal on any backend: seals what is written, opens what is read, and makes one change at a time. */
export class SealedJournal implements Journal {
  readonly #file: RecordFile;
  #masterKey: Uint8Array;
  #secrets: WalletSecrets;
  readonly #tools: SealTools;
  #header: Header;
  /** The verified password: when it is asked for repeatedly, as in the rounds of a group, only the first check takes long. */
  #verifiedPassword: KnownPassword | undefined;
  /** Events of a locked journal that are not written yet, in order; undefined if it is not locked. */
  #pending: WalletEvent[] | undefined;
  readonly #queue = new SerialQueue();
  #closed: Promise<void> | undefined;

  constructor(file: RecordFile, header: Header, opened: OpenedHeader, tools: SealTools) {
    this.#file = file;
    this.#header = header;
    this.#masterKey = opened.masterKey;
    this.#secrets = opened.secrets;
    this.#tools = tools;
  }

  get secrets(): WalletSecrets {
    this.#requireOpen();
    return this.#secrets;
  }

  async *read(): AsyncIterable<WalletEvent> {
    this.#requireOpen();
    let position = 0;
    for await (const record of this.#file.records()) {
      this.#requireOpen();
      yield* openRecord(this.#seal(), position, record);
      position++;
    }
  }

  append(events: readonly WalletEvent[], durability: Durability): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#pending !== undefined) {
        this.#pending.push(...events);
        return;
      }
      const record = sealRecord(this.#seal(), this.#file.count, events, this.#tools.random);
      await this.#file.append(record, durability);
    });
  }

  compact(events: Iterable<WalletEvent>): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#pending !== undefined) return;
      const generation = this.#header.generation + 1;
      const seen = { kind: this.#header.kind };
      const records = sealAll({ ...this.#seal(), generation }, withKind(events, seen), this.#tools.random);
      const header = { ...this.#header, generation, ...seen };
      await this.#file.replace(encodeHeader(header), records);
      this.#header = header;
    });
  }

  checkPassword(password: string): Promise<void> {
    return this.#inTurn(async () => {
      if (await this.#verifiedPassword?.is(password)) return;
      const masterKey = await unsealKey(this.#header, password, this.#tools.hash);
      masterKey.fill(0);
      this.#forgetPassword();
      this.#verifiedPassword = await KnownPassword.of(password, this.#tools.random);
    });
  }

  changePassword(oldPassword: string, newPassword: string): Promise<void> {
    return this.#inTurn(async () => {
      const old = await openHeader(this.#header, oldPassword, this.#tools.hash);
      const { walletId } = this.#header;
      const fresh = { masterKey: this.#tools.random.bytes(32), walletId, generation: this.#header.generation + 1 };
      const header = {
        ...this.#header,
        generation: fresh.generation,
        ...(await sealKey(fresh.masterKey, walletId, newPassword, this.#tools)),
        sealedSecrets: sealSecrets(fresh.masterKey, walletId, old.secrets, this.#tools.random),
      };
      const records = await this.#sealedAnew({ ...this.#seal(), masterKey: old.masterKey }, fresh);
      await this.#file.replace(encodeHeader(header), records);
      this.#header = header;
      this.#forgetPassword();
      // A locked journal has no key.
      if (this.#pending === undefined) this.#masterKey.set(fresh.masterKey);
      fresh.masterKey.fill(0);
      old.masterKey.fill(0);
      wipeSecrets(old.secrets);
    });
  }

  lock(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#pending !== undefined) return;
      this.#masterKey.fill(0);
      this.#forgetPassword();
      this.#secrets = forgetSpendKey(this.#secrets);
      this.#pending = [];
    });
  }

  unlock(password: string): Promise<void> {
    return this.#inTurn(async () => {
      const { masterKey, secrets } = await openHeader(this.#header, password, this.#tools.hash);
      const pending = this.#pending;
      if (pending === undefined) {
        masterKey.fill(0);
        wipeSecrets(secrets);
        return;
      }
      this.#masterKey = masterKey;
      try {
        // Written events are dropped from the list, so that after an error the next try continues from there.
        while (pending.length > 0) {
          const record = sealRecord(this.#seal(), this.#file.count, pending.slice(0, EVENTS_A_RECORD), this.#tools.random);
          await this.#file.append(record, 'strict');
          pending.splice(0, EVENTS_A_RECORD);
        }
      } catch (error) {
        masterKey.fill(0);
        wipeSecrets(secrets);
        throw error;
      }
      // The wallet still uses the array of the view key that stayed in memory, so that one is used and the copy from the header wiped.
      secrets.viewKey.fill(0);
      this.#secrets = { ...secrets, viewKey: this.#secrets.viewKey };
      this.#pending = undefined;
    });
  }

  label({ network, kind }: Pick<JournalSummary, 'network' | 'kind'>): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#header.network === network && this.#header.kind === kind) return;
      const header = { ...this.#header, network, kind };
      await this.#file.replace(encodeHeader(header), await this.#sealed());
      this.#header = header;
    });
  }

  backup(): Promise<Uint8Array> {
    return this.#inTurn(async () => joinContainer(encodeHeader(this.#header), await this.#sealed()));
  }

  mark(): Promise<string | undefined> {
    return this.#inTurn(() => this.#file.mark());
  }

  setMark(mark: string): Promise<void> {
    return this.#inTurn(() => this.#file.setMark(mark));
  }

  close(): Promise<void> {
    this.#closed ??= this.#queue.run(async () => {
      this.#masterKey.fill(0);
      this.#forgetPassword();
      wipeSecrets(this.#secrets);
      await this.#file.release();
    });
    return this.#closed;
  }

  /** All records, still sealed. */
  async #sealed(): Promise<Uint8Array[]> {
    const records: Uint8Array[] = [];
    for await (const record of this.#file.records()) records.push(record);
    return records;
  }

  /** Reseals all records with another key, one for one. */
  async #sealedAnew(from: RecordSeal, to: RecordSeal): Promise<Uint8Array[]> {
    const records: Uint8Array[] = [];
    for await (const record of this.#file.records()) {
      const position = records.length;
      records.push(sealRecord(to, position, openRecord(from, position, record), this.#tools.random));
    }
    return records;
  }

  #forgetPassword(): void {
    this.#verifiedPassword?.wipe();
    this.#verifiedPassword = undefined;
  }

  #seal(): RecordSeal {
    return { masterKey: this.#masterKey, walletId: this.#header.walletId, generation: this.#header.generation };
  }

  #requireOpen(): void {
    if (this.#closed !== undefined) throw new StorageError('closed', 'the wallet was closed');
  }

  async #inTurn<T>(change: () => Promise<T>): Promise<T> {
    this.#requireOpen();
    return this.#queue.run(change);
  }
}

/** Notes when a wallet becomes a signer of a group, so that the header has its new kind. */
function* withKind(events: Iterable<WalletEvent>, seen: { kind: string }): Generator<WalletEvent> {
  for (const event of events) {
    if (event.type === 'Created') seen.kind = event.wallet.kind;
    yield event;
  }
}

/** Seals events as records, in order. */
export function sealAll(seal: RecordSeal, events: Iterable<WalletEvent>, random: Random): Uint8Array[] {
  const records: Uint8Array[] = [];
  let batch: WalletEvent[] = [];
  const flush = () => {
    if (batch.length > 0) records.push(sealRecord(seal, records.length, batch, random));
    batch = [];
  };
  for (const event of events) {
    batch.push(event);
    if (batch.length === EVENTS_A_RECORD) flush();
  }
  flush();
  return records;
}
