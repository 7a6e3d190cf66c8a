import {
  type BlocksFrom,
  isDaemonError,
  type PoolRequest,
  type PoolUpdate,
  type Untrusted,
  type UntrustedBlocks,
} from '../../daemon/index.ts';
import type { Height } from '../../protocol/index.ts';
import { type ReplyLayout, releaseResult, ScanError, type ScanResult } from '../../scan/index.ts';
import { WalletError } from '../errors.ts';
import type { WalletEvent } from '../state/events.ts';
import { DENSE_BLOCKS } from '../state/kept-blocks.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';
import { Channel } from './channel.ts';
import type { SyncContext, SyncDaemon } from './context.ts';
import { genesisIdOf } from './genesis.ts';
import { ImageFilter } from './image-filter.ts';
import { interpret } from './interpret.ts';
import { type Junction, joinReply, requireCommonBlock, shortHistory, stubsWorthKeeping, unknownEra } from './links.ts';
import { rewardOf } from './reward.ts';

/** Deepest reorganisation that is followed (ORPHANED_BLOCKS_MAX_COUNT, as in the reference). */
const MAX_REORG_DEPTH = 100;
/** Bytes of replies in flight above which no further download begins. */
const MAX_BYTES = 48 * 1024 * 1024;

/** Blocks of the first request; doubled after each quick reply: over a slow line a thousand would take long. */
const FIRST_BLOCKS = 100;
/** Fewest blocks of a request over a slow line. */
const FEWEST_BLOCKS = 10;
/** Milliseconds: a quicker reply is followed by a larger request, a slower one by a smaller. */
const QUICK = 20_000;
const SLOW = 60_000;
/** With more blocks than this, all scan workers are started. */
const MANY_BLOCKS = 100;

/** A downloaded reply on its way through the scan. */
interface Flight {
  /** Number of blocks of the daemon's chain. */
  readonly tip: Height;
  /** Number of blocks in the reply. A scan that returns fewer met an unknown era. */
  readonly blocks: number;
  readonly layout: ReplyLayout;
  /** Number of keys known to the scan. */
  readonly tableSize: number;
  readonly scanned: Promise<Untrusted<ScanResult>>;
}

/** A reply whose blocks follow each other and ours (T5). */
interface Joined {
  readonly scanned: ScanResult;
  readonly junction: Junction;
}

/** The part of the pool watch that travels with block requests. */
export interface PoolWithBlocks {
  /** Undefined if nothing is to be requested. */
  readonly request: PoolRequest | undefined;
  /** Undefined if the daemon does not support it. */
  take(news: Untrusted<PoolUpdate> | undefined): void;
  /** The reply exceeded its limit: the pool must be requested separately. */
  tooMuch(): void;
}

type BlocksAsked = BlocksFrom & { readonly maxBlockCount: number };

type Request = { readonly from: 'history' } | { readonly from: 'height'; readonly height: Height };

/** Receives the progress of a scan. */
export interface CatchUpListener {
  /** The daemon's claimed number of blocks. */
  onTip(height: Height): void;
  /** Blocks were applied. */
  onBlocks(count: number): void;
}

/**
 * Brings the wallet to the daemon's tip: replies are downloaded ahead, scanned in parallel, and applied in order, each as one `Synced`
 * event. Stopping anywhere loses at most what was not applied.
 */
export class CatchUp {
  readonly #deps: SyncContext;
  readonly #listener: CatchUpListener;
  readonly #blocksPerRequest: number;
  readonly #images = new ImageFilter();
  /** Number of keys in the scan pool; 0 before the first account was set. */
  #accountSize = 0;
  /** Generation of the key table used for the results. */
  #generation = 0;

  /** @param blocksPerRequest most blocks in one request */
  constructor(deps: SyncContext, listener: CatchUpListener, blocksPerRequest: number) {
    this.#deps = deps;
    this.#listener = listener;
    this.#blocksPerRequest = blocksPerRequest;
  }

  /** Looks for spends of every key image the wallet has now: some may have come from elsewhere than the scan. */
  learnImages(): void {
    for (const image of this.#deps.state.byKeyImage.keys()) this.#images.add(image);
  }

  /** @returns when the wallet has every block of the daemon. @throws WalletError, DaemonError, ScanError; `aborted` by the signal */
  async run(daemon: SyncDaemon, signal: AbortSignal, pool: PoolWithBlocks): Promise<void> {
    await this.#prepareTable();
    for (let strayed = 0; ; strayed++) {
      if ((await this.#runOnce(daemon, signal, pool)) === 'at-tip') return;
      // A fork while replies were downloaded ahead: ask again from what we know. Twice in a row is not a fork.
      if (strayed >= 2) throw new WalletError('broken-chain', 'expected replies that follow each other', {});
    }
  }

  async #runOnce(daemon: SyncDaemon, outer: AbortSignal, pool: PoolWithBlocks): Promise<'at-tip' | 'strayed'> {
    const stop = new AbortController();
    const signal = AbortSignal.any([outer, stop.signal]);
    const channel = new Channel<Flight>(this.#deps.scanPool.width + 1, MAX_BYTES);
    const producing = this.#download(daemon, channel, pool, signal).then(
      () => channel.end(),
      (error: unknown) => channel.end({ error }),
    );
    try {
      let first = true;
      for await (const flight of channel) {
        outer.throwIfAborted();
        if (!(await this.#apply(flight, first, signal))) return 'strayed';
        first = false;
      }
      outer.throwIfAborted();
      return 'at-tip';
    } finally {
      stop.abort();
      channel.end();
      await producing;
    }
  }

  /** Requests reply after reply, each scanned as it arrives. The first includes the pool. */
  async #download(daemon: SyncDaemon, channel: Channel<Flight>, pool: PoolWithBlocks, signal: AbortSignal): Promise<void> {
    let request: Request | undefined = await this.#firstRequest(daemon, signal);
    let most = Math.min(FIRST_BLOCKS, this.#blocksPerRequest);
    for (let first = true; request !== undefined; first = false) {
      await channel.waitForSpace();
      signal.throwIfAborted();
      const startedAt = this.#deps.clock.now();
      const blocksRequest = { ...this.#blocksFrom(request), maxBlockCount: most };
      const answer = await this.#ask(daemon, blocksRequest, first ? pool : undefined, signal);
      most = this.#nextMost(most, this.#deps.clock.now() - startedAt);
      const { startHeight, blocks, layout } = answer.outline;
      const tip = answer.tip.acceptUnverified('claimed-tip');
      this.#listener.onTip(tip);
      if (blocks === 0) return;
      const tableSize = this.#accountSize;
      const scanned = answer.derive((buffer) => this.#deps.scanPool.scan(buffer, signal, layout));
      scanned.catch(() => undefined);
      channel.push({ tip, blocks, layout, tableSize, scanned }, answer.byteLength);
      const next = startHeight + blocks;
      if (request.from === 'height' && next <= request.height)
        throw new WalletError('bad-daemon-answer', 'expected blocks from the height asked for on', {
          asked: request.height,
          got: startHeight,
        });
      request = next < tip ? { from: 'height', height: next } : undefined;
    }
  }

  /** @param took milliseconds of the last reply. Older daemons send up to 1,000 blocks in any case */
  #nextMost(most: number, took: number): number {
    if (took < QUICK) return Math.min(most * 2, this.#blocksPerRequest);
    return took < SLOW ? most : Math.min(most, Math.max(FEWEST_BLOCKS, most >> 1));
  }

  async #ask(
    daemon: SyncDaemon,
    blocks: BlocksAsked,
    pool: PoolWithBlocks | undefined,
    signal: AbortSignal,
  ): Promise<UntrustedBlocks> {
    const request = { ...blocks, prune: true, signal };
    if (pool?.request === undefined) return daemon.getBlocks(request);
    try {
      const answer = await daemon.getBlocks({ ...request, pool: pool.request });
      pool.take(answer.pool);
      return answer;
    } catch (error) {
      if (!isDaemonError(error, 'too-large')) throw error;
      pool.tooMuch();
      return daemon.getBlocks(request);
    }
  }

  async #firstRequest(daemon: SyncDaemon, signal: AbortSignal): Promise<Request | undefined> {
    const { state } = this.#deps;
    if (state.blocks.length > 0) return { from: 'history' };
    if (state.height === 0) {
      this.#deps.scanPool.warmUp();
      return { from: 'history' };
    }
    const { height } = (await daemon.getHeight({ signal })).acceptUnverified('claimed-tip');
    this.#listener.onTip(height);
    if (height - state.height > MANY_BLOCKS) this.#deps.scanPool.warmUp();
    return state.height < height ? { from: 'height', height: state.height } : undefined;
  }

  #blocksFrom(request: Request) {
    if (request.from === 'height') return { startHeight: request.height };
    return { blockIds: shortHistory(this.#deps.state.blocks, genesisIdOf(this.#deps.keys.network)) };
  }

  /** @returns false when the reply does not follow what was applied before it: the chain changed meanwhile */
  async #apply(flight: Flight, first: boolean, signal: AbortSignal): Promise<boolean> {
    const answer = await flight.scanned.catch(rejectUnknownEra);
    const joined = await answer.check((scanned) => this.#join(scanned, first, flight.tip));
    if (joined === undefined) return false;
    const { scanned, junction } = joined;
    if (junction.kind === 'forks') {
      await this.#deps.append([{ type: 'Rewound', height: junction.height, parent: junction.parent }], 'relaxed');
    }
    const fresh = scanned.blocks.length - junction.firstNew;
    if (fresh > 0) {
      await this.#deps.append([await this.#settle(scanned, flight, junction, signal)], 'relaxed');
      this.#listener.onBlocks(fresh);
    }
    if (scanned.blocks.length < flight.blocks) throw unknownEra();
    return true;
  }

  /** A reply that follows what we know, and where; undefined when the chain changed meanwhile. */
  async #join(scanned: ScanResult, first: boolean, tip: Height): Promise<Joined | undefined> {
    const { state } = this.#deps;
    try {
      if (first && state.blocks.length > 0) requireCommonBlock(scanned.blocks.at(0)!, state.blocks, tip);
      return { scanned, junction: joinReply(scanned.blocks, state.blocks, state.height, MAX_REORG_DEPTH) };
    } catch (error) {
      if (!(error instanceof WalletError)) throw error;
      if (error.code === 'broken-chain' && !first) return undefined;
      if (error.code !== 'reorg-too-deep' || !this.#knowsItsWholeChain()) throw error;
      // Everything since the restore height was rewound, and all of it is recent: begin there again.
      await this.#deps.append([{ type: 'RestoreHeightSet', height: state.description.restoreHeight }], 'relaxed');
      return undefined;
    }
  }

  #knowsItsWholeChain(): boolean {
    const { state } = this.#deps;
    return state.height - state.description.restoreHeight <= MAX_REORG_DEPTH;
  }

  /** Interprets a reply, and scans it again as long as new subaddresses enter the lookahead. */
  async #settle(first: ScanResult, flight: Flight, junction: Junction, signal: AbortSignal): Promise<WalletEvent> {
    const { state, keys, table, scanPool } = this.#deps;
    let scanned = first;
    let { tableSize } = flight;
    for (;;) {
      const wallet = { keys, state, images: this.#images, indexAt: (position: number) => table.indexAt(position) };
      const facts = await interpret(wallet, scanned, junction.firstNew, async () => {
        await yieldToEventLoop();
        signal.throwIfAborted();
      });
      await table.grow({ accounts: facts.accounts, lookahead: state.lookahead }, yieldToEventLoop);
      if (tableSize >= table.size) {
        const { blocks } = scanned;
        const [firstNew, last] = [blocks.at(junction.firstNew)!, blocks.at(-1)!];
        const stubs = stubsWorthKeeping(blocks, junction.firstNew, flight.tip, DENSE_BLOCKS);
        const reward = rewardOf(new Uint8Array(scanned.buffer), last);
        releaseResult(scanned);
        return {
          type: 'Synced',
          from: firstNew.height,
          to: last.height,
          blocks: stubs,
          outputs: facts.outputs,
          spends: facts.spends,
          used: facts.used,
          reward,
        };
      }
      await this.#sendTable();
      tableSize = this.#accountSize;
      scanned = await scanPool.scan(scanned.buffer, signal, flight.layout);
    }
  }

  async #prepareTable(): Promise<void> {
    const { table, state } = this.#deps;
    await table.grow(state, yieldToEventLoop);
    if (this.#accountSize !== table.size || this.#generation !== table.generation) await this.#sendTable();
  }

  async #sendTable(): Promise<void> {
    const { table, keys, scanPool } = this.#deps;
    const spendKeys = table.spendKeys();
    await scanPool.setAccount({ viewKey: keys.viewKey.slice(), spendKeys, network: keys.network });
    this.#accountSize = spendKeys.length / 32;
    this.#generation = table.generation;
  }
}

function rejectUnknownEra(error: unknown): never {
  throw error instanceof ScanError && error.code === 'unknown-version' ? unknownEra() : error;
}
