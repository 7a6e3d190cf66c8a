import { bytesToHex, hexToBytes } from '../base/index.ts';
import { type Random, systemRandom } from '../crypto/index.ts';
import {
  addGenerated,
  type BlockHash,
  blockHashingBlob,
  serializeBlock,
  serializeTransaction,
  type Transaction,
  type TxHash,
} from '../protocol/index.ts';
import { checkBlock } from './blocks.ts';
import { Chain, type ChainBlock } from './chain.ts';
import { Difficulties, type Work } from './difficulty.ts';
import { DevnetError, RejectedError } from './errors.ts';
import { buildOn, buildTemplate, type MinerAddress, type Template, type TemplateParent } from './miner.ts';
import { type ParsedBlock, type ParsedTransaction, parseWholeBlock, parseWholeTransaction, withBlob } from './parsed.ts';
import { Pool, type SubmitOptions } from './pool.ts';
import { meetsDifficulty, seedHeight, solved, testHash } from './proof.ts';
import { type ChainNetwork, GENESIS_BLOB_HEX } from './rules.ts';
import { type ChainEvent, type ChainStore, MemoryChainStore } from './store.ts';

export interface NodeOptions {
  readonly store?: ChainStore;
  /** Of every block but the genesis block; `adjusted` follows the times of the blocks before; 1, which every hash meets, when absent. */
  readonly difficulty?: bigint | 'adjusted';
  /** Whose genesis block and addresses it has; the rules are regtest's on each. */
  readonly network?: ChainNetwork;
  /** Weight of all that may wait in the pool. */
  readonly maxPoolWeight?: number;
  readonly random?: Random;
  /** Unix seconds. */
  readonly now?: () => number;
}

/** A block that follows a known one but not the newest, with the transactions it names. */
interface AlternativeBlock {
  readonly parsed: ParsedBlock;
  readonly minerTx: ParsedTransaction;
  readonly transactions: readonly ParsedTransaction[];
  readonly height: number;
  readonly generatedCoins: bigint;
  readonly difficulty: bigint;
  /** With all before it. */
  readonly cumulativeDifficulty: bigint;
}

/** A block of a branch that lost, as much as a header tells of it. */
export type OrphanBlock = ParsedBlock &
  Pick<AlternativeBlock, 'minerTx' | 'transactions' | 'height' | 'difficulty' | 'cumulativeDifficulty'> &
  Pick<ChainBlock, 'weight' | 'longTermWeight'>;

/** Events that listeners are told, after they happened. */
export type NodeEvent =
  | { readonly type: 'block'; readonly block: ChainBlock }
  | { readonly type: 'popped'; readonly block: ChainBlock }
  /** After the blocks that left and came were told. `height`: of the first that differs; how many left, and how many came. */
  | { readonly type: 'reorganised'; readonly height: number; readonly left: number; readonly came: number }
  | { readonly type: 'transaction'; readonly id: string };

/** Blocks of a branch that is not the main chain. */
export interface AlternativeChain {
  readonly cumulativeDifficulty: bigint;
  /** Newest first. */
  readonly blockIds: readonly string[];
  /** Height of the first block that differs. */
  readonly height: number;
  readonly parentId: string;
}

/**
 * The chain, the pool and the rules between them. The chain with the larger sum of difficulties wins, which is the longer one where every
 * block counts the same; of two equal ones the first.
 */
export class DevnetNode {
  readonly chain = new Chain();
  readonly pool: Pool;
  readonly now: () => number;
  readonly network: ChainNetwork;
  readonly difficulties: Difficulties;
  readonly #random: Random;
  readonly #store: ChainStore;
  readonly #alternatives = new Map<string, AlternativeBlock>();
  readonly #listeners = new Set<(event: NodeEvent) => void>();

  /** Replays the store's chain, or begins one with the genesis block. `loadCrypto` must have resolved. */
  constructor(options: NodeOptions = {}) {
    this.now = options.now ?? (() => Math.floor(Date.now() / 1000));
    this.#random = options.random ?? systemRandom;
    this.#store = options.store ?? new MemoryChainStore();
    const { difficulty = 1n } = options;
    this.network = options.network ?? 'regtest';
    this.difficulties = new Difficulties(this.chain, difficulty === 'adjusted' ? undefined : difficulty);
    this.pool = new Pool(this.chain, this.now, options.maxPoolWeight);
    const genesis = parseWholeBlock(hexToBytes(GENESIS_BLOB_HEX[this.network]));
    this.chain.append(genesis, minerTransaction(genesis), []);
    for (const event of this.#store.load()) this.#replay(event);
  }

  /** Of the next block, by the test hash; see `proof.ts`. */
  get difficulty(): bigint {
    return this.difficulties.next;
  }

  #replay(event: ChainEvent): void {
    if (event.type === 'pop') {
      for (let i = 0; i < event.count; i++) this.chain.pop();
      return;
    }
    this.append(event.block, event.transactions);
  }

  /** Calls back after every change, until the returned function is called. */
  subscribe(listener: (event: NodeEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(event: NodeEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /**
   * Adds a block on top without checking any rule and without keeping it: for chains that are replayed, or made up for
   * measurements with proofs that prove nothing.
   */
  append(block: Uint8Array, transactions: readonly Uint8Array[]): ChainBlock {
    const parsed = parseWholeBlock(block);
    return this.chain.append(parsed, minerTransaction(parsed), transactions.map(parseWholeTransaction));
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

  /** Mines one block on top to an address, now or at the time given. */
  mine(address: MinerAddress, timestamp = this.now()): ChainBlock {
    const { parsed: unsolved, minerTx, transactions } = this.template(address, timestamp);
    const block = solved(unsolved.block, this.#seedAt(this.chain.height), this.difficulty);
    const parsed = block.nonce === 0 ? unsolved : parseWholeBlock(serializeBlock(block));
    return this.#extend(parsed, minerTx, transactions, trusted(transactions));
  }

  #seedAt(height: number): Uint8Array {
    return hexToBytes(this.chain.blockAt(seedHeight(height))!.id);
  }

  template(address: MinerAddress, timestamp = this.now(), nonce?: Uint8Array): Template {
    const atLeast = this.chain.height > 1 ? Number(this.chain.top.block.timestamp) : 0;
    const request = { address, timestamp: Math.max(timestamp, atLeast), random: this.#random };
    return buildTemplate(this.chain, this.pool, nonce === undefined ? request : { ...request, nonce });
  }

  /** A template on any known block; without transactions unless it is the newest. Undefined when the block is unknown. */
  templateOn(parentId: string, address: MinerAddress, nonce?: Uint8Array): Template | undefined {
    if (parentId === this.chain.top.id) return this.template(address, this.now(), nonce);
    return this.#emptyTemplate(parentId, address, nonce);
  }

  #emptyTemplate(parentId: string, address: MinerAddress, nonce?: Uint8Array): Template | undefined {
    const parent = this.#parent(parentId);
    if (parent === undefined) return undefined;
    const request = { address, timestamp: this.now(), random: this.#random };
    return buildOn(parent, nonce === undefined ? request : { ...request, nonce }, this.chain.weightMedian);
  }

  #parent(id: string): TemplateParent | undefined {
    const alternative = this.#alternatives.get(id);
    if (alternative === undefined) return this.chain.blockById(id);
    return { id, height: alternative.height, generatedCoins: alternative.generatedCoins };
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
    const given = others.map(parseWholeTransaction);
    if (parentId === this.chain.top.id) {
      const transactions = this.#find(parsed, given);
      this.#checkProof(parsed, this.chain.height, this.difficulty);
      this.#extend(parsed, minerTx, transactions, this.#trustedInPool(transactions));
    } else this.#putAside(parsed, minerTx, parentId, given);
    return parsed.id;
  }

  /** Whether the chain or a branch has it. */
  knowsBlock(id: string): boolean {
    return this.chain.blockById(id) !== undefined || this.#alternatives.has(id);
  }

  #checkProof({ block }: ParsedBlock, height: number, difficulty: bigint): void {
    if (difficulty > 1n && !meetsDifficulty(testHash(this.#seedAt(height), blockHashingBlob(block)), difficulty))
      throw new RejectedError('block-proof-of-work', `expected a hash that meets difficulty ${difficulty}`);
  }

  #putAside(parsed: ParsedBlock, minerTx: ParsedTransaction, parentId: string, given: readonly ParsedTransaction[]): void {
    const parent = this.#parent(parentId);
    if (parent === undefined) throw new RejectedError('block-parent-unknown', 'expected a block whose parent is known');
    const difficulty = this.difficultyOn(parentId);
    this.#checkProof(parsed, parent.height + 1, difficulty);
    const reward = minerTx.tx.outputs.reduce((sum, output) => sum + output.amount, 0n);
    const block: AlternativeBlock = {
      parsed,
      minerTx,
      transactions: this.#find(parsed, given),
      height: parent.height + 1,
      generatedCoins: addGenerated(parent.generatedCoins, reward),
      difficulty,
      cumulativeDifficulty: this.#cumulativeUpTo(parentId) + difficulty,
    };
    this.#alternatives.set(parsed.id, block);
    if (block.cumulativeDifficulty > this.difficulties.cumulative(this.chain.height - 1)) this.#switchTo(block);
  }

  /** Difficulty of the block after one that the chain or a branch has. */
  difficultyOn(parentId: string): bigint {
    const branch = this.#branchTo(this.#alternatives.get(parentId));
    const forkId = branch[0] === undefined ? parentId : bytesToHex(branch[0].parsed.block.prevId);
    return this.difficulties.afterBranch(this.chain.blockById(forkId)!.height, branch.map(workOf));
  }

  #cumulativeUpTo(id: string): bigint {
    return this.#alternatives.get(id)?.cumulativeDifficulty ?? this.difficulties.cumulative(this.chain.blockById(id)!.height);
  }

  /** From the main chain on, the oldest first. */
  #branchTo(tip: AlternativeBlock | undefined): AlternativeBlock[] {
    const branch: AlternativeBlock[] = [];
    for (let at = tip; at !== undefined; at = this.#alternatives.get(bytesToHex(at.parsed.block.prevId))) branch.push(at);
    return branch.reverse();
  }

  /** The transactions that a block names: from the pool, the chain, or those given. */
  #find(parsed: ParsedBlock, others: readonly ParsedTransaction[]): ParsedTransaction[] {
    return parsed.block.txHashes.map((hash) => {
      const id = bytesToHex(hash);
      const found = this.pool.get(id) ?? this.chain.transaction(id) ?? others.find((tx) => tx.id === id);
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
    this.#store.append([blockEvent(parsed, transactions)]);
    const block = this.chain.append(parsed, minerTx, transactions);
    this.#added(block);
    return block;
  }

  #added(block: ChainBlock): void {
    this.pool.removeMined(block.transactions);
    this.#tell({ type: 'block', block });
  }

  /** Changes over to a branch; back again when one of its blocks breaks a rule, which is then forgotten. */
  #switchTo(tip: AlternativeBlock): void {
    const branch = this.#branchTo(tip);
    const forkHeight = branch[0]!.height;
    const popped: ChainBlock[] = [];
    const difficulties: bigint[] = [];
    for (let height = forkHeight; height < this.chain.height; height++) difficulties.push(this.difficulties.cumulative(height));
    while (this.chain.height > forkHeight) popped.unshift(this.chain.pop()!);
    const added: ChainBlock[] = [];
    try {
      for (const block of branch) {
        checkBlock(this.chain, block.parsed, block.minerTx, block.transactions, this.now());
        added.push(this.chain.append(block.parsed, block.minerTx, block.transactions));
      }
    } catch (error) {
      for (const _ of added) this.chain.pop();
      for (const block of popped) this.chain.append(block, block.minerTx, block.transactions);
      for (const block of branch.slice(added.length)) this.#alternatives.delete(block.parsed.id);
      throw error;
    }
    this.#commitSwitch(popped, added, difficulties);
  }

  /** @param difficulties cumulative ones of those that were popped */
  #commitSwitch(popped: readonly ChainBlock[], added: readonly ChainBlock[], difficulties: readonly bigint[]): void {
    const events: ChainEvent[] = [{ type: 'pop', count: popped.length }];
    for (const block of added) events.push(blockEvent(block, block.transactions));
    this.#store.append(events);
    for (const block of added) this.#alternatives.delete(block.id);
    const before = this.difficulties.cumulative(added[0]!.height - 1);
    popped.forEach((block, i) => {
      this.#alternatives.set(block.id, alternativeOf(block, difficulties[i]!, difficulties[i - 1] ?? before));
    });
    for (const block of [...popped].reverse()) this.#tell({ type: 'popped', block });
    for (const block of popped) for (const tx of block.transactions) this.pool.takeBack(tx);
    this.pool.distrustAll();
    for (const block of added) this.#added(block);
    this.#tell({ type: 'reorganised', height: added[0]!.height, left: popped.length, came: added.length });
  }

  /**
   * Takes the newest blocks off. Their transactions go back to the pool.
   * @returns how many were taken off: fewer when only the genesis block is left
   */
  popBlocks(count: number): number {
    const popped: ChainBlock[] = [];
    while (popped.length < count) {
      const block = this.chain.pop();
      if (block === undefined) break;
      popped.push(block);
    }
    if (popped.length === 0) return 0;
    this.#store.append([{ type: 'pop', count: popped.length }]);
    for (const block of popped) {
      for (const tx of block.transactions) this.pool.takeBack(tx);
      this.#tell({ type: 'popped', block });
    }
    this.pool.distrustAll();
    return popped.length;
  }

  /**
   * Replaces the newest blocks by a longer branch of empty ones, as a network would. Transactions of the lost blocks wait in
   * the pool again.
   * @param depth blocks that are replaced
   * @param length blocks of the new branch, more than `depth`
   */
  reorganise(depth: number, length: number, address: MinerAddress): void {
    if (depth < 1 || depth >= this.chain.height || length <= depth) {
      throw new DevnetError('too-deep', `expected 1 to ${this.chain.height - 1} blocks, replaced by more`);
    }
    let parentId: string = this.chain.blockAt(this.chain.height - 1 - depth)!.id;
    for (let i = 0; i < length; i++) {
      const template = this.#emptyTemplate(parentId, address);
      if (template === undefined) throw new DevnetError('too-deep', 'expected the branch to hold together');
      const seed = this.#seedAt(this.#parent(parentId)!.height + 1);
      parentId = this.submitBlock(serializeBlock(solved(template.parsed.block, seed, this.difficultyOn(parentId))));
    }
  }

  /** Branches that are known and not the main chain. */
  get alternativeChains(): AlternativeChain[] {
    const parents = new Set([...this.#alternatives.values()].map((block) => bytesToHex(block.parsed.block.prevId)));
    const tips = [...this.#alternatives.values()].filter((block) => !parents.has(block.parsed.id));
    return tips.map((tip) => {
      const blockIds: string[] = [];
      let at: AlternativeBlock | undefined = tip;
      let first = tip;
      while (at !== undefined) {
        blockIds.push(at.parsed.id);
        first = at;
        at = this.#alternatives.get(bytesToHex(at.parsed.block.prevId));
      }
      const { cumulativeDifficulty } = tip;
      return { blockIds, height: first.height, parentId: bytesToHex(first.parsed.block.prevId), cumulativeDifficulty };
    });
  }

  get alternativeCount(): number {
    return this.#alternatives.size;
  }

  /** A block of a branch that lost, with the weights that the main chain has at its height, as the reference tells it. */
  alternativeBlock(id: string): OrphanBlock | undefined {
    const found = this.#alternatives.get(id);
    const rival = found && this.chain.blockAt(found.height);
    if (found === undefined || rival === undefined) return undefined;
    const { parsed, ...rest } = found;
    return { ...parsed, ...rest, weight: rival.weight, longTermWeight: rival.longTermWeight };
  }

  /** Bytes that the chain has on disk; 0 in memory. */
  get storedBytes(): number {
    return this.#store.bytes;
  }

  /** Bytes that are free where the chain lies; 0 in memory. */
  get freeBytes(): number {
    return this.#store.freeBytes;
  }

  close(): void {
    this.#listeners.clear();
    this.#store.close();
  }
}

function trusted(transactions: readonly ParsedTransaction[]): ReadonlySet<string> {
  return new Set(transactions.map((tx) => tx.id));
}

const workOf = ({ parsed: { id, block }, cumulativeDifficulty }: AlternativeBlock): Work => ({
  id,
  timestamp: Number(block.timestamp),
  cumulative: cumulativeDifficulty,
});

/** @param cumulative of the block and all before it @param before of all before it */
function alternativeOf(block: ChainBlock, cumulative: bigint, before: bigint): AlternativeBlock {
  return {
    difficulty: cumulative - before,
    cumulativeDifficulty: cumulative,
    parsed: block,
    minerTx: block.minerTx,
    transactions: block.transactions,
    height: block.height,
    generatedCoins: block.generatedCoins,
  };
}

function blockEvent(parsed: ParsedBlock, transactions: readonly ParsedTransaction[]): ChainEvent {
  return { type: 'block', block: parsed.blob, transactions: transactions.map((tx) => tx.blob) };
}

function minerTransaction({ block }: ParsedBlock): ParsedTransaction {
  const tx: Transaction = block.minerTx;
  return withBlob(tx, serializeTransaction(tx));
}
