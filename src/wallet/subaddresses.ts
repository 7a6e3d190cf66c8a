import { SerialQueue } from '../base/index.ts';
import { readAddress } from '../protocol/index.ts';
import { KeyTable } from './key-table.ts';
import type { WalletKeys } from './keys.ts';
import { majorsAhead, minorsAhead, type WatchedAccounts } from './lookahead.ts';
import type { SubaddressIndex } from './model.ts';

/** Keys made beyond an account's lookahead, so that a newly used subaddress seldom requires a rescan. */
const SLACK = 256;
/** Largest number of spare addresses of all accounts together. */
const MOST_SLACK = 65_536;
/** Keys made before yielding to other work: some milliseconds. */
const SLICE = 500;

/**
 * The table by which a scan recognises outputs: public spend keys of all subaddresses in the lookahead, in the order in which they were
 * made. It only grows, unless the wallet gets other keys. Addresses beyond the reference's lookahead are in the table but do not count
 * (`isWithin`), so that we find exactly what the reference finds.
 */
export class SubaddressTable {
  readonly #keys: WalletKeys;
  #table = new KeyTable();
  /** Account and index inside it, by position. */
  #indices = new Uint32Array(2 * 16_384);
  /** For each account the number of its subaddresses in the table. */
  readonly #ends: number[] = [];
  #generation = 0;
  readonly #queue = new SerialQueue();
  /** Keys made since the last yield. */
  #sinceTurn = 0;

  constructor(keys: WalletKeys) {
    this.#keys = keys;
  }

  /** Increases when the wallet gets other keys and the table is replaced. */
  get generation(): number {
    return this.#generation;
  }

  /** Number of subaddresses in the table. */
  get size(): number {
    return this.#table.size;
  }

  /** All keys, 32 bytes each: a copy that can be sent to a worker. */
  spendKeys(): Uint8Array {
    return this.#table.bytes();
  }

  /** The subaddress at a position of {@link spendKeys}; undefined past its end. */
  indexAt(position: number): SubaddressIndex | undefined {
    if (position >= this.size) return undefined;
    return { major: this.#indices[2 * position]!, minor: this.#indices[2 * position + 1]! };
  }

  /** The subaddress of a public spend key. */
  find(spendKey: Uint8Array): SubaddressIndex | undefined {
    const position = this.#table.find(spendKey);
    return position === undefined ? undefined : this.indexAt(position);
  }

  /** The subaddress of an address of this network; undefined when it does not belong to this wallet, or is not an address. */
  lookup(address: string): SubaddressIndex | undefined {
    const named = readAddress(address, this.#keys.network);
    return named && this.find(named.spendKey);
  }

  /** Makes the missing keys of what is watched, in slices: `pause` is awaited between them. */
  grow(watch: WatchedAccounts, pause: () => Promise<void>): Promise<void> {
    return this.#queue.run(() => this.#grow(watch, pause));
  }

  /** Empties the table because the wallet's keys have changed; keys that are being made are discarded. */
  clear(): void {
    void this.#queue.run(async () => {
      this.#table = new KeyTable();
      this.#ends.length = 0;
      this.#generation += 1;
    });
  }

  async #grow(watch: WatchedAccounts, pause: () => Promise<void>): Promise<void> {
    const { accounts } = watch;
    const slack = Math.min(SLACK, Math.floor(MOST_SLACK / accounts.length));
    for (let major = 0; major < majorsAhead(watch); major++) {
      const wanted = minorsAhead(watch, major);
      if ((this.#ends[major] ?? 0) >= wanted) continue;
      await this.#make(major, wanted + (major < accounts.length ? slack : 0), pause);
    }
  }

  /** Makes an account's keys up to `end`. */
  async #make(major: number, end: number, pause: () => Promise<void>): Promise<void> {
    for (let from = this.#ends[major] ?? 0; from < end; ) {
      const to = Math.min(end, from + SLICE - this.#sinceTurn);
      this.#add(major, from, this.#keys.spendKeys(major, from, to));
      this.#sinceTurn += to - from;
      from = to;
      if (this.#sinceTurn < SLICE) continue;
      this.#sinceTurn = 0;
      await pause();
    }
  }

  #add(major: number, from: number, keys: Uint8Array): void {
    const start = this.size;
    this.#table.add(keys);
    if (this.#indices.length < 2 * this.size) this.#enlarge();
    for (let position = start; position < this.size; position++) {
      this.#indices[2 * position] = major;
      this.#indices[2 * position + 1] = from + position - start;
    }
    this.#ends[major] = from + this.size - start;
  }

  #enlarge(): void {
    const larger = new Uint32Array(this.#indices.length * 2);
    larger.set(this.#indices);
    this.#indices = larger;
  }
}
