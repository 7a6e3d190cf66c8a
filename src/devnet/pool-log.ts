import { byStoredId, type PoolTransaction } from './pool-entry.ts';

/** Changes of the pool since a time, or the whole pool if they are no longer known. */
export interface PoolChanges {
  readonly extent: 'all' | 'changes';
  readonly added: readonly PoolTransaction[];
  readonly removed: readonly string[];
}

/** Most removals remembered. */
const MAX_REMOVED = 20_000;

/** When transactions entered and left the pool, for callers who ask for changes since their last query. In memory only. */
export class PoolLog {
  readonly #now: () => number;
  /** Time of arrival of each transaction in the pool, unix seconds; and of the first one ever, 0 before. */
  readonly #addedAt = new Map<string, number>();
  #firstAdded = 0;
  /** Removed transactions, oldest first, complete from `#removedSince` on, which is 0 before the first. */
  #removed: { readonly id: string; readonly at: number; readonly isPrivate: boolean }[] = [];
  #removedSince = 0;

  /** @param now the clock, in unix seconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A transaction entered the pool, or is relayed from now on. */
  added(id: string): void {
    const now = this.#now();
    this.#addedAt.set(id, now);
    this.#firstAdded ||= now;
  }

  /** A transaction left. */
  removed({ id, doNotRelay }: PoolTransaction): void {
    if (!this.#addedAt.delete(id)) return;
    const at = this.#now();
    this.#removed.push({ id, at, isPrivate: doNotRelay });
    this.#removedSince ||= at;
    if (this.#removed.length <= MAX_REMOVED) return;
    this.#removed = this.#removed.slice(MAX_REMOVED / 4);
    this.#removedSince = this.#removed[0]!.at;
  }

  /** The pool is read again: nothing in it counts as arrived. */
  clear(): void {
    this.#addedAt.clear();
  }

  /**
   * Additions and removals since a time (`get_pool_info`, tx_pool.cpp): the whole pool for time 0, and before the first addition and
   * removal.
   * @param waiting transactions of the pool that may be shown
   * @param since unix seconds
   * @param restricted omits removals of transactions that were not relayed
   */
  since(waiting: PoolTransaction[], since: number, restricted: boolean): PoolChanges {
    const known = since > 0 && this.#firstAdded > 0 && this.#removedSince > 0;
    if (!known || since <= this.#firstAdded || since <= this.#removedSince)
      return { extent: 'all', added: waiting.sort(byStoredId), removed: [] };
    const added = waiting.filter(({ id }) => this.#addedAt.get(id)! >= since);
    const removed = this.#removed.filter(({ at, isPrivate }) => at >= since && !(restricted && isPrivate)).map(({ id }) => id);
    return { extent: 'changes', added, removed };
  }
}
