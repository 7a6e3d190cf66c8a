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
import { buildEmptyBlockOn, buildTemplate, type Template, type TemplateOptions } from './miner.ts';
import { minerTransaction, type ParsedBlock, type ParsedTransaction, parseWholeBlock, parseWholeTransaction } from './parsed.ts';
import { Pool, type PoolOptions, type SubmitOptions } from './pool.ts';
import type { PoolTransaction } from './pool-entry.ts';
import { findNonce, meetsDifficulty, testHash } from './proof-of-work.ts';
import { type ChainNetwork, GENESIS_BLOB_HEX } from './rules.ts';
import type { Database } from './store/database.ts';
import { MemoryDatabase } from './store/memory.ts';

/** Where the chain is stored, and its rules. */
export interface NodeOptions extends PoolOptions {
  /** Storage of everything; in memory when absent. */
  readonly database?: Database;
  /** Difficulty of every block but the genesis block; `adjusted` follows block times; when absent 1, which every hash meets. */
  readonly difficulty?: bigint | 'adjusted';
  /** Network of genesis block and addresses; the rules are regtest's on each. */
  readonly network?: ChainNetwork | undefined;
  readonly random?: Random;
  /** Unix seconds. */
  readonly now?: () => number;
}

/** Events that listeners receive, after they happened. */
export type NodeEvent =
  | { readonly type: 'block'; readonly block: ChainBlock }
  | { readonly type: 'popped'; readonly block: ChainBlock }
  /**
   * After the events of the removed and added blocks. `height`: of the first different block; how many were removed, and how many added.
   */
  | { readonly type: 'reorganised'; readonly height: number; readonly left: number; readonly came: number }
  /** A transaction entered the pool, or is relayed from now on. */
  | { readonly type: 'transaction'; readonly id: string };

/** Keeps data derived from the chain: it is called within the database's transaction, which fails if it throws. */
export interface ChainKeeper {
  added(block: ChainBlock): void;
  /** The newest first. */
  removed(block: ChainBlock): void;
}

/**
 * The chain, the pool and the rules between them. The chain with the larger sum of difficulties wins, which at a fixed difficulty is the
 * longer one; of two equal ones the first.
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
   * Opens the chain in the database, or begins one with the genesis block. `loadCrypto` must have resolved.
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

  /** Difficulty of the next block, for the test hash; see `proof-of-work.ts`. */
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

  /** Calls a keeper for every block that is added or removed, until the node is closed. */
  keep(keeper: ChainKeeper): void {
    this.#keepers.add(keeper);
  }

  /** Makes several changes in one transaction: reported ones are durable when this returns. */
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

  /** Adds a block on top without checking any rule: for replayed or generated chains, whose proofs prove nothing. */
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

  /** Removes the newest block; its transactions return to the pool. Undefined when only the genesis block is left. */
  #pop(): ChainBlock | undefined {
    const block = this.chain.pop();
    if (block === undefined) return undefined;
    for (const keeper of this.#keepers) keeper.removed(block);
    for (const tx of block.transactions) if (wholeOf(tx) !== undefined) this.pool.takeBack(tx);
    this.pool.distrustAll();
    return block;
  }

  /**
   * Adds a transaction to the pool.
   * @returns whether it was new: a known one is accepted again
   * @throws RejectedError, ProtocolError
   */
  submitTransaction(blob: Uint8Array, options: Partial<SubmitOptions> = {}): { readonly id: TxHash; readonly isNew: boolean } {
    const parsed = parseWholeTransaction(blob);
    const isNew = this.pool.submit(parsed, { doNotRelay: false, sanityChecks: true, ...options });
    if (isNew) this.#tell({ type: 'transaction', id: parsed.id });
    return { id: parsed.id, isNew };
  }

  /** Relays a transaction of the pool that was not relayed. */
  relay(entry: PoolTransaction): void {
    this.pool.relay(entry);
    this.#tell({ type: 'transaction', id: entry.id });
  }

  /** Mines one block on top to an address, now or at the given time. */
  mine(address: AddressKeys, timestamp = this.now()): ChainBlock {
    const { parsed: unsolved, minerTx, transactions } = this.template(address, timestamp);
    const block = findNonce(unsolved.block, hexToBytes(this.chain.seedIdAt(this.chain.height)), this.difficulty);
    const parsed = block.nonce === 0 ? unsolved : parseWholeBlock(serializeBlock(block));
    return this.#extend(parsed, minerTx, transactions, trusted(transactions));
  }

  /**
   * An unsolved block on top, with the pool's transactions.
   * @param timestamp unix seconds; that of the newest block if it is later
   */
  template(address: AddressKeys, timestamp = this.now(), { nonce, relayedOnly }: TemplateOptions = {}): Template {
    const atLeast = this.chain.height > 1 ? Number(this.chain.top.block.timestamp) : 0;
    const request = { address, timestamp: Math.max(timestamp, atLeast), random: this.#random, nonce };
    return buildTemplate(this.chain, this.pool, request, relayedOnly);
  }

  /** A template on any known block; without transactions unless it is the newest. Undefined when the block is unknown. */
  templateOn(parentId: string, address: AddressKeys, options: TemplateOptions = {}): Template | undefined {
    if (parentId === this.chain.top.id) return this.template(address, this.now(), options);
    return this.#emptyTemplate(parentId, address, options.nonce);
  }

  #emptyTemplate(parentId: string, address: AddressKeys, nonce?: Uint8Array): Template | undefined {
    const parent = this.branches.parent(parentId);
    if (parent === undefined) return undefined;
    const request = { address, timestamp: this.now(), random: this.#random, nonce };
    return buildEmptyBlockOn(parent, request, this.chain.weightMedian);
  }

  /**
   * Adds a block. One that does not follow the newest block is stored on a branch, and the chain switches to that branch when its sum of
   * difficulties is larger.
   * @param others its transactions that may be in neither pool nor chain
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

  /** The transactions of a block: from the pool, the chain, or `others`. */
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

  /** Switches to a branch; blocks from the first invalid one on are dropped. */
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

  /** @param popped receives the removed blocks, the newest first @param added receives the new ones */
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
   * Removes the newest blocks. Their transactions return to the pool.
   * @returns how many were removed: fewer when only the genesis block is left
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

  /** Prunes like a pruned node, from now on. @param seed of the stored stripe, see `pruning.ts` */
  prune(seed: number): void {
    this.batch(() => this.chain.prune(seed));
  }

  /**
   * Replaces the newest blocks by a longer branch of empty ones, as a network would. Transactions of the lost blocks return to the pool.
   * @param depth number of replaced blocks
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

  /** Stops all notifications, and closes the database. */
  close(): void {
    this.#listeners.clear();
    this.#keepers.clear();
    this.database.close();
  }
}

function trusted(transactions: readonly ParsedTransaction[]): ReadonlySet<string> {
  return new Set(transactions.map((tx) => tx.id));
}

/** Undefined for a pruned transaction. */
const wholeOf = (tx: ChainTransaction | undefined): ChainTransaction | undefined => (tx?.isPruned ? undefined : tx);

function alternativeOf(block: ChainBlock): AlternativeBlock {
  const { minerTx, transactions, height, generatedCoins, difficulty, cumulativeDifficulty } = block;
  const parentId = bytesToHex(block.block.prevId);
  return { parsed: block, parentId, minerTx, transactions, height, generatedCoins, difficulty, cumulativeDifficulty };
}
