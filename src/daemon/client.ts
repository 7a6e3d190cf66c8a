import { systemClock } from '../base/index.ts';
import { systemRandom } from '../crypto/random.ts';
import type { Height } from '../protocol/index.ts';
import { getBlocks, getPoolNews } from './calls/blocks.ts';
import * as chain from './calls/chain.ts';
import * as mining from './calls/mining.ts';
import * as outputs from './calls/outputs.ts';
import * as transactions from './calls/transactions.ts';
import { type DaemonClientOptions, RpcClient } from './rpc-client.ts';
import { FetchTransport, type FetchTransportOptions } from './transport/fetch.ts';
import type * as types from './types.ts';
import { Untrusted } from './untrusted.ts';

/** How to reach a daemon; the rest has defaults. */
export type ConnectOptions = Pick<FetchTransportOptions, 'url' | 'username' | 'password' | 'limits' | 'fetch'> &
  Omit<DaemonClientOptions, 'transport'>;

/** The options of a client over `fetch`. @throws DaemonError `bad-url`, `mixed-content` */
export function fetchClientOptions({
  clock = systemClock,
  random = systemRandom,
  ...options
}: ConnectOptions): DaemonClientOptions {
  return { ...options, clock, random, transport: new FetchTransport({ ...options, clock, random }) };
}

/** A blocks reply: its bytes, which say of themselves how they lie, and what else came with them. */
export class UntrustedBlocks extends Untrusted<ArrayBuffer> {
  /** Counts of the walk over the bytes, checked against the request (T5). @internal */
  readonly outline: Omit<types.BlocksReplyOutline, 'currentHeight'>;
  readonly byteLength: number;
  /** Number of blocks of the daemon's chain. */
  readonly tip: Untrusted<Height>;
  /** Changes of the pool; undefined when they were not asked for or the daemon does not send them with blocks. */
  readonly pool: Untrusted<types.PoolUpdate> | undefined;

  constructor(buffer: ArrayBuffer, { currentHeight, ...outline }: types.BlocksReplyOutline, pool?: types.PoolUpdate) {
    super(buffer);
    this.outline = outline;
    this.byteLength = buffer.byteLength;
    this.tip = new Untrusted(currentHeight);
    this.pool = pool && new Untrusted(pool);
  }
}

/**
 * A wallet's calls of a daemon. Every answer is well-formed, capped and checked against the question before it is returned; what it says of
 * the chain is {@link Untrusted} until it is held against what the wallet knows.
 * Calls are retried where another try may help; all throw DaemonError. Lists longer than a restricted daemon serves
 * are asked for in several calls.
 */
export class DaemonClient {
  readonly #rpc: RpcClient;

  /** @internal */
  constructor(options: DaemonClientOptions) {
    this.#rpc = new RpcClient(options);
  }

  /** A client over `fetch`. Nothing is sent yet. @throws DaemonError `bad-url`, `mixed-content` */
  static connect(options: ConnectOptions): DaemonClient {
    return new DaemonClient(fetchClientOptions(options));
  }

  // Fields, so that an observer may replace one with a function of its own.
  /** Number of blocks of its chain, and the id of the last. */
  getHeight = this.#asking(chain.getHeight);
  /** Facts about itself and its chain. */
  getInfo = this.#asking(chain.getInfo);
  /** Its release, and when each protocol version begins. */
  getVersion = this.#asking(chain.getVersion);

  /**
   * Up to 1,000 blocks as raw portable storage, for the scan kernel. The first block is the last common one when asked by ids;
   * at the tip the reply is empty and its start height 0. A start height at or above the chain's is `bad-status`.
   */
  async getBlocks(request: types.GetBlocksRequest): Promise<UntrustedBlocks> {
    const { buffer, outline, pool } = await getBlocks(this.#rpc, request);
    return new UntrustedBlocks(buffer, outline, pool);
  }

  /** The pool alone, in the words it has beside blocks; undefined when it tells nothing. Only for a daemon that has told it with blocks. */
  async getPoolNews(
    request: types.PoolRequest,
    options: types.CallOptions = {},
  ): Promise<Untrusted<types.PoolUpdate> | undefined> {
    const news = await getPoolNews(this.#rpc, request, options);
    return news && new Untrusted(news);
  }

  /** Whole blocks, unpruned, in the order asked. */
  getBlocksByHeight = this.#asking(chain.getBlocksByHeight);
  /** One header of its chain. */
  getBlockHeaderByHeight = this.#asking(chain.getBlockHeaderByHeight);
  /** Headers `from` … `to`, both included. */
  getBlockHeadersRange = this.#asking(chain.getBlockHeadersRange);
  /** Keys and commitments, in the order asked. Sort what you ask: the order must not tell which one is ours (T2). */
  getOuts = this.#asking(outputs.getOuts);
  /** How many outputs there were up to each block: what decoys are drawn from. */
  getOutputDistribution = this.#asking(outputs.getOutputDistribution);
  /** How many outputs there are of an amount. */
  getOutputHistogram = this.#asking(outputs.getOutputHistogram);
  /** `graceBlocks`: blocks for which the fee should stay sufficient; the reference asks for 10. */
  getFeeEstimate = this.#asking(transactions.getFeeEstimate);
  /** Weights and fees of what waits to be mined. */
  getTxPoolBacklog = this.#asking(transactions.getTxPoolBacklog);
  /** Ids of what waits to be mined. */
  getPoolHashes = this.#asking(transactions.getPoolHashes);
  /** Asks for 100 transactions a call. Asking for a few shows the daemon which are ours (T24). */
  getTransactions = this.#asking(transactions.getTransactions);
  /** Answers come in the order asked. The question shows the daemon which outputs are ours: only for trusted daemons (T24). */
  isKeyImageSpent = this.#asking(transactions.isKeyImageSpent);
  /** Sent once, never retried here. A refusal is an answer; no answer is an error, and the transaction may have arrived. */
  sendRawTransaction = this.#asking(transactions.sendRawTransaction);

  /** Has the daemon mine. @throws DaemonError `bad-status` when it mines already, or cannot */
  async startMining(request: mining.MiningRequest): Promise<void> {
    await mining.startMining(this.#rpc, request);
  }

  /** Ends its mining. @throws DaemonError `bad-status` when it does not mine */
  async stopMining(options: types.CallOptions = {}): Promise<void> {
    await mining.stopMining(this.#rpc, options);
  }

  /** A call whose answer is not believed yet. */
  #asking<Given extends readonly unknown[], T>(
    ask: (rpc: RpcClient, ...given: Given) => Promise<T>,
  ): (...given: Given) => Promise<Untrusted<T>> {
    return async (...given) => new Untrusted(await ask(this.#rpc, ...given));
  }
}
