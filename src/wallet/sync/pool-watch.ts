import { SerialQueue } from '../../base/index.ts';
import { DaemonError, type PoolUpdate, type TransactionEntry, type Untrusted } from '../../daemon/index.ts';
import { isProtocolError, parseTransaction, type Transaction, type TxHash } from '../../protocol/index.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';
import type { SyncContext, SyncDaemon } from './context.ts';
import { poolView, type SeenTransaction, sameView, seenTransaction } from './pool-view.ts';
import { transactionOfId } from './transaction-entry.ts';

/** Most transactions that a restricted daemon returns at once. */
const CHUNK = 100;
/** Milliseconds of work before yielding: a pool of 100 MB takes minutes. */
const TURN = 20;
/**
 * Most transactions and key images remembered of the pool. The largest pool of an honest daemon, 648 MB, has some 400,000 and a million.
 */
const MOST_KEPT = 2_000_000;

/** How a daemon reports its pool: with the blocks (release 0.18.3 and later), or as a list of ids. Known only after its first answer. */
type Dialect = 'unknown' | 'with-blocks' | 'by-ids';

/** An update without removed and added transactions. */
const BY_IDS = { time: 0n, extent: 'all', removed: [], added: [] } as const;

/**
 * Follows the daemon's pool. All unseen transactions are fetched, so that requests do not show what is ours (T24). A transaction that
 * leaves the pool stays in view until the blocks after that were scanned: it may be in one of them.
 */
export class PoolWatch {
  readonly #deps: SyncContext;
  readonly #mostKept: number;
  #dialect: Dialect = 'unknown';
  /** The daemon's time of the last update; 0 requests all. */
  #time = 0n;
  /** Pool updates that came with this round's blocks, applied once the blocks are scanned. */
  #news: Untrusted<PoolUpdate>[] = [];
  readonly #seen = new Map<TxHash, SeenTransaction | undefined>();
  /** Number of transactions and key images in `#seen`. */
  #count = 0;
  /** Time of the last yield to the event loop. */
  #turn = 0;
  /** Transactions of `#seen` that have left the pool. */
  readonly #left = new Set<TxHash>();
  /** Those that had left it when the blocks were requested. */
  #leftBefore: ReadonlySet<TxHash> = new Set();
  readonly #looks = new SerialQueue();
  /** The poll that begins after the running one. */
  #next: Promise<void> | undefined;

  /** @param mostKept most transactions and key images of one pool */
  constructor(deps: SyncContext, mostKept = MOST_KEPT) {
    this.#deps = deps;
    this.#mostKept = mostKept;
  }

  /** Whether a transaction was in the pool at the last poll. */
  has(txHash: TxHash): boolean {
    return this.#seen.has(txHash) && !this.#left.has(txHash);
  }

  /** Pool request to send with the block request; undefined for a daemon that does not support it. */
  get request(): { readonly since: bigint } | undefined {
    return this.#dialect === 'by-ids' ? undefined : { since: this.#time };
  }

  /** Call it before blocks are requested: what is not in the pool then is in one of them, or gone. */
  async begin(daemon: SyncDaemon, signal: AbortSignal): Promise<void> {
    this.#leftBefore = new Set(this.#left);
    this.#news = this.#dialect === 'by-ids' ? [await idsOf(daemon, signal)] : [];
  }

  /** @param news that came with the blocks; undefined when the daemon was asked and did not answer */
  take(news: Untrusted<PoolUpdate> | undefined): void {
    this.#dialect = news === undefined ? 'by-ids' : 'with-blocks';
    if (news !== undefined) this.#news.push(news);
  }

  /** The reply with blocks and pool exceeded its limit. */
  tooMuch(): void {
    this.#dialect = 'by-ids';
  }

  /** Applies what came with the blocks, now that they are scanned; polls the pool if nothing came. */
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

  /** Polls the pool, beginning after this call: a running poll may predate what the caller knows. Calls meanwhile share it. */
  poll(daemon: SyncDaemon, signal: AbortSignal): Promise<void> {
    this.#next ??= this.#looks.run(async () => {
      this.#next = undefined;
      await this.#takeIn(await this.#ask(daemon, signal), daemon, signal);
      this.#show();
    });
    return this.#next;
  }

  /** Forgets how the daemon reports its pool: there may be another one at the same address now. */
  reconnected(): void {
    this.#dialect = 'unknown';
    this.#time = 0n;
    this.#news = [];
  }

  /** Forgets everything, for another daemon; polls of the last one must be aborted by their signal. */
  async clear(): Promise<void> {
    await this.#looks.idle();
    this.#empty();
  }

  #empty(): void {
    this.reconnected();
    this.#seen.clear();
    this.#left.clear();
    this.#count = 0;
  }

  async #ask(daemon: SyncDaemon, signal: AbortSignal): Promise<Untrusted<PoolUpdate>> {
    if (this.#dialect === 'with-blocks') {
      const news = await daemon.getPoolNews({ since: this.#time }, { signal });
      if (news !== undefined) return news;
      this.#dialect = 'by-ids';
    }
    return idsOf(daemon, signal);
  }

  /** A lie here shows or hides unconfirmed transactions, and nothing more. @throws DaemonError `too-large` */
  async #takeIn(update: Untrusted<PoolUpdate>, daemon: SyncDaemon, signal: AbortSignal): Promise<void> {
    const news = update.acceptUnverified('pool');
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

  /** Removes what left the pool before the blocks were requested. */
  #forget(leftSince: ReadonlySet<TxHash>): void {
    for (const txHash of this.#left) {
      if (leftSince.has(txHash)) continue;
      this.#left.delete(txHash);
      this.#count -= sizeOf(this.#seen.get(txHash));
      this.#seen.delete(txHash);
    }
  }

  #leaveOut(present: ReadonlySet<TxHash>): void {
    for (const txHash of this.#seen.keys()) if (!present.has(txHash)) this.#left.add(txHash);
  }

  async #fetch(daemon: SyncDaemon, hashes: readonly TxHash[], signal: AbortSignal): Promise<void> {
    const answer = await daemon.getTransactions(hashes, { prune: true, signal });
    const requested = new Set(hashes);
    await answer.check(async ({ transactions }) => {
      for (const entry of transactions)
        if (entry.inPool && requested.has(entry.hash)) await this.#see(entry.hash, () => this.#read(entry), signal);
    });
  }

  /** Reads a transaction once. One that cannot be read is ignored until it is mined. */
  async #see(txHash: TxHash, read: () => SeenTransaction | undefined, signal: AbortSignal): Promise<void> {
    this.#left.delete(txHash);
    if (this.#seen.has(txHash)) return;
    const seen = readable(read);
    this.#seen.set(txHash, seen);
    this.#count += sizeOf(seen);
    if (this.#count > this.#mostKept) {
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
