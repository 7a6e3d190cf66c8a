import { hexToBytes } from '../base/index.ts';
import type { Chain } from './chain.ts';
import { checkAgainstChain, checkParsing, checkPoolPolicy, checkSanity, checkSemantics, newestMember } from './consensus.ts';
import { RejectedError } from './errors.ts';
import { keyImagesOf, type ParsedTransaction } from './parsed.ts';
import { byFee, byStoredId, decodeEntry, encodeEntry, type PoolTransaction, placeOf } from './pool-entry.ts';
import { type PoolChanges, PoolLog } from './pool-log.ts';
import type { Database, Table } from './store/database.ts';

/** `do_not_relay` and `do_sanity_checks` of send_raw_transaction. */
export interface SubmitOptions {
  readonly doNotRelay: boolean;
  readonly sanityChecks: boolean;
}

/** Deviations of the pool from the reference's. */
export interface PoolOptions {
  /** Most weight of all transactions together: beyond it, those with the lowest fee per weight are dropped. */
  readonly maxPoolWeight?: number | undefined;
  /** Accepts unlock times, as releases before 0.18.5 did. */
  readonly allowUnlockTimes?: boolean | undefined;
}

/** Seconds that a transaction may wait, and one that returned from a block. */
const LIFETIME = 3 * 86_400;
const LIFETIME_FROM_BLOCK = 7 * 86_400;
/** Most weight of the pool, the reference's default. */
const DEFAULT_MAX_POOL_WEIGHT = 648_000_000;

/** Unconfirmed transactions. Each has passed the checks against the chain at its arrival. They are stored in the database and in memory. */
export class Pool {
  readonly #chain: Chain;
  readonly #database: Database;
  readonly #table: Table;
  readonly #now: () => number;
  readonly #maxWeight: number;
  readonly #allowUnlockTimes: boolean;
  readonly #log: PoolLog;
  readonly #transactions = new Map<string, PoolTransaction>();
  readonly #keyImages = new Map<string, string>();
  /**
   * Transactions that need no check before they are mined, because the chain has not changed below them since the last check: heights of
   * their newest ring members.
   */
  readonly #checked = new Map<string, number>();
  /** Ids of transactions that waited too long: they are not accepted again while this runs. */
  readonly #timedOut = new Set<string>();
  #nextPlace = 0;
  /** Whether there are changes that the database has not committed yet. */
  #isUnsettled = false;

  /** @param now the clock, in unix seconds */
  constructor(chain: Chain, now: () => number, database: Database, options: PoolOptions) {
    this.#chain = chain;
    this.#now = now;
    this.#log = new PoolLog(now);
    this.#database = database;
    this.#table = database.table('pool');
    this.#maxWeight = options.maxPoolWeight ?? DEFAULT_MAX_POOL_WEIGHT;
    this.#allowUnlockTimes = options.allowUnlockTimes ?? false;
    this.#read();
  }

  /** Marks the current content as committed to the database. */
  settle(): void {
    this.#isUnsettled = false;
  }

  /** Reads the stored pool again, after a transaction that was rolled back. */
  refresh(): void {
    if (!this.#isUnsettled) return;
    for (const known of [this.#transactions, this.#keyImages, this.#checked, this.#log]) known.clear();
    this.#read();
    this.#isUnsettled = false;
  }

  /** All transactions are checked again before they are mined. */
  #read(): void {
    const entries = Array.from(this.#table.range(), ({ value }) => decodeEntry(value, this.#chain)).sort(
      (a, b) => a.place - b.place,
    );
    for (const entry of entries) this.#hold(entry);
    this.#nextPlace = (entries.at(-1)?.place ?? -1) + 1;
  }

  /** Makes changes in one transaction of the database. */
  #change(run: () => void): void {
    this.#isUnsettled = true;
    try {
      this.#database.transaction(run);
    } catch (error) {
      this.refresh();
      throw error;
    }
  }

  /** All transactions in order of arrival, including those that are not relayed. */
  get all(): PoolTransaction[] {
    return [...this.#transactions.values()];
  }

  /** The relayed transactions in order of arrival. */
  get visible(): PoolTransaction[] {
    return [...this.#transactions.values()].filter((entry) => !entry.doNotRelay);
  }

  /** Changes since a time, in unix seconds. @param restricted omits transactions that are not relayed */
  changesSince(since: number, restricted: boolean): PoolChanges {
    return this.#log.since(restricted ? this.visible : this.all, since, restricted);
  }

  /** Relays a transaction that was not relayed. */
  relay(entry: PoolTransaction): void {
    this.#change(() => {
      entry.doNotRelay = false;
      this.#keep(entry);
      this.#log.added(entry.id);
    });
  }

  #keep(entry: PoolTransaction): void {
    this.#table.put(hexToBytes(entry.id), encodeEntry(entry));
  }

  /** By id, 64 hex digits. */
  get(id: string): PoolTransaction | undefined {
    return this.#transactions.get(id);
  }

  /** The transaction in the pool that spends a key image (64 hex digits). */
  spenderOf(keyImage: string): PoolTransaction | undefined {
    const id = this.#keyImages.get(keyImage);
    return id === undefined ? undefined : this.#transactions.get(id);
  }

  /**
   * Adds a transaction, or rejects it. One that is in the pool or the chain already is accepted again, as by nodes.
   * @returns whether it is new
   * @throws RejectedError
   */
  submit(parsed: ParsedTransaction, options: SubmitOptions): boolean {
    checkParsing(parsed);
    if (options.sanityChecks) checkSanity(this.#chain, parsed);
    // A transaction that is not relayed stays so until `relay`.
    if (this.#transactions.has(parsed.id) || this.#chain.transaction(parsed.id) !== undefined) return false;
    if (this.#timedOut.has(parsed.id)) throw new RejectedError('timed-out', 'expected a transaction that has not waited in vain');
    // Cheap checks come first, as in the reference.
    checkPoolPolicy(this.#chain, parsed, this.#allowUnlockTimes);
    this.#refuseDoubleSpend(parsed);
    checkSemantics(parsed);
    const newest = checkAgainstChain(this.#chain, parsed);
    this.#change(() => {
      this.#add(parsed, options.doNotRelay, false, newest);
      this.#checked.set(parsed.id, newest);
      this.tidy();
    });
    return true;
  }

  #refuseDoubleSpend(parsed: ParsedTransaction): void {
    for (const image of keyImagesOf(parsed)) {
      const spender = this.spenderOf(image);
      if (spender === undefined) continue;
      if (!spender.doubleSpendSeen)
        this.#change(() => {
          spender.doubleSpendSeen = true;
          this.#keep(spender);
        });
      throw new RejectedError('pool-double-spend', 'expected key images that no transaction in the pool spends');
    }
  }

  #add(parsed: ParsedTransaction, doNotRelay: boolean, fromBlock: boolean, newest: number): void {
    const { id, blob, tx, prunedLength, weight, fee } = parsed;
    const entry: PoolTransaction = {
      ...{ id, blob, tx, prunedLength, weight, fee, doNotRelay, fromBlock, newest: placeOf(this.#chain, newest) },
      receivedAt: this.#now(),
      place: this.#nextPlace++,
      doubleSpendSeen: false,
      failedAt: undefined,
    };
    this.#keep(entry);
    this.#hold(entry);
  }

  #hold(entry: PoolTransaction): void {
    this.#transactions.set(entry.id, entry);
    for (const image of keyImagesOf(entry)) this.#keyImages.set(image, entry.id);
    this.#log.added(entry.id);
  }

  /** Adds a transaction of a removed block without a check; it is checked before it is mined. */
  takeBack(parsed: ParsedTransaction): void {
    if (this.#transactions.has(parsed.id)) return;
    if (keyImagesOf(parsed).some((image) => this.#keyImages.has(image))) return;
    this.#change(() => this.#add(parsed, false, true, newestMember(this.#chain, parsed)));
  }

  /** After a block: removes its transactions, and those that spend the same key images. */
  removeMined(transactions: readonly ParsedTransaction[]): void {
    const left = transactions.flatMap((parsed) => [
      parsed.id,
      ...keyImagesOf(parsed).flatMap((image) => this.#keyImages.get(image) ?? []),
    ]);
    this.removeAll(left);
  }

  /** Drops transactions that have waited too long and, if the pool is too heavy, those with the lowest fee per weight. */
  tidy(): void {
    const now = this.#now();
    const isOver = (entry: PoolTransaction): boolean =>
      now - entry.receivedAt > (entry.fromBlock ? LIFETIME_FROM_BLOCK : LIFETIME);
    const left = this.all.filter(isOver);
    for (const { id } of left) this.#timedOut.add(id);
    const rest = this.all.filter((entry) => !isOver(entry));
    let weight = rest.reduce((sum, entry) => sum + entry.weight, 0);
    // The one with the best fee stays, whatever its weight.
    for (const entry of weight > this.#maxWeight ? rest.sort(byFee).slice(1).reverse() : []) {
      if (weight <= this.#maxWeight) break;
      if (entry.fromBlock) continue;
      left.push(entry);
      weight -= entry.weight;
    }
    this.removeAll(left.map(({ id }) => id));
  }

  /** Removes transactions by id, 64 hex digits; unknown ids are ignored. */
  removeAll(ids: readonly string[]): void {
    const known = ids.filter((id) => this.#transactions.has(id));
    if (known.length > 0)
      this.#change(() => {
        for (const id of known) this.#remove(id);
      });
  }

  #remove(id: string): void {
    const entry = this.#transactions.get(id);
    if (entry === undefined) return;
    this.#table.delete(hexToBytes(id));
    this.#transactions.delete(id);
    this.#checked.delete(id);
    this.#log.removed(entry);
    for (const image of keyImagesOf(entry)) this.#keyImages.delete(image);
  }

  /** Removes all transactions, in the reference's order, which those who ask for changes see. */
  clear(): void {
    this.removeAll(this.all.sort(byStoredId).map(({ id }) => id));
  }

  /** After blocks were removed: all transactions must be checked again. */
  distrustAll(): void {
    this.#checked.clear();
  }

  /** The transactions that can be mined now, the best fee per weight first. */
  ready(): PoolTransaction[] {
    return this.all.filter((entry) => this.#checkedNewest(entry) !== undefined).sort(byFee);
  }

  /** As `ready`, and stores the result of each check for later queries (tx_pool.cpp, fill_block_template). */
  readyForTemplate(): PoolTransaction[] {
    const top = placeOf(this.#chain, this.#chain.height - 1);
    const valid = this.all.filter((entry) => {
      const newest = this.#checkedNewest(entry);
      if (newest !== undefined) entry.newest = placeOf(this.#chain, newest);
      else {
        entry.newest = { height: newestMember(this.#chain, entry), id: entry.newest.id };
        entry.failedAt = top;
      }
      return newest !== undefined;
    });
    return valid.sort(byFee);
  }

  /** Height of the newest ring member; undefined for one that cannot be mined now. */
  #checkedNewest(entry: PoolTransaction): number | undefined {
    const known = this.#checked.get(entry.id);
    if (known !== undefined) return known;
    try {
      const newest = checkAgainstChain(this.#chain, entry);
      this.#checked.set(entry.id, newest);
      return newest;
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error;
      return undefined;
    }
  }
}
