import { SerialQueue } from '../../base/index.ts';
import { DaemonError, type PoolUpdate, type TransactionEntry, type Untrusted } from '../../daemon/index.ts';
import { isProtocolError, parseTransaction, type Transaction, type TxHash } from '../../protocol/index.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';
import type { SyncContext, SyncDaemon } from './context.ts';
import { poolView, type SeenTransaction, sameView, seenTransaction } from './pool-view.ts';
import { transactionOfId } from './transaction-entry.ts';

/** Transactions a restricted daemon gives at once. */
const CHUNK = 100;
/** Milliseconds of work after which others have their turn: a pool of 100 MB takes minutes. */
const TURN = 20;
/**
 * Transactions and key images that are kept of the pool. The largest pool of an honest daemon, 648 MB, has some 400,000 and a million.
 */
const MOST_KEPT = 2_000_000;

/**
 * How a daemon tells of its pool: with the blocks (release 0.18.3 and later), or by a list of ids to ask for. What it does is not known before it
 * has answered.
 */
type Dialect = 'unknown' | 'with-blocks' | 'by-ids';

/** Nothing left it by name, nothing came in bytes. */
const BY_IDS = { time: 0n, extent: 'all', removed: [], added: [] } as const;

/**
 * Follows the daemon's pool. Unseen transactions are fetched all, so that what is asked does not tell what is ours (T24). What leaves the pool
 * stays in view until the blocks were looked at after it left: it may be in one of them.
 */
export class PoolWatch {
  readonly #deps: SyncContext;
  readonly #mostKept: number;
  #dialect: Dialect = 'unknown';
  /** The daemon's time of the news taken in last; 0: ask for all. */
  #time = 0n;
  /** Pool news that came with this round's blocks, applied once the blocks are known. */
  #news: Untrusted<PoolUpdate>[] = [];
  readonly #seen = new Map<TxHash, SeenTransaction | undefined>();
  /** Transactions and key images in `#seen`. */
  #kept = 0;
  /** Time of the last yield to the event loop. */
  #turn = 0;
  /** Transactions of `#seen` that have left the pool. */
  readonly #left = new Set<TxHash>();
  /** Those that had left it when the blocks were asked for. */
  #leftBefore: ReadonlySet<TxHash> = new Set();
  readonly #looks = new SerialQueue();
  /** The one that begins after the look under way. */
  #next: Promise<void> | undefined;

  /** @param mostKept transactions and key images that one pool may have */
  constructor(deps: SyncContext, mostKept = MOST_KEPT) {
    this.#deps = deps;
    this.#mostKept = mostKept;
  }

  /** Whether a transaction is in the pool, as of the last look. */
  has(txHash: TxHash): boolean {
    return this.#seen.has(txHash) && !this.#left.has(txHash);
  }

  /** Pool request to send with the blocks' request; undefined for a daemon that does not support it. */
  get asked(): { readonly since: bigint } | undefined {
    return this.#dialect === 'by-ids' ? undefined : { since: this.#time };
  }

  /** To be called before the blocks are asked for: what is not in the pool then is in one of them, or gone. */
  async begin(daemon: SyncDaemon, signal: AbortSignal): Promise<void> {
    this.#leftBefore = new Set(this.#left);
    this.#news = this.#dialect === 'by-ids' ? [await idsOf(daemon, signal)] : [];
  }

  /** @param news that came with the blocks; undefined when the daemon was asked and did not answer */
  take(news: Untrusted<PoolUpdate> | undefined): void {
    this.#dialect = news === undefined ? 'by-ids' : 'with-blocks';
    if (news !== undefined) this.#news.push(news);
  }

  /** The pool with the blocks was more than a reply may hold. */
  tooMuch(): void {
    this.#dialect = 'by-ids';
  }

  /** Takes in what came with the blocks, which are known now; looks by itself where nothing came. */
  settle(daemon: SyncDaemon, signal: AbortSignal): Promise<void> {
    const news = this.#news;
    this.#news = [];
    return this.#looks.run(async () => {
      const leftSince = new Set([...this.#left].filter((txHash) => !this.#leftBefore.has(txHash)));
      for (const one of news) await this.#takeIn(one, daemon, signal);
      this.#forget(leftSince);
      if (news.length === 0) await this.#takeIn(await this.#ask(daemon, signal), daemon, signal);
      this.#show();
    });
  }

  /** One look at the pool, begun after the call: one under way may be from before what the caller knows of. Who asks meanwhile shares it. */
  poll(daemon: SyncDaemon, signal: AbortSignal): Promise<void> {
    this.#next ??= this.#looks.run(async () => {
      this.#next = undefined;
      await this.#takeIn(await this.#ask(daemon, signal), daemon, signal);
      this.#show();
    });
    return this.#next;
  }

  /** Forgets how the daemon speaks: behind the same address there may be another one now. */
  reconnected(): void {
    this.#dialect = 'unknown';
    this.#time = 0n;
    this.#news = [];
  }

  /** Forgets all, for a daemon that is another one; looks at the one before are to be ended by their signal. */
  async clear(): Promise<void> {
    await this.#looks.idle();
    this.#empty();
  }

  #empty(): void {
    this.reconnected();
    this.#seen.clear();
    this.#left.clear();
    this.#kept = 0;
  }

  async #ask(daemon: SyncDaemon, signal: AbortSignal): Promise<Untrusted<PoolUpdate>> {
    if (this.#dialect === 'with-blocks') {
      const news = await daemon.getPoolNews({ since: this.#time }, { signal });
      if (news !== undefined) return news;
      this.#dialect = 'by-ids';
    }
    return idsOf(daemon, signal);
  }

  /** A lie here shows or hides what is not mined yet, and no more. @throws DaemonError `too-large` */
  async #takeIn(told: Untrusted<PoolUpdate>, daemon: SyncDaemon, signal: AbortSignal): Promise<void> {
    const news = told.acceptUnverified('pool');
    for (const txHash of news.removed) if (this.#seen.has(txHash)) this.#left.add(txHash);
    for (const { hash, pruned, doubleSpendSeen } of news.added) {
      await this.#see(hash, () => this.#look(parseTransaction(pruned, { pruned: true }), doubleSpendSeen), signal);
    }
    const unseen = news.named.filter((hash) => !this.#seen.has(hash));
    for (let i = 0; i < unseen.length; i += CHUNK) await this.#fetch(daemon, unseen.slice(i, i + CHUNK), signal);
    for (const hash of news.named) this.#left.delete(hash);
    if (news.extent === 'all') this.#leaveOut(new Set([...news.added.map(({ hash }) => hash), ...news.named]));
    this.#time = news.time;
  }

  /** Lets go of what left the pool before the blocks were looked at. */
  #forget(leftSince: ReadonlySet<TxHash>): void {
    for (const txHash of this.#left) {
      if (leftSince.has(txHash)) continue;
      this.#left.delete(txHash);
      this.#kept -= sizeOf(this.#seen.get(txHash));
      this.#seen.delete(txHash);
    }
  }

  #leaveOut(present: ReadonlySet<TxHash>): void {
    for (const txHash of this.#seen.keys()) if (!present.has(txHash)) this.#left.add(txHash);
  }

  async #fetch(daemon: SyncDaemon, hashes: readonly TxHash[], signal: AbortSignal): Promise<void> {
    const answer = await daemon.getTransactions(hashes, { prune: true, signal });
    const asked = new Set(hashes);
    await answer.check(async ({ transactions }) => {
      for (const entry of transactions)
        if (entry.inPool && asked.has(entry.hash)) await this.#see(entry.hash, () => this.#read(entry), signal);
    });
  }

  /** A transaction is looked at once. What nobody can read means nothing to us until a block has it. */
  async #see(txHash: TxHash, read: () => SeenTransaction | undefined, signal: AbortSignal): Promise<void> {
    this.#left.delete(txHash);
    if (this.#seen.has(txHash)) return;
    const seen = readable(read);
    this.#seen.set(txHash, seen);
    this.#kept += sizeOf(seen);
    if (this.#kept > this.#mostKept) {
      this.#empty();
      throw new DaemonError('too-large', 'expected no more in the pool than one can hold', { limit: this.#mostKept });
    }
    await this.#letOthers(signal);
  }

  async #letOthers(signal: AbortSignal): Promise<void> {
    if (performance.now() - this.#turn < TURN) return;
    await yieldToEventLoop();
    signal.throwIfAborted();
    this.#turn = performance.now();
  }

  #read(entry: TransactionEntry): SeenTransaction | undefined {
    const tx = transactionOfId(entry);
    return tx && this.#look(tx, entry.doubleSpendSeen);
  }

  #look(tx: Transaction, doubleSpendSeen: boolean): SeenTransaction {
    return seenTransaction(this.#deps, tx, doubleSpendSeen);
  }

  #show(): void {
    const { state, showPool } = this.#deps;
    const view = poolView(state, this.#seen);
    if (!sameView(view, state.pool)) showPool(view);
  }
}

function readable(read: () => SeenTransaction | undefined): SeenTransaction | undefined {
  try {
    return read();
  } catch (error) {
    if (!isProtocolError(error)) throw error;
    return undefined;
  }
}

const sizeOf = (seen: SeenTransaction | undefined): number => 1 + (seen?.images.length ?? 0);

async function idsOf(daemon: SyncDaemon, signal: AbortSignal): Promise<Untrusted<PoolUpdate>> {
  return (await daemon.getPoolHashes({ signal })).derive((named) => ({ ...BY_IDS, named }));
}
