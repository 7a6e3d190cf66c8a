import { bytesToHex } from '../crypto/index.ts';
import { decodeAddress } from '../protocol/address.ts';
import { isProtocolError } from '../protocol/errors.ts';
import type { WalletKeys } from './keys.ts';
import type { SubaddressIndex } from './model.ts';
import { type AccountEntry, LOOKAHEAD_MAJOR, LOOKAHEAD_MINOR } from './state.ts';

/** Keys made beyond the lookahead, so that a newly used subaddress seldom means scanning anew. */
const SLACK = 256;
/** Keys made before other work gets its turn. */
const SLICE = 100;

/**
 * The table a scan recognises outputs by: public spend keys of all subaddresses in the lookahead, in the order in which
 * they were made. It only grows. What lies beyond the reference's lookahead is in the table but does not count
 * ({@link isWithin}), so that we find exactly what the reference finds.
 */
export class SubaddressTable {
  readonly #keys: WalletKeys;
  /** Entries by position. */
  readonly #indices: SubaddressIndex[] = [];
  readonly #positions = new Map<string, number>();
  /** For each account the number of its subaddresses in the table. */
  readonly #ends: number[] = [];
  #growing: Promise<unknown> = Promise.resolve();
  #bytes = new Uint8Array(32 * 16_384);

  constructor(keys: WalletKeys) {
    this.#keys = keys;
  }

  /** Number of keys. */
  get size(): number {
    return this.#indices.length;
  }

  /** All keys, 32 bytes each: a copy that can be sent away. */
  spendKeys(): Uint8Array {
    return this.#bytes.slice(0, this.size * 32);
  }

  indexAt(position: number): SubaddressIndex | undefined {
    return this.#indices[position];
  }

  /** Which subaddress a public spend key belongs to. */
  find(spendKey: Uint8Array): SubaddressIndex | undefined {
    const position = this.#positions.get(bytesToHex(spendKey));
    return position === undefined ? undefined : this.#indices[position];
  }

  /** Which subaddress an address of this network names; undefined when it is not of this wallet, or no address. */
  lookup(address: string): SubaddressIndex | undefined {
    try {
      return this.find(decodeAddress(address, this.#keys.network).spendKey);
    } catch (error) {
      if (isProtocolError(error)) return undefined;
      throw error;
    }
  }

  /**
   * Makes the keys that are missing for `accounts`, in slices: `pause` is awaited between them.
   * @returns whether any were missing: scans made with the table as it was have not seen everything then
   */
  grow(accounts: readonly AccountEntry[], pause: () => Promise<void>): Promise<boolean> {
    const grown = this.#growing.then(() => this.#grow(accounts, pause));
    this.#growing = grown.catch(() => false);
    return grown;
  }

  async #grow(accounts: readonly AccountEntry[], pause: () => Promise<void>): Promise<boolean> {
    const before = this.size;
    for (let major = 0; major < majorsAhead(accounts); major++) {
      const wanted = minorsAhead(accounts, major);
      if ((this.#ends[major] ?? 0) >= wanted) continue;
      const end = wanted + (major < accounts.length ? SLACK : 0);
      for (let from = this.#ends[major] ?? 0; from < end; from += SLICE) {
        const keys = this.#keys.spendKeys(major, from, Math.min(from + SLICE, end));
        for (const [i, key] of keys.entries()) this.#add({ major, minor: from + i }, key);
        await pause();
      }
    }
    return this.size > before;
  }

  #add(index: SubaddressIndex, key: Uint8Array): void {
    const position = this.#indices.length;
    if (this.#bytes.length < (position + 1) * 32) this.#enlarge();
    this.#bytes.set(key, position * 32);
    this.#indices.push(index);
    this.#positions.set(bytesToHex(key), position);
    this.#ends[index.major] = index.minor + 1;
  }

  #enlarge(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Accounts looked ahead to: 50 from the last that was made or used (wallet2.cpp, expand_subaddresses). */
export function majorsAhead(accounts: readonly AccountEntry[]): number {
  return Math.min(accounts.length - 1 + LOOKAHEAD_MAJOR, 2 ** 32);
}

/** Subaddresses of an account looked ahead to: 200 from the last that was made or used. */
export function minorsAhead(accounts: readonly AccountEntry[], major: number): number {
  const made = accounts[major]?.labels.length ?? 1;
  return Math.min(made - 1 + LOOKAHEAD_MINOR, 2 ** 32);
}

/** Whether the reference would recognise an output to this subaddress now. */
export function isWithin(accounts: readonly AccountEntry[], index: SubaddressIndex): boolean {
  return index.major < majorsAhead(accounts) && index.minor < minorsAhead(accounts, index.major);
}
