import { expect } from 'vitest';
import type { TestSampler } from '../random-sampler.ts';
import { callRpc, RpcFailure } from '../rpc.ts';

/** Calls a service. */
export type Call = <T = object>(method: string, params: object) => Promise<T>;

export const callerOf =
  (url: string): Call =>
  (method, params) =>
    callRpc(url, method, params);

/**
 * A client that makes one write after another. After a kill, acknowledged writes must exist; the pending one must exist completely or not at all.
 */
export interface Writer {
  /** One write. Rejects if the service is gone, and the write stays pending. */
  write(call: Call): Promise<void>;
  /** Checks a restarted service. A pending write that exists counts as acknowledged from then on. */
  check(call: Call): Promise<void>;
  /** Writes acknowledged so far. */
  readonly acknowledged: number;
}

const hashNumber = (number: number): string => number.toString(16).padStart(64, '0');

/** Attributes, each with its own name. */
export class AttributeWriter implements Writer {
  readonly #kept = new Map<string, string>();
  #underWay: readonly [string, string] | undefined;
  #next = 0;

  get acknowledged(): number {
    return this.#kept.size;
  }

  async write(call: Call): Promise<void> {
    const [key, value] = [`key ${this.#next}`, `value ${this.#next}`.repeat(20)];
    this.#next += 1;
    this.#underWay = [key, value];
    await call('set_attribute', { key, value });
    this.#kept.set(key, value);
    this.#underWay = undefined;
  }

  async check(call: Call): Promise<void> {
    const read = async (key: string) => (await call<{ value: string }>('get_attribute', { key })).value;
    for (const [key, value] of this.#kept) expect(await read(key), key).toBe(value);
    if (this.#underWay === undefined) return;
    const [key, value] = this.#underWay;
    try {
      expect(await read(key), 'an attribute under way').toBe(value);
      this.#kept.set(key, value);
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error; // It does not exist.
    }
    this.#underWay = undefined;
  }
}

/** Notes, two at a time: both exist or neither. */
export class NoteWriter implements Writer {
  readonly #kept: string[] = [];
  #underWay: readonly string[] = [];
  #next = 1;

  get acknowledged(): number {
    return this.#kept.length;
  }

  async write(call: Call): Promise<void> {
    const txids = [hashNumber(this.#next), hashNumber(this.#next + 1)];
    this.#next += 2;
    this.#underWay = txids;
    await call('set_tx_notes', { txids, notes: txids.map(noteOf) });
    this.#kept.push(...txids);
    this.#underWay = [];
  }

  async check(call: Call): Promise<void> {
    const read = async (txids: readonly string[]) =>
      txids.length === 0 ? [] : (await call<{ notes: string[] }>('get_tx_notes', { txids })).notes;
    expect(await read(this.#kept)).toEqual(this.#kept.map(noteOf));
    const found = (await read(this.#underWay)).filter((note) => note !== '');
    if (found.length > 0) {
      expect(found, 'notes under way').toEqual(this.#underWay.map(noteOf));
      this.#kept.push(...this.#underWay);
    }
    this.#underWay = [];
  }
}

const noteOf = (txid: string): string => `note of ${Number.parseInt(txid, 16)}`;

/** Subaddresses of the first account, a few at a time, and labels of earlier ones. */
export class AddressWriter implements Writer {
  readonly #sampler: TestSampler;
  /** By index; the first is the primary address. */
  #labels: string[] = [];
  #underWay: { readonly made: readonly string[] } | { readonly index: number; readonly label: string } | undefined;
  #next = 0;

  constructor(sampler: TestSampler) {
    this.#sampler = sampler;
  }

  get acknowledged(): number {
    return this.#labels.length;
  }

  async write(call: Call): Promise<void> {
    const label = `label ${this.#next}`;
    this.#next += 1;
    if (this.#labels.length > 3 && this.#sampler.below(2) === 0) {
      const index = this.#sampler.between(1, this.#labels.length - 1);
      this.#underWay = { index, label };
      await call('label_address', { index: { major: 0, minor: index }, label });
      this.#labels[index] = label;
    } else {
      const made = Array.from({ length: this.#sampler.between(1, 5) }, () => label);
      this.#underWay = { made };
      await call('create_address', { account_index: 0, label, count: made.length });
      this.#labels.push(...made);
    }
    this.#underWay = undefined;
  }

  async check(call: Call): Promise<void> {
    const { addresses } = await call<{ addresses: { label: string }[] }>('get_address', { account_index: 0 });
    const found = addresses.map(({ label }) => label);
    if (this.#labels.length === 0) this.#labels = found.slice(0, 1);
    const before = this.#labels;
    const underWay = this.#underWay;
    const after =
      underWay === undefined
        ? before
        : 'made' in underWay
          ? [...before, ...underWay.made]
          : before.map((label, index) => (index === underWay.index ? underWay.label : label));
    expect([before, after]).toContainEqual(found);
    this.#labels = found;
    this.#underWay = undefined;
  }
}

/** Entries of the address book, each complete. */
export class BookWriter implements Writer {
  readonly #address: string;
  #entries: string[] = [];
  #underWay: string | undefined;

  constructor(address: string) {
    this.#address = address;
  }

  get acknowledged(): number {
    return this.#entries.length;
  }

  async write(call: Call): Promise<void> {
    const description = `entry ${this.#entries.length}`;
    this.#underWay = description;
    await call('add_address_book', { address: this.#address, description });
    this.#entries.push(description);
    this.#underWay = undefined;
  }

  async check(call: Call): Promise<void> {
    const { entries = [] } = await call<{ entries?: { address: string; description: string }[] }>('get_address_book', {});
    const found = entries.map(({ description }) => description);
    const after = this.#underWay === undefined ? this.#entries : [...this.#entries, this.#underWay];
    expect([this.#entries, after]).toContainEqual(found);
    for (const { address } of entries) expect(address).toBe(this.#address);
    this.#entries = found;
    this.#underWay = undefined;
  }
}

/** Payments. */
export class PaymentWriter implements Writer {
  readonly #address: string;
  readonly #onPaid: () => void;
  readonly #onPoor: () => void;
  readonly #reached: () => readonly string[];
  /** Key by hash. */
  readonly #paid = new Map<string, string>();

  /**
   * @param reached ids of all payments of the wallet that the daemon has
   * @param onPoor called when all the money is pending change
   */
  constructor(address: string, reached: () => readonly string[], onPaid: () => void, onPoor: () => void) {
    this.#address = address;
    this.#reached = reached;
    this.#onPaid = onPaid;
    this.#onPoor = onPoor;
  }

  get acknowledged(): number {
    return this.#paid.size;
  }

  async write(call: Call): Promise<void> {
    const destinations = [{ address: this.#address, amount: 1_000_000_000 }];
    try {
      const sent = await call<{ tx_hash: string; tx_key: string }>('transfer', { destinations, get_tx_key: true });
      this.#paid.set(sent.tx_hash, sent.tx_key);
      this.#onPaid();
    } catch (error) {
      if (!(error instanceof RpcFailure) || !LOCKED.has(error.code)) throw error;
      this.#onPoor();
      await call('refresh', {});
    }
  }

  async check(call: Call): Promise<void> {
    await call('refresh', {});
    const kinds = { out: true, pending: true, failed: true };
    const lists = await call<Record<'out' | 'pending' | 'failed', { txid: string }[] | undefined>>('get_transfers', kinds);
    const known = [...(lists.out ?? []), ...(lists.pending ?? [])].map(({ txid }) => txid);
    // A payment that was sent is recorded, even if the call was not answered.
    for (const hash of this.#reached()) expect(known, 'a payment that the daemon has').toContain(hash);
    for (const hash of this.#paid.keys()) expect(known, 'a payment acknowledged').toContain(hash);
    for (const txid of known) {
      const { tx_key } = await call<{ tx_key: string }>('get_tx_key', { txid });
      expect(tx_key).toMatch(/^[0-9a-f]{64}$/);
      if (this.#paid.has(txid)) expect(tx_key).toBe(this.#paid.get(txid));
    }
    expect(lists.failed ?? []).toEqual([]);
  }
}

/** All of the wallet's money is pending change: more blocks will unlock it. */
const LOCKED: ReadonlySet<number> = new Set([-4, -16, -17, -37]);

/** Wallets, each with a marker in it and a changing password. */
export class FileWriter implements Writer {
  readonly #kept = new Map<string, string>();
  #underWay: { readonly name: string; readonly passwords: readonly string[] } | undefined;
  #next = 0;

  get acknowledged(): number {
    return this.#kept.size;
  }

  async write(call: Call): Promise<void> {
    const name = `made ${this.#next}`;
    this.#next += 1;
    this.#underWay = { name, passwords: ['first'] };
    await call('create_wallet', { filename: name, password: 'first', language: 'English' });
    await this.#acknowledge(call, name, 'first');
    this.#underWay = { name, passwords: ['first', 'second'] };
    await call('change_wallet_password', { old_password: 'first', new_password: 'second' });
    this.#kept.set(name, 'second');
    this.#underWay = undefined;
  }

  async #acknowledge(call: Call, name: string, password: string): Promise<void> {
    this.#kept.set(name, password);
    await call('set_attribute', { key: 'name', value: name });
  }

  async check(call: Call): Promise<void> {
    if (this.#underWay !== undefined) await this.#settle(call, this.#underWay);
    this.#underWay = undefined;
    // Each opening has the cost of a password hash: only the last two are checked.
    for (const [name, password] of [...this.#kept].slice(-2)) {
      expect(await opens(call, name, [password]), name).toBe(password);
      const { key } = await call<{ key: string }>('query_key', { key_type: 'mnemonic' });
      expect(key.split(' ').length).toBe(25);
    }
  }

  /** A pending wallet exists completely, under one password, or its name is free. */
  async #settle(
    call: Call,
    { name, passwords }: { readonly name: string; readonly passwords: readonly string[] },
  ): Promise<void> {
    const password = await opens(call, name, passwords);
    if (password === undefined) {
      expect(this.#kept.has(name), `${name} was acknowledged`).toBe(false);
      await call('create_wallet', { filename: name, password: 'again', language: 'English' });
    }
    this.#kept.set(name, password ?? 'again');
  }
}

/** The first password that opens it. */
async function opens(call: Call, filename: string, passwords: readonly string[]): Promise<string | undefined> {
  for (const password of passwords) {
    try {
      await call('open_wallet', { filename, password });
      return password;
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
    }
  }
  return undefined;
}
