import { bytesToHex } from '../base/index.ts';
import type { Chain } from './chain.ts';
import { checkAgainstChain, checkPoolPolicy, checkSanity, checkSemantics } from './consensus.ts';
import { RejectedError } from './errors.ts';
import type { ParsedTransaction } from './parsed.ts';

export interface PoolTransaction extends ParsedTransaction {
  /** Unix seconds. */
  readonly receivedAt: number;
  /** Came back from a block that was taken off the chain. */
  readonly fromBlock: boolean;
  /** Kept to itself: neither shown nor mined until it is relayed. */
  doNotRelay: boolean;
  /** A second transaction with one of its key images was seen. */
  doubleSpendSeen: boolean;
  newestMember: number;
}

export interface SubmitOptions {
  readonly doNotRelay: boolean;
  readonly sanityChecks: boolean;
}

/** What changed in the pool since a time, or all of it where that is not known any more. */
export interface PoolChanges {
  readonly extent: 'all' | 'changes';
  readonly added: readonly PoolTransaction[];
  readonly removed: readonly string[];
}

/** Removals that are remembered. */
const MAX_REMOVED = 20_000;

/** Transactions that wait for a block. Every one of them has passed the checks against the chain as it was when it came. */
export class Pool {
  readonly #chain: Chain;
  readonly #now: () => number;
  readonly #transactions = new Map<string, PoolTransaction>();
  readonly #keyImages = new Map<string, string>();
  /** Ids that must be checked again before they are mined: the chain below them has changed. */
  readonly #stale = new Set<string>();
  /** When each came to be seen, unix seconds; and when the first of all did. */
  readonly #shownAt = new Map<string, number>();
  #firstShown = 0;
  /** Transactions that left the pool from `#removedSince` on, the oldest first. */
  #removed: { readonly id: string; readonly at: number }[] = [];
  #removedSince = 0;

  /** @param now the clock, in unix seconds */
  constructor(chain: Chain, now: () => number) {
    this.#chain = chain;
    this.#now = now;
  }

  /** Those that are relayed, in the order they came. */
  get visible(): PoolTransaction[] {
    return [...this.#transactions.values()].filter((entry) => !entry.doNotRelay);
  }

  /**
   * What came and left from a time on (tx_pool.cpp, get_pool_info): all there is for time 0, and until something has come and something left.
   * @param since unix seconds
   */
  changesSince(since: number): PoolChanges {
    const known = since > 0 && this.#firstShown > 0 && this.#removedSince > 0;
    if (!known || since <= this.#firstShown || since <= this.#removedSince)
      return { extent: 'all', added: this.visible, removed: [] };
    const added = this.visible.filter(({ id }) => this.#shownAt.get(id)! >= since);
    const removed = this.#removed.filter(({ at }) => at >= since).map(({ id }) => id);
    return { extent: 'changes', added, removed };
  }

  /** Makes one that was kept to itself known. */
  relay(entry: PoolTransaction): void {
    entry.doNotRelay = false;
    this.#show(entry.id);
  }

  #show(id: string): void {
    const now = this.#now();
    this.#shownAt.set(id, now);
    this.#firstShown ||= now;
  }

  #noteRemoval(id: string): void {
    if (!this.#shownAt.delete(id)) return;
    const at = this.#now();
    this.#removed.push({ id, at });
    this.#removedSince ||= at;
    if (this.#removed.length <= MAX_REMOVED) return;
    this.#removed = this.#removed.slice(MAX_REMOVED / 4);
    this.#removedSince = this.#removed[0]!.at;
  }

  get(id: string): PoolTransaction | undefined {
    return this.#transactions.get(id);
  }

  /** The transaction in the pool that spends a key image (64 hex digits). */
  spenderOf(keyImage: string): PoolTransaction | undefined {
    const id = this.#keyImages.get(keyImage);
    return id === undefined ? undefined : this.#transactions.get(id);
  }

  /**
   * Takes a transaction in, or refuses it. One that is there or in the chain already is accepted again, as nodes do.
   * @returns whether it is new
   * @throws RejectedError
   */
  submit(parsed: ParsedTransaction, options: SubmitOptions): boolean {
    if (options.sanityChecks) checkSanity(this.#chain, parsed);
    const known = this.#transactions.get(parsed.id);
    if (known !== undefined) {
      if (!options.doNotRelay && known.doNotRelay) this.relay(known);
      return false;
    }
    if (this.#chain.transaction(parsed.id) !== undefined) return false;
    checkSemantics(parsed);
    checkPoolPolicy(this.#chain, parsed);
    this.#refuseDoubleSpend(parsed);
    this.#add(parsed, options.doNotRelay, false, checkAgainstChain(this.#chain, parsed));
    return true;
  }

  #refuseDoubleSpend(parsed: ParsedTransaction): void {
    for (const image of keyImagesOf(parsed)) {
      const spender = this.spenderOf(image);
      if (spender === undefined) continue;
      spender.doubleSpendSeen = true;
      throw new RejectedError('pool-double-spend', 'expected key images that no transaction in the pool spends');
    }
  }

  #add(parsed: ParsedTransaction, doNotRelay: boolean, fromBlock: boolean, newestMember: number): void {
    const receivedAt = this.#now();
    this.#transactions.set(parsed.id, { ...parsed, receivedAt, fromBlock, doNotRelay, doubleSpendSeen: false, newestMember });
    for (const image of keyImagesOf(parsed)) this.#keyImages.set(image, parsed.id);
    if (!doNotRelay) this.#show(parsed.id);
  }

  /** A transaction of a block that was taken off: kept without a check, looked at again before it is mined. */
  takeBack(parsed: ParsedTransaction): void {
    if (this.#transactions.has(parsed.id)) return;
    if (keyImagesOf(parsed).some((image) => this.#keyImages.has(image))) return;
    this.#add(parsed, false, true, 0);
  }

  /** After a block: what it holds leaves, and what spends the same key images too. */
  removeMined(transactions: readonly ParsedTransaction[]): void {
    for (const parsed of transactions) {
      this.remove(parsed.id);
      for (const image of keyImagesOf(parsed)) {
        const rival = this.#keyImages.get(image);
        if (rival !== undefined) this.remove(rival);
      }
    }
  }

  remove(id: string): void {
    const entry = this.#transactions.get(id);
    if (entry === undefined) return;
    this.#transactions.delete(id);
    this.#stale.delete(id);
    this.#noteRemoval(id);
    for (const image of keyImagesOf(entry)) this.#keyImages.delete(image);
  }

  clear(): void {
    for (const id of [...this.#transactions.keys()]) this.remove(id);
  }

  /** After blocks were taken off: nothing is taken for granted any more. */
  distrustAll(): void {
    for (const id of this.#transactions.keys()) this.#stale.add(id);
  }

  /** Those that may be mined now, the best fee per weight first. */
  ready(): PoolTransaction[] {
    const entries = this.visible.filter((entry) => this.#isValid(entry));
    return entries.sort((a, b) => Number(b.fee) / b.weight - Number(a.fee) / a.weight || a.receivedAt - b.receivedAt);
  }

  #isValid(entry: PoolTransaction): boolean {
    if (!this.#stale.has(entry.id)) return true;
    try {
      entry.newestMember = checkAgainstChain(this.#chain, entry);
    } catch (error) {
      if (error instanceof RejectedError) return false;
      throw error;
    }
    this.#stale.delete(entry.id);
    return true;
  }
}

export function keyImagesOf(parsed: ParsedTransaction): string[] {
  const images: string[] = [];
  for (const input of parsed.tx.inputs) if (input.type === 'key') images.push(bytesToHex(input.keyImage));
  return images;
}
