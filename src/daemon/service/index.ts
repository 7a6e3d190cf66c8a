import { type JsonInput, type JsonObject, type JsonValue, systemClock } from '../../base/index.ts';
import { systemRandom } from '../../crypto/random.ts';
import type { ConnectOptions, DaemonClientOptions } from '../client.ts';
import { DaemonError } from '../errors.ts';
import { DEFAULT_RETRY, decoded, RpcClient } from '../rpc-client.ts';
import { FetchTransport } from '../transport/fetch.ts';
import type { CallOptions } from '../types.ts';
import { Untrusted } from '../untrusted.ts';
import { type Call, snakeCased } from './call.ts';
import { readFields, underDaemonNames } from './fields.ts';
import * as path from './path-calls.ts';
import * as rpc from './rpc-calls.ts';
import { fromStorage, printable, toStorage } from './storage.ts';

/** How a call is asked: what it is given, and a signal that ends it. */
export type ServiceMethod<Given, Reply> = [Given] extends [undefined]
  ? (given?: undefined, options?: CallOptions) => Promise<Untrusted<Reply>>
  : undefined extends Given
    ? (given?: Given, options?: CallOptions) => Promise<Untrusted<Reply>>
    : (given: Given, options?: CallOptions) => Promise<Untrusted<Reply>>;

/**
 * Every call of a daemon's service (monerod's, of release 0.18 and those around it), one method each, for programs that run a node, mine,
 * or look at a chain. A wallet asks DaemonClient, which holds answers against questions.
 * Names are the daemon's, in camel case; integers up to 2^53 that count something are numbers, amounts and what may be larger are bigints,
 * and numbers that the daemon writes in two halves are one bigint. What a daemon leaves out, as old and restricted ones do, is empty.
 * Every reply has `untrusted` (the daemon asked another one), `credits` and `topHash`. All methods throw DaemonError: `bad-status` for a
 * status other than OK (`data.status`), `rpc-error` (`data.code`), `busy`, `restricted`, `payment-required`, `not-offered`, and those of the
 * way there. Calls that act are asked once, others again where that may help.
 *
 * @example
 * ```ts
 * import { DaemonService } from 'nightjar';
 *
 * const daemon = DaemonService.connect({ url: 'http://127.0.0.1:18081' });
 * const header = await daemon.getLastBlockHeader();
 * console.log(header.check(({ blockHeader }) => blockHeader.cumulativeDifficulty > 0n));
 * ```
 */
export class DaemonService {
  readonly #client: RpcClient;

  constructor(options: DaemonClientOptions) {
    const retry = { ...DEFAULT_RETRY, ...options.retry };
    this.#client = new RpcClient(options.transport, options.clock ?? systemClock, options.random ?? systemRandom, retry);
  }

  /** A client over `fetch`. Nothing is sent yet. @throws DaemonError `bad-url`, `mixed-content` */
  static connect(options: ConnectOptions): DaemonService {
    const clock = options.clock ?? systemClock;
    const random = options.random ?? systemRandom;
    return new DaemonService({ ...options, transport: new FetchTransport({ ...options, clock, random }) });
  }

  /** Number of blocks of its chain. */
  readonly getBlockCount = this.#method(rpc.GET_BLOCK_COUNT);
  /** Id of the block at a height. */
  readonly onGetBlockHash = this.#method(rpc.ON_GET_BLOCK_HASH);
  /** A block to mine on. */
  readonly getBlockTemplate = this.#method(rpc.GET_BLOCK_TEMPLATE);
  /** Hands in a mined block. A daemon that does not take it is `rpc-error` with code -7. `blockId` is empty before release 0.18.2. */
  readonly submitBlock = this.#method(rpc.SUBMIT_BLOCK);
  /** Mines blocks at once, on test chains of fixed difficulty. Ids, and the height of the last. */
  readonly generateBlocks = this.#method(rpc.GENERATEBLOCKS);
  /** Header of the newest block. */
  readonly getLastBlockHeader = this.#method(rpc.GET_LAST_BLOCK_HEADER);
  /** Headers by id: one by `hash`, several by `hashes`. */
  readonly getBlockHeaderByHash = this.#method(rpc.GET_BLOCK_HEADER_BY_HASH);
  /** Header of the block at a height. */
  readonly getBlockHeaderByHeight = this.#method(rpc.GET_BLOCK_HEADER_BY_HEIGHT);
  /** Headers from one height to another, both included. */
  readonly getBlockHeadersRange = this.#method(rpc.GET_BLOCK_HEADERS_RANGE);
  /** A block by height or id, with its header. */
  readonly getBlock = this.#method(rpc.GET_BLOCK);
  /** Peers that it is connected to. */
  readonly getConnections = this.#method(rpc.GET_CONNECTIONS);
  /** The daemon and its chain as a whole. */
  readonly getInfo = this.#method(rpc.GET_INFO);
  /** A version of the protocol, or the current one. */
  readonly hardForkInfo = this.#method(rpc.HARD_FORK_INFO);
  /** Bans hosts and networks, or ends bans. */
  readonly setBans = this.#method(rpc.SET_BANS);
  /** Who is banned, and for how many seconds. */
  readonly getBans = this.#method(rpc.GET_BANS);
  /** Whether a host is banned. */
  readonly banned = this.#method(rpc.BANNED);
  /** Throws transactions out of the pool; all where none is named. */
  readonly flushTxpool = this.#method(rpc.FLUSH_TXPOOL);
  /** How many outputs there are of each amount. */
  readonly getOutputHistogram = this.#method(rpc.GET_OUTPUT_HISTOGRAM);
  /** Version of the daemon's service: major above sixteen bits of minor. */
  readonly getVersion = this.#method(rpc.GET_VERSION);
  /** Coins and fees of a run of blocks. */
  readonly getCoinbaseTxSum = this.#method(rpc.GET_COINBASE_TX_SUM);
  /** Fees a byte of weight. */
  readonly getFeeEstimate = this.#method(rpc.GET_FEE_ESTIMATE);
  /** Branches that lost. */
  readonly getAlternateChains = this.#method(rpc.GET_ALTERNATE_CHAINS);
  /** Sends transactions of the pool to peers. */
  readonly relayTx = this.#method(rpc.RELAY_TX);
  /** How far it is behind its peers. */
  readonly syncInfo = this.#method(rpc.SYNC_INFO);
  /** What waits to be mined, by weight, fee and age. */
  readonly getTxpoolBacklog = this.#method(rpc.GET_TXPOOL_BACKLOG);
  /** How many outputs of an amount each block has. */
  readonly getOutputDistribution = this.#method(rpc.GET_OUTPUT_DISTRIBUTION);
  /** What a pool makes templates from. */
  readonly getMinerData = this.#method(rpc.GET_MINER_DATA);
  /** Prunes its chain, or says whether it is. */
  readonly pruneBlockchain = this.#method(rpc.PRUNE_BLOCKCHAIN);
  /** Proof of work of a block, 64 hex digits. */
  readonly calcPow = this.#method(rpc.CALC_POW);
  /** Forgets what it took for bad. */
  readonly flushCache = this.#method(rpc.FLUSH_CACHE);
  /** Puts the root of other chains into a template. */
  readonly addAuxPow = this.#method(rpc.ADD_AUX_POW);
  /** Ids of transactions that begin with some bits. */
  readonly getTxidsLoose = this.#method(rpc.GET_TXIDS_LOOSE);
  /** What a paying client may ask, and what its work is. */
  readonly rpcAccessInfo = this.#method(rpc.RPC_ACCESS_INFO);
  /** Hands in work as payment. */
  readonly rpcAccessSubmitNonce = this.#method(rpc.RPC_ACCESS_SUBMIT_NONCE);
  /** Pays for a call to somebody else's service. */
  readonly rpcAccessPay = this.#method(rpc.RPC_ACCESS_PAY);
  /** How often each call was answered, and for how many credits. */
  readonly rpcAccessTracking = this.#method(rpc.RPC_ACCESS_TRACKING);
  /** Balances of paying clients. */
  readonly rpcAccessData = this.#method(rpc.RPC_ACCESS_DATA);
  /** Balance of a paying client, changed by a number. */
  readonly rpcAccessAccount = this.#method(rpc.RPC_ACCESS_ACCOUNT);
  /** Number of blocks and id of the newest. */
  readonly getHeight = this.#method(path.GET_HEIGHT);
  /** As `getInfo`, by its old path. */
  readonly getInfoByPath = this.#method(path.GET_INFO_PATH);
  /** Transactions of the chain and the pool. */
  readonly getTransactions = this.#method(path.GET_TRANSACTIONS);
  /** Ids of blocks of branches that lost. */
  readonly getAltBlocksHashes = this.#method(path.GET_ALT_BLOCKS_HASHES);
  /** 0 unspent, 1 spent on the chain, 2 in the pool, in the order asked. */
  readonly isKeyImageSpent = this.#method(path.IS_KEY_IMAGE_SPENT);
  /** Hands in a transaction. A refusal is an answer: `status` is not OK, flags and `reason` say why. */
  readonly sendRawTransaction = this.#method(path.SEND_RAW_TRANSACTION);
  /** Outputs by amount and index. */
  readonly getOuts = this.#method(path.GET_OUTS);
  /** Has it mine to an address. */
  readonly startMining = this.#method(path.START_MINING);
  /** Has it stop. */
  readonly stopMining = this.#method(path.STOP_MINING);
  /** Whether it mines, and how fast. */
  readonly miningStatus = this.#method(path.MINING_STATUS_PATH);
  /** Has it write its chain to disk. */
  readonly saveBc = this.#method(path.SAVE_BC);
  /** Peers that it knows: `whiteList` answered lately, `grayList` did not. */
  readonly getPeerList = this.#method(path.GET_PEER_LIST);
  /** Peers that offer their service to everybody. */
  readonly getPublicNodes = this.#method(path.GET_PUBLIC_NODES);
  /** Whether it logs its hash rate. Not while it does not mine: `bad-status` with NOT MINING. */
  readonly setLogHashRate = this.#method(path.SET_LOG_HASH_RATE);
  /** Log level, 0 to 4. */
  readonly setLogLevel = this.#method(path.SET_LOG_LEVEL);
  /** Log categories; those in force then. */
  readonly setLogCategories = this.#method(path.SET_LOG_CATEGORIES);
  /** Whom it asks while it is behind. */
  readonly setBootstrapDaemon = this.#method(path.SET_BOOTSTRAP_DAEMON);
  /** All that waits to be mined, whole. */
  readonly getTransactionPool = this.#method(path.GET_TRANSACTION_POOL);
  /** Ids of all that waits. */
  readonly getTransactionPoolHashes = this.#method(path.GET_TRANSACTION_POOL_HASHES);
  /** As `getTransactionPoolHashes`, with raw bytes. */
  readonly getTransactionPoolHashesBin = this.#method(path.GET_TRANSACTION_POOL_HASHES_BIN);
  /** The pool in numbers. */
  readonly getTransactionPoolStats = this.#method(path.GET_TRANSACTION_POOL_STATS);
  /** Ends it. */
  readonly stopDaemon = this.#method(path.STOP_DAEMON);
  /** kB a second that it takes and gives. */
  readonly getLimit = this.#method(path.GET_LIMIT);
  /** Sets them: -1 for the default, 0 for as it is. */
  readonly setLimit = this.#method(path.SET_LIMIT);
  /** How many peers it calls at most. */
  readonly outPeers = this.#method(path.OUT_PEERS);
  /** How many peers may call at most. */
  readonly inPeers = this.#method(path.IN_PEERS);
  /** What came and went since it started. */
  readonly getNetStats = this.#method(path.GET_NET_STATS);
  /** Of daemons long gone; `not-offered` by others. */
  readonly startSaveGraph = this.#method(path.START_SAVE_GRAPH);
  /** Of daemons long gone; `not-offered` by others. */
  readonly stopSaveGraph = this.#method(path.STOP_SAVE_GRAPH);
  /** Whether there is a newer release, or fetches it. */
  readonly update = this.#method(path.UPDATE);
  /** Takes the newest blocks off. */
  readonly popBlocks = this.#method(path.POP_BLOCKS);
  /** Blocks with their transactions from a common ancestor or a height on, raw. */
  readonly getBlocksBin = this.#method(path.GET_BLOCKS_BIN);
  /** Blocks at heights, raw. */
  readonly getBlocksByHeightBin = this.#method(path.GET_BLOCKS_BY_HEIGHT_BIN);
  /** Ids of blocks from a common ancestor on. */
  readonly getHashesBin = this.#method(path.GET_HASHES_BIN);
  /** Indices of a transaction's outputs. */
  readonly getOIndexesBin = this.#method(path.GET_O_INDEXES_BIN);
  /** Outputs by amount and index. */
  readonly getOutsBin = this.#method(path.GET_OUTS_BIN);
  /** How many outputs of an amount each block has. */
  readonly getOutputDistributionBin = this.#method(path.GET_OUTPUT_DISTRIBUTION_BIN);

  /**
   * Any call by its name or an older one, with what it is given as the daemon wants it (bytes as hex digits), and its reply as it comes:
   * no field is read, a `status` other than OK is part of it. Bytes are hex digits.
   * @throws DaemonError `not-offered` for a name that no daemon knows
   */
  async askByName(name: string, given: JsonInput = {}, options: CallOptions = {}): Promise<Untrusted<JsonValue>> {
    const call = CALLS.get(name.replace(/^\//, ''));
    if (call === undefined) throw new DaemonError('not-offered', `there is no call "${name}"`);
    const reply = await this.#raw({ ...call, anyStatus: true }, given, options);
    return new Untrusted(call.kind === 'binary' || call.rawStrings === true ? printable(reply) : reply);
  }

  /**
   * A call by its name, as {@link askByName}, with its reply read and checked: what this client knows of it, under the daemon's names, bytes as
   * hex digits, and numbers of 128 bits whole.
   * @throws DaemonError `not-offered` for a name that no daemon knows; those of the methods
   */
  async readByName(name: string, given: JsonInput = {}, options: CallOptions = {}): Promise<Untrusted<JsonValue>> {
    const call = CALLS.get(name.replace(/^\//, ''));
    if (call === undefined) throw new DaemonError('not-offered', `there is no call "${name}"`);
    const reply = await this.#raw(call, given, options);
    if (call.fields === undefined) return new Untrusted(reply);
    const { fields } = call;
    const read = decoded(call.name, () => readFields(fields, reply as JsonObject));
    return new Untrusted(underDaemonNames(read, reply));
  }

  #method<G, R>(call: Call<G, R>): ServiceMethod<G, R> {
    const ask = async (given?: G, options: CallOptions = {}): Promise<Untrusted<R>> => {
      const reply = await this.#raw(call, snakeCased((given ?? {}) as JsonInput), options);
      if (call.fields === undefined) return new Untrusted(reply as R);
      const { fields } = call;
      return new Untrusted(decoded(call.name, () => readFields(fields, reply as { [name: string]: JsonValue })) as R);
    };
    return ask as ServiceMethod<G, R>;
  }

  async #raw(call: Call<unknown, unknown>, given: JsonInput, { signal }: CallOptions): Promise<JsonValue> {
    const { name, kind, fields, acts = false, maxBytes = 0, anyStatus = false, rawStrings = false } = call;
    const options = { signal, once: acts, maxBytes, anyStatus, rawStrings };
    if (fields === undefined) return this.#client.rpcText(name, given, options);
    if (kind === 'rpc') return this.#client.rpc(name, given, options, (reply) => reply);
    if (kind === 'path') return this.#client.path(`/${name}`, given, options, (reply) => reply);
    const request = toStorage(given as { readonly [name: string]: JsonInput });
    return this.#client.binary(`/${name}`, request, options, fromStorage);
  }
}

/** By name and older names. What is both a method and a path is asked as the method. */
const CALLS: ReadonlyMap<string, Call<unknown, unknown>> = new Map(
  [...Object.values(path), ...Object.values(rpc)].flatMap((call: Call<unknown, unknown>) =>
    [call.name, ...call.aliases].map((name) => [name, call] as const),
  ),
);
