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

/** A blocks reply: its bytes, with their layout, and what else came with them. */
export class UntrustedBlocks extends Untrusted<ArrayBuffer> {
  /** Counts from walking the bytes, checked against the request (T5). @internal */
  readonly outline: Omit<types.BlocksReplyOutline, 'currentHeight'>;
  readonly byteLength: number;
  /** Number of blocks of the daemon's chain. */
  readonly tip: Untrusted<Height>;
  /** Changes of the pool; undefined when they were not requested or the daemon does not send them with blocks. */
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
 * The daemon calls of a wallet. Every answer is well-formed, capped and checked against the request before it is returned; what it says
 * about the chain is {@link Untrusted} until it is checked against what the wallet knows. Calls are retried where that may help; all throw
 * DaemonError. Lists longer than a restricted daemon serves are split into several calls.
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

  // Fields rather than methods, so that an observer can replace one with its own function.
  /** Number of blocks of its chain, and the id of the last. */
  getHeight = this.#asking(chain.getHeight);
  /** Facts about the daemon and its chain. */
  getInfo = this.#asking(chain.getInfo);
  /** Its release, and when each protocol version begins. */
  getVersion = this.#asking(chain.getVersion);

  /**
   * Up to 1,000 blocks as raw portable storage, for the scan kernel. When requested by ids, the first block is the last common one; at the
   * tip the reply is empty and its start height 0. A start height at or above the chain's is `bad-status`.
   */
  async getBlocks(request: types.GetBlocksRequest): Promise<UntrustedBlocks> {
    const { buffer, outline, pool } = await getBlocks(this.#rpc, request);
    return new UntrustedBlocks(buffer, outline, pool);
  }

  /**
   * Only the pool, in the same form as with blocks; undefined when the daemon sends none. Only for a daemon that has sent it with blocks.
   */
  async getPoolNews(
    request: types.PoolRequest,
    options: types.CallOptions = {},
  ): Promise<Untrusted<types.PoolUpdate> | undefined> {
    const news = await getPoolNews(this.#rpc, request, options);
    return news && new Untrusted(news);
  }

  /** Whole blocks, unpruned, in the requested order. */
  getBlocksByHeight = this.#asking(chain.getBlocksByHeight);
  /** A header of its chain. */
  getBlockHeaderByHeight = this.#asking(chain.getBlockHeaderByHeight);
  /** Headers `from` … `to`, both included. */
  getBlockHeadersRange = this.#asking(chain.getBlockHeadersRange);
  /** Keys and commitments, in the requested order. Sort the request: its order must not show which output is ours (T2). */
  getOuts = this.#asking(outputs.getOuts);
  /** Number of outputs up to each block, from which decoys are drawn. */
  getOutputDistribution = this.#asking(outputs.getOutputDistribution);
  /** Number of outputs of an amount. */
  getOutputHistogram = this.#asking(outputs.getOutputHistogram);
  /** `graceBlocks`: blocks for which the fee should stay sufficient; the reference asks for 10. */
  getFeeEstimate = this.#asking(transactions.getFeeEstimate);
  /** Weights and fees of unconfirmed transactions. */
  getTxPoolBacklog = this.#asking(transactions.getTxPoolBacklog);
  /** Ids of unconfirmed transactions. */
  getPoolHashes = this.#asking(transactions.getPoolHashes);
  /** Requests 100 transactions in each call. Requesting only a few shows the daemon which are ours (T24). */
  getTransactions = this.#asking(transactions.getTransactions);
  /** Answers are in the requested order. The query shows the daemon which outputs are ours: only for trusted daemons (T24). */
  isKeyImageSpent = this.#asking(transactions.isKeyImageSpent);
  /** Sent once, never retried here. A refusal is an answer; no answer is an error, and the transaction may have arrived. */
  sendRawTransaction = this.#asking(transactions.sendRawTransaction);

  /** Starts mining. @throws DaemonError `bad-status` when it is mining already, or cannot */
  async startMining(request: mining.MiningRequest): Promise<void> {
    await mining.startMining(this.#rpc, request);
  }

  /** Stops mining. @throws DaemonError `bad-status` when it is not mining */
  async stopMining(options: types.CallOptions = {}): Promise<void> {
    await mining.stopMining(this.#rpc, options);
  }

  /** Wraps a call whose answer is untrusted. */
  #asking<Given extends readonly unknown[], T>(
    ask: (rpc: RpcClient, ...given: Given) => Promise<T>,
  ): (...given: Given) => Promise<Untrusted<T>> {
    return async (...given) => new Untrusted(await ask(this.#rpc, ...given));
  }
}
