import { type Log, messageOf } from '../base/index.ts';
import { isProtocolError } from '../protocol/index.ts';
import type { Chain } from './chain.ts';
import { RejectedError } from './errors.ts';
import type { DevnetNode } from './node.ts';
import { parseWholeBlock } from './parsed.ts';

/** State of another daemon's chain, as it claims. */
export interface NeighbourState {
  /** As in `get_info`: `fakechain`, `testnet`, `stagenet`. */
  readonly nettype: string;
  readonly topId: string;
  /** Number of blocks. */
  readonly height: number;
  readonly cumulativeDifficulty: bigint;
}

/** Bytes of a block and of its transactions. */
export interface WholeBlock {
  readonly blob: Uint8Array;
  readonly transactions: readonly Uint8Array[];
}

/** Another daemon, queried over its RPC. Every method rejects when it cannot be reached or gives a wrong answer. */
export interface Neighbour {
  /** Name for the log, without login. */
  readonly name: string;
  state(): Promise<NeighbourState>;
  /** Blocks from the newest known one of these on, inclusive, as many as it sends at once. */
  blocksFrom(ids: readonly string[]): Promise<readonly WholeBlock[]>;
  /** Ids of its chain from the newest known one of these on, inclusive, as many as it sends at once; and that one's height. */
  idsFrom(ids: readonly string[]): Promise<{ readonly height: number; readonly ids: readonly string[] }>;
  poolIds(): Promise<readonly string[]>;
  /** Transactions of its pool; missing ones are left out. */
  transactions(ids: readonly string[]): Promise<readonly Uint8Array[]>;
  giveTransaction(blob: Uint8Array): Promise<void>;
  giveBlock(blob: Uint8Array): Promise<void>;
}

/** Milliseconds between two rounds. */
const PERIOD = 500;
/** Most ids of refused or submitted transactions remembered: none of them is requested or sent again. */
const MAX_REMEMBERED = 20_000;
const TRANSACTIONS_AT_ONCE = 100;

/** Ids of the newest ten blocks, then at growing distances down to the genesis block (blockchain.cpp, get_short_chain_history). */
export function shortHistory(chain: Chain): string[] {
  const ids: string[] = [];
  let step = 1;
  for (let height = chain.height - 1; height > 0; height -= step) {
    ids.push(chain.blockAt(height)!.id);
    if (ids.length > 10) step *= 2;
  }
  return [...ids, chain.blockAt(0)!.id];
}

/** A set that forgets its oldest items. */
class Remembered {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.add(id);
    if (this.#ids.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#ids;
    this.#ids.delete(oldest!);
  }
}

/**
 * Keeps chain and pool in sync with another daemon: fetches the blocks of a chain with more work and waiting transactions, checks them by
 * every rule, and submits what the other lacks. Of two chains with equal work each side keeps its own, until the next block decides.
 */
export class Follower {
  readonly #node: DevnetNode;
  readonly #neighbour: Neighbour;
  readonly #log: Log | undefined;
  /** Newest blocks of chains that violated a rule here. */
  readonly #refusedChains = new Remembered();
  /** Transactions that violated a rule here, and those submitted there, since either chain last changed. */
  #refused = new Remembered();
  #submitted = new Remembered();
  #tops = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isRunning = false;
  #lastMessage = '';

  constructor(node: DevnetNode, neighbour: Neighbour, log?: Log) {
    this.#node = node;
    this.#neighbour = neighbour;
    this.#log = log;
  }

  /** Runs a round now, and one soon after each, until {@link stop}. An unreachable daemon is asked again. */
  start(): void {
    this.#isRunning = true;
    const again = async (): Promise<void> => {
      await this.round().then(
        () => this.#say(`follows ${this.#neighbour.name}`),
        (error: unknown) => this.#say(`${this.#neighbour.name}: ${messageOf(error)}`),
      );
      if (this.#isRunning) this.#timer = setTimeout(() => void again(), PERIOD);
    };
    void again();
  }

  /** Begins no further round; a running one is not stopped. */
  stop(): void {
    this.#isRunning = false;
    clearTimeout(this.#timer);
  }

  /** Does not repeat the last message. */
  #say(text: string): void {
    if (text !== this.#lastMessage) this.#log?.('WARNING', 'net.cn', text);
    this.#lastMessage = text;
  }

  /** Exchanges what each side lacks. Rejects when the other cannot be reached, or is on another network. */
  async round(): Promise<void> {
    const { chain, network, difficulties } = this.#node;
    const theirs = await this.#neighbour.state();
    const own = network === 'regtest' ? 'fakechain' : network;
    if (theirs.nettype !== own) throw new Error(`it is on ${theirs.nettype}, and this chain on ${own}`);
    if (theirs.topId !== chain.top.id && !this.#refusedChains.has(theirs.topId)) {
      const work = difficulties.cumulative(chain.height - 1);
      if (theirs.cumulativeDifficulty > work) await this.#takeBlocks(theirs);
      else if (theirs.cumulativeDifficulty < work) await this.#giveBlocks();
    }
    this.#lookAgain(`${theirs.topId} ${chain.top.id}`);
    await this.#takeTransactions();
    await this.#giveTransactions();
  }

  /** A pool transaction refused on one chain may be accepted on another. */
  #lookAgain(tops: string): void {
    if (tops === this.#tops) return;
    this.#tops = tops;
    this.#refused = new Remembered();
    this.#submitted = new Remembered();
  }

  /** Blocks of a branch are stored until it has more work: the next request begins at the last received one. */
  async #takeBlocks(theirs: NeighbourState): Promise<void> {
    let reached: string[] = [];
    for (let taken = 0; taken <= theirs.height; ) {
      const blocks = await this.#neighbour.blocksFrom([...reached, ...shortHistory(this.#node.chain)]);
      let last = '';
      for (const block of blocks) last = this.#take(block, theirs.topId);
      taken += blocks.length;
      // A known block ends every answer.
      if (last === '' || last === reached[0] || last === theirs.topId) return;
      reached = [last];
    }
  }

  /** @returns the block's id @throws Error when it violates a rule; its branch is not requested again */
  #take({ blob, transactions }: WholeBlock, topId: string): string {
    try {
      const { id } = parseWholeBlock(blob);
      if (!this.#node.knowsBlock(id)) this.#node.submitBlock(blob, transactions);
      return id;
    } catch (error) {
      if (!(error instanceof RejectedError) && !isProtocolError(error)) throw error;
      this.#refusedChains.add(topId);
      throw new Error(`its chain is not taken: ${error.message}`);
    }
  }

  async #giveBlocks(): Promise<void> {
    const { chain } = this.#node;
    const theirs = await this.#neighbour.idsFrom(shortHistory(chain));
    // Ids in the request are ever further apart, so the other chain may share more of ours than the newest common one.
    const shared = theirs.ids.findIndex((id, i) => chain.blockAt(theirs.height + i)?.id !== id);
    const first = theirs.height + (shared < 0 ? theirs.ids.length : shared);
    for (let height = Math.max(1, first); height < chain.height; height++) {
      const block = chain.blockAt(height)!;
      for (const tx of block.transactions) await this.#neighbour.giveTransaction(tx.blob);
      await this.#neighbour.giveBlock(block.blob);
    }
  }

  async #takeTransactions(): Promise<void> {
    const { pool, chain } = this.#node;
    const isNew = (id: string): boolean =>
      pool.get(id) === undefined && chain.transaction(id) === undefined && !this.#refused.has(id);
    const wanted = (await this.#neighbour.poolIds()).filter(isNew);
    for (let i = 0; i < wanted.length; i += TRANSACTIONS_AT_ONCE) {
      const ids = wanted.slice(i, i + TRANSACTIONS_AT_ONCE);
      for (const blob of await this.#neighbour.transactions(ids)) this.#takeTransaction(blob);
      for (const id of ids) if (pool.get(id) === undefined) this.#refused.add(id);
    }
  }

  #takeTransaction(blob: Uint8Array): void {
    try {
      // It came from there: it is not sent back.
      this.#submitted.add(this.#node.submitTransaction(blob, { sanityChecks: false }).id);
    } catch (error) {
      if (!(error instanceof RejectedError) && !isProtocolError(error)) throw error;
      this.#log?.('INFO', 'net.cn', `a transaction of ${this.#neighbour.name} is not taken: ${error.message}`);
    }
  }

  async #giveTransactions(): Promise<void> {
    for (const { id, blob } of this.#node.pool.visible) {
      if (this.#submitted.has(id)) continue;
      await this.#neighbour.giveTransaction(blob);
      this.#submitted.add(id);
    }
  }
}
