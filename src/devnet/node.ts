import { bytesToHex, hexToBytes } from '../base/index.ts';
import { type Random, systemRandom } from '../crypto/index.ts';
import {
  type AddressKeys,
  addGenerated,
  type BlockHash,
  blockHashingBlob,
  serializeBlock,
  type TxHash,
  totalOf,
} from '../protocol/index.ts';
import { type AlternativeBlock, Alternatives } from './alternatives.ts';
import { checkBlock, checkCoinbase, checkTimestamp, checkVersion } from './blocks.ts';
import { Branches } from './branches.ts';
import { Chain, type ChainBlock, type ChainTransaction } from './chain.ts';
import { Difficulties } from './difficulty.ts';
import { DevnetError, RejectedError } from './errors.ts';
import { buildEmptyBlockOn, buildTemplate, type Template } from './miner.ts';
import { minerTransaction, type ParsedBlock, type ParsedTransaction, parseWholeBlock, parseWholeTransaction } from './parsed.ts';
import { Pool, type PoolOptions, type SubmitOptions } from './pool.ts';
import type { PoolTransaction } from './pool-entry.ts';
import { findNonce, meetsDifficulty, testHash } from './proof-of-work.ts';
import { type ChainNetwork, GENESIS_BLOB_HEX } from './rules.ts';
import type { Database } from './store/database.ts';
import { MemoryDatabase } from './store/memory.ts';

/** Where the chain lies, and by which rules it grows. */
export interface NodeOptions extends PoolOptions {
  /** Where everything is kept; in memory when absent. */
  readonly database?: Database;
  /** Of every block but the genesis block; `adjusted` follows the times of the blocks before; 1, which every hash meets, when absent. */
  readonly difficulty?: bigint | 'adjusted';
  /** Whose genesis block and addresses it has; the rules are regtest's on each. */
  readonly network?: ChainNetwork | undefined;
  readonly random?: Random;
  /** Unix seconds. */
  readonly now?: () => number;
}

/** Events that listeners are told, after they happened. */
export type NodeEvent =
  | { readonly type: 'block'; readonly block: ChainBlock }
  | { readonly type: 'popped'; readonly block: ChainBlock }
  /** After the blocks that left and came were told. `height`: of the first that differs; how many left, and how many came. */
  | { readonly type: 'reorganised'; readonly height: number; readonly left: number; readonly came: number }
  /** It has come to the pool, or is relayed from now on, which it was not to be. */
  | { readonly type: 'transaction'; readonly id: string };

/** Keeper of data that follows from the chain: it is called within the database's transaction, and fails it when it throws. */
export interface ChainKeeper {
  added(block: ChainBlock): void;
  /** The newest first. */
  removed(block: ChainBlock): void;
}

/**
 * The chain, the pool and the rules between them. The chain with the larger sum of difficulties wins, which is the longer one where every
 * block counts the same; of two equal ones the first.
 */
export class DevnetNode {
  readonly chain: Chain;
  readonly pool: Pool;
  readonly now: () => number;
  readonly network: ChainNetwork;
  readonly difficulties: Difficulties;
  readonly branches: Branches;
  readonly database: Database;
  readonly #random: Random;
  readonly #alternatives: Alternatives;
  readonly #listeners = new Set<(event: NodeEvent) => void>();
  readonly #keepers = new Set<ChainKeeper>();

  /**
   * Goes on with the chain in the database, or begins one with the genesis block. `loadCrypto` must have resolved.
   * @throws DevnetError `other-network` when the chain is another network's
   */
  constructor(options: NodeOptions = {}) {
    this.now = options.now ?? (() => Math.floor(Date.now() / 1000));
    this.#random = options.random ?? systemRandom;
    this.database = options.database ?? new MemoryDatabase();
    const { difficulty = 1n } = options;
    this.network = options.network ?? 'regtest';
    this.chain = new Chain(this.database);
    this.#alternatives = new Alternatives(this.database);
    this.difficulties = new Difficulties(this.chain, difficulty === 'adjusted' ? undefined : difficulty);
    this.branches = new Branches(this.chain, this.#alternatives, this.difficulties);
    const genesis = parseWholeBlock(hexToBytes(GENESIS_BLOB_HEX[this.network]));
    if (this.chain.height === 0) this.chain.append(genesis, minerTransaction(genesis), []);
    if (this.chain.blockAt(0)!.id !== genesis.id)
      throw new DevnetError('other-network', `expected a folder with a chain of ${this.network}`);
    this.pool = new Pool(this.chain, this.now, this.database, options);
  }

  /** Of the next block, by the test hash; see `proof-of-work.ts`. */
  get difficulty(): bigint {
    return this.difficulties.next;
  }

  /** Calls back after every change, until the returned function is called. */
  subscribe(listener: (event: NodeEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(event: NodeEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Tells a keeper of every block that comes and leaves, until the node is closed. */
  keep(keeper: ChainKeeper): void {
    this.#keepers.add(keeper);
  }

  /** Makes changes as one: those that are told of meanwhile are durable when this returns. */
  batch<T>(run: () => T): T {
    try {
      const result = this.database.transaction(run);
      this.pool.settle();
      return result;
    } catch (error) {
      this.chain.refresh();
      this.#alternatives.refresh();
      this.pool.refresh();
      throw error;
    }
  }

  /** Adds a block on top without checking any rule: for chains that are replayed, or made up, with proofs that prove nothing. */
  append(block: Uint8Array, transactions: readonly Uint8Array[]): ChainBlock {
    const parsed = parseWholeBlock(block);
    const parsedTransactions = transactions.map(parseWholeTransaction);
    return this.batch(() => this.#push(parsed, minerTransaction(parsed), parsedTransactions));
  }

  #push(parsed: ParsedBlock, minerTx: ParsedTransaction, transactions: readonly ParsedTransaction[]): ChainBlock {
    const block = this.chain.append(parsed, minerTx, transactions, this.difficulties.next);
    for (const keeper of this.#keepers) keeper.added(block);
    return block;
  }

  /** Takes the newest block off; its transactions wait again. Undefined when only the genesis block is left. */
  #pop(): ChainBlock | undefined {
    const block = this.chain.pop();
    if (block === undefined) return undefined;
    for (const keeper of this.#keepers) keeper.removed(block);
    for (const tx of block.transactions) if (wholeOf(tx) !== undefined) this.pool.takeBack(tx);
    this.pool.distrustAll();
    return block;
  }

  /**
   * Takes a transaction into the pool.
   * @returns whether it was new: one that is known is accepted again
   * @throws RejectedError, ProtocolError
   */
  submitTransaction(blob: Uint8Array, options: Partial<SubmitOptions> = {}): { readonly id: TxHash; readonly isNew: boolean } {
    const parsed = parseWholeTransaction(blob);
    const isNew = this.pool.submit(parsed, { doNotRelay: false, sanityChecks: true, ...options });
    if (isNew) this.#tell({ type: 'transaction', id: parsed.id });
    return { id: parsed.id, isNew };
  }

  /** Makes known a transaction of the pool that was kept to itself. */
  relay(entry: PoolTransaction): void {
    this.pool.relay(entry);
    this.#tell({ type: 'transaction', id: entry.id });
  }

  /** Mines one block on top to an address, now or at the time given. */
  mine(address: AddressKeys, timestamp = this.now()): ChainBlock {
    const { parsed: unsolved, minerTx, transactions } = this.template(address, timestamp);
    const block = findNonce(unsolved.block, hexToBytes(this.chain.seedIdAt(this.chain.height)), this.difficulty);
    const parsed = block.nonce === 0 ? unsolved : parseWholeBlock(serializeBlock(block));
    return this.#extend(parsed, minerTx, transactions, trusted(transactions));
  }

  /**
   * A block on top, with what the pool has, yet to be solved.
   * @param timestamp unix seconds; that of the newest block where it is earlier
   * @param nonce bytes of tx_extra's nonce in the coinbase
   */
  template(address: AddressKeys, timestamp = this.now(), nonce?: Uint8Array): Template {
    const atLeast = this.chain.height > 1 ? Number(this.chain.top.block.timestamp) : 0;
    const request = { address, timestamp: Math.max(timestamp, atLeast), random: this.#random, nonce };
    return buildTemplate(this.chain, this.pool, request);
  }

  /** A template on any known block; without transactions unless it is the newest. Undefined when the block is unknown. */
  templateOn(parentId: string, address: AddressKeys, nonce?: Uint8Array): Template | undefined {
    if (parentId === this.chain.top.id) return this.template(address, this.now(), nonce);
    return this.#emptyTemplate(parentId, address, nonce);
  }

  #emptyTemplate(parentId: string, address: AddressKeys, nonce?: Uint8Array): Template | undefined {
    const parent = this.branches.parent(parentId);
    if (parent === undefined) return undefined;
    const request = { address, timestamp: this.now(), random: this.#random, nonce };
    return buildEmptyBlockOn(parent, request, this.chain.weightMedian);
  }

  /**
   * Takes a block in. One that does not follow the newest block is put aside, and the chain changes over to its branch
   * when that has the larger sum of difficulties.
   * @param others transactions that it names and that may be in neither pool nor chain
   * @returns its id
   * @throws RejectedError, ProtocolError
   */
  submitBlock(blob: Uint8Array, others: readonly Uint8Array[] = []): BlockHash {
    const parsed = parseWholeBlock(blob);
    if (this.knowsBlock(parsed.id)) throw new RejectedError('block-known', 'expected a block that is not known yet');
    const minerTx = minerTransaction(parsed);
    const parentId = bytesToHex(parsed.block.prevId);
    const submitted = others.map(parseWholeTransaction);
    if (parentId === this.chain.top.id) {
      const transactions = this.#find(parsed, submitted);
      this.#checkProof(parsed, this.chain.height, this.difficulty);
      this.#extend(parsed, minerTx, transactions, this.#trustedInPool(transactions));
    } else this.#putAside(parsed, minerTx, parentId, submitted);
    return parsed.id;
  }

  /** Whether the chain or a branch has it. */
  knowsBlock(id: string): boolean {
    return this.chain.blockById(id) !== undefined || this.#alternatives.has(id);
  }

  #checkProof({ block }: ParsedBlock, height: number, difficulty: bigint): void {
    const seed = hexToBytes(this.chain.seedIdAt(height));
    if (difficulty > 1n && !meetsDifficulty(testHash(seed, blockHashingBlob(block)), difficulty))
      throw new RejectedError('block-proof-of-work', `expected a hash that meets difficulty ${difficulty}`);
  }

  #putAside(parsed: ParsedBlock, minerTx: ParsedTransaction, parentId: string, submitted: readonly ParsedTransaction[]): void {
    const [input] = minerTx.tx.inputs;
    if (input?.type !== 'gen' || input.height === 0)
      throw new RejectedError('block-coinbase', 'expected a coinbase that says a height above 0');
    const { txHashes } = parsed.block;
    if (new Set(txHashes.map(bytesToHex)).size !== txHashes.length)
      throw new RejectedError('block-transaction-repeated', 'expected each transaction once in a block');
    checkVersion(parsed.block);
    const parent = this.branches.parent(parentId);
    if (parent === undefined) throw new RejectedError('block-parent-unknown', 'expected a block whose parent is known');
    checkTimestamp(parsed.block, this.branches.timesUpTo(parentId), this.now());
    const difficulty = this.branches.difficultyOn(parentId);
    this.#checkProof(parsed, parent.height + 1, difficulty);
    checkCoinbase(parent.height + 1, minerTx);
    const reward = totalOf(minerTx.tx.outputs);
    const block: AlternativeBlock = {
      parsed,
      parentId,
      minerTx,
      transactions: this.#find(parsed, submitted),
      height: parent.height + 1,
      generatedCoins: addGenerated(parent.generatedCoins, reward),
      difficulty,
      cumulativeDifficulty: this.branches.cumulativeUpTo(parentId) + difficulty,
    };
    this.batch(() => this.#alternatives.add(block));
    if (block.cumulativeDifficulty > this.chain.top.cumulativeDifficulty) this.#switchTo(block);
  }

  /** The transactions that a block names: from the pool, the chain, or those given. */
  #find(parsed: ParsedBlock, others: readonly ParsedTransaction[]): ParsedTransaction[] {
    return parsed.block.txHashes.map((hash) => {
      const id = bytesToHex(hash);
      const found = this.pool.get(id) ?? wholeOf(this.chain.transaction(id)) ?? others.find((tx) => tx.id === id);
      if (found === undefined) throw new RejectedError('block-transaction-missing', `expected transaction ${id} in the pool`);
      return found;
    });
  }

  #trustedInPool(transactions: readonly ParsedTransaction[]): ReadonlySet<string> {
    const ready = new Set(this.pool.ready().map((entry) => entry.id));
    return trusted(transactions.filter((tx) => ready.has(tx.id)));
  }

  #extend(
    parsed: ParsedBlock,
    minerTx: ParsedTransaction,
    transactions: readonly ParsedTransaction[],
    checked: ReadonlySet<string>,
  ): ChainBlock {
    checkBlock(this.chain, parsed, minerTx, transactions, this.now(), checked);
    const block = this.batch(() => {
      const added = this.#push(parsed, minerTx, transactions);
      this.pool.removeMined(added.transactions);
      this.pool.tidy();
      return added;
    });
    this.#tell({ type: 'block', block });
    return block;
  }

  /** Changes over to a branch; the blocks from the first that breaks a rule on are forgotten. */
  #switchTo(tip: AlternativeBlock): void {
    const branch = this.#alternatives.branchTo(tip);
    const popped: ChainBlock[] = [];
    const added: ChainBlock[] = [];
    try {
      this.batch(() => this.#replaceBy(branch, popped, added));
    } catch (error) {
      if (error instanceof RejectedError)
        this.batch(() => {
          for (const block of branch.slice(added.length)) this.#alternatives.delete(block.parsed.id);
        });
      throw error;
    }
    for (const block of popped) this.#tell({ type: 'popped', block });
    for (const block of added) this.#tell({ type: 'block', block });
    this.#tell({ type: 'reorganised', height: branch[0]!.height, left: popped.length, came: added.length });
  }

  /** @param popped gets the blocks that leave, the newest first @param added gets those that come */
  #replaceBy(branch: readonly AlternativeBlock[], popped: ChainBlock[], added: ChainBlock[]): void {
    while (this.chain.height > branch[0]!.height) popped.push(this.#pop()!);
    for (const { parsed, minerTx, transactions } of branch) {
      checkBlock(this.chain, parsed, minerTx, transactions, this.now());
      added.push(this.#push(parsed, minerTx, transactions));
    }
    for (const block of added) this.#alternatives.delete(block.id);
    for (const block of popped) if (block.transactions.every(wholeOf)) this.#alternatives.add(alternativeOf(block));
    for (const block of added) this.pool.removeMined(block.transactions);
  }

  /**
   * Takes the newest blocks off. Their transactions go back to the pool.
   * @returns how many were taken off: fewer when only the genesis block is left
   */
  popBlocks(count: number): number {
    const popped: ChainBlock[] = [];
    this.batch(() => {
      while (popped.length < count) {
        const block = this.#pop();
        if (block === undefined) break;
        popped.push(block);
      }
    });
    for (const block of popped) this.#tell({ type: 'popped', block });
    return popped.length;
  }

  /** Throws away what a pruned node does, from now on. @param seed of the stripe that is kept, see `pruning.ts` */
  prune(seed: number): void {
    this.batch(() => this.chain.prune(seed));
  }

  /**
   * Replaces the newest blocks by a longer branch of empty ones, as a network would. Transactions of the lost blocks wait in
   * the pool again.
   * @param depth blocks that are replaced
   * @param length blocks of the new branch, more than `depth`
   */
  reorganise(depth: number, length: number, address: AddressKeys): void {
    if (depth < 1 || depth >= this.chain.height || length <= depth) {
      throw new DevnetError('too-deep', `expected 1 to ${this.chain.height - 1} blocks, replaced by more`);
    }
    let parentId: string = this.chain.blockAt(this.chain.height - 1 - depth)!.id;
    for (let i = 0; i < length; i++) {
      const template = this.#emptyTemplate(parentId, address);
      if (template === undefined) throw new DevnetError('too-deep', 'expected the branch to hold together');
      const seed = hexToBytes(this.chain.seedIdAt(this.branches.parent(parentId)!.height + 1));
      parentId = this.submitBlock(serializeBlock(findNonce(template.parsed.block, seed, this.branches.difficultyOn(parentId))));
    }
  }

  /** Ends it: nobody is told any more, and the database is closed. */
  close(): void {
    this.#listeners.clear();
    this.#keepers.clear();
    this.database.close();
  }
}

function trusted(transactions: readonly ParsedTransaction[]): ReadonlySet<string> {
  return new Set(transactions.map((tx) => tx.id));
}

/** Undefined of a transaction whose proofs were thrown away. */
const wholeOf = (tx: ChainTransaction | undefined): ChainTransaction | undefined => (tx?.isPruned ? undefined : tx);

function alternativeOf(block: ChainBlock): AlternativeBlock {
  const { minerTx, transactions, height, generatedCoins, difficulty, cumulativeDifficulty } = block;
  const parentId = bytesToHex(block.block.prevId);
  return { parsed: block, parentId, minerTx, transactions, height, generatedCoins, difficulty, cumulativeDifficulty };
}
