import { type Log, messageOf } from '../base/index.ts';
import { isProtocolError } from '../protocol/index.ts';
import type { Chain } from './chain.ts';
import { RejectedError } from './errors.ts';
import type { DevnetNode } from './node.ts';
import { parseWholeBlock } from './parsed.ts';

/** State of another daemon's chain, by its word. */
export interface NeighbourState {
  /** As `get_info` has it: `fakechain`, `testnet`, `stagenet`. */
  readonly nettype: string;
  readonly topId: string;
  /** Number of blocks. */
  readonly height: number;
  readonly cumulativeDifficulty: bigint;
}

/** Bytes of a block and of the transactions that it names. */
export interface WholeBlock {
  readonly blob: Uint8Array;
  readonly transactions: readonly Uint8Array[];
}

/** Another daemon, asked over its RPC. Every method rejects when it cannot be reached or does not answer as it should. */
export interface Neighbour {
  /** For the log: no login in it. */
  readonly name: string;
  state(): Promise<NeighbourState>;
  /** Blocks from the newest that is on its chain of these on, that one included, as many as it gives at once. */
  blocksFrom(ids: readonly string[]): Promise<readonly WholeBlock[]>;
  /** Ids of its chain from the newest of these on that is there, that one included, as many as it gives at once; and that one's height. */
  idsFrom(ids: readonly string[]): Promise<{ readonly height: number; readonly ids: readonly string[] }>;
  poolIds(): Promise<readonly string[]>;
  /** Of its pool; those that are gone are left out. */
  transactions(ids: readonly string[]): Promise<readonly Uint8Array[]>;
  giveTransaction(blob: Uint8Array): Promise<void>;
  giveBlock(blob: Uint8Array): Promise<void>;
}

/** Milliseconds between two rounds. */
const PERIOD = 500;
/** Ids of what was refused or given that are remembered: none of them is asked for or given again. */
const MAX_REMEMBERED = 20_000;
const TRANSACTIONS_AT_ONCE = 100;

/** Ids of the newest ten blocks, then of ever fewer down to the genesis block (blockchain.cpp, get_short_chain_history). */
export function shortHistory(chain: Chain): string[] {
  const ids: string[] = [];
  let step = 1;
  for (let height = chain.height - 1; height > 0; height -= step) {
    ids.push(chain.blockAt(height)!.id);
    if (ids.length > 10) step *= 2;
  }
  return [...ids, chain.blockAt(0)!.id];
}

/** A set that forgets the oldest. */
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
 * Keeps one chain and one pool with another daemon: takes the blocks of a chain with more work and the transactions that wait there, checks
 * them by every rule, and hands over what the other lacks. Of two chains with equal work each keeps its own, until a block decides.
 */
export class Follower {
  readonly #node: DevnetNode;
  readonly #neighbour: Neighbour;
  readonly #log: Log | undefined;
  /** Newest blocks of chains that broke a rule here. */
  readonly #refusedChains = new Remembered();
  /** Transactions that broke a rule here, and those that were offered there, since either chain last changed. */
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

  /** A round now, and one soon after each, until {@link stop}. A daemon that is away is asked again. */
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

  /** No round is begun any more; one under way is not stopped. */
  stop(): void {
    this.#isRunning = false;
    clearTimeout(this.#timer);
  }

  /** Nothing is said twice in a row. */
  #say(text: string): void {
    if (text !== this.#lastMessage) this.#log?.('WARNING', 'net.cn', text);
    this.#lastMessage = text;
  }

  /** One exchange of what each lacks. Rejects when the other cannot be asked, or is on another network. */
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

  /** Blocks of a branch are put aside until it has more work: the next are asked for from the last that came. */
  async #takeBlocks(theirs: NeighbourState): Promise<void> {
    let reached: string[] = [];
    for (let taken = 0; taken <= theirs.height; ) {
      const blocks = await this.#neighbour.blocksFrom([...reached, ...shortHistory(this.#node.chain)]);
      let last = '';
      for (const block of blocks) last = this.#take(block, theirs.topId);
      taken += blocks.length;
      // One that is known already ends every answer.
      if (last === '' || last === reached[0] || last === theirs.topId) return;
      reached = [last];
    }
  }

  /** @returns the block's id @throws Error when it breaks a rule; its branch is not asked for again */
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
    // Ids in the request lie ever further apart, so the other chain may share more of ours than the newest found.
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
      // It came from there: it is not handed back.
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
