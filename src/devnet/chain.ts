import { hexToBytes } from '../base/index.ts';
import { keccak256, zeroCommit } from '../crypto/index.ts';
import {
  addGenerated,
  adjustedTime,
  type BlockHash,
  baseReward,
  isUnlocked,
  isUnlockHeight,
  median,
  type TxHash,
  type TxOutput,
  toTxHash,
  totalOf,
} from '../protocol/index.ts';
import { effectiveMedian, longTermWeight } from './economics.ts';
import type { ParsedBlock, ParsedTransaction } from './parsed.ts';
import { seedHeight } from './proof-of-work.ts';
import { isFullyKept, prunableAt } from './pruning.ts';
import { ERA, LONG_TERM_WINDOW, REWARD_WINDOW, TIMESTAMP_WINDOW } from './rules.ts';
import type { Database, Range } from './store/database.ts';
import {
  amountKey,
  amountOfKey,
  type BlockRecord,
  countOf,
  countValue,
  decodeBlock,
  decodeOutput,
  encodeBlock,
  encodeOutput,
  encodeTransaction,
  heightKey,
  heightOfKey,
  nameKey,
  type OutputRecord,
  outputKey,
  packU64s,
  placeKey,
} from './store/records.ts';
import { type ChainBlock, type ChainTransaction, readTransaction, type StoredBlock, storedBlock } from './stored-block.ts';
import { WeightCounts } from './weights.ts';

export type { OutputRecord } from './store/records.ts';
export type { ChainBlock, ChainTransaction } from './stored-block.ts';

/** The commitment of an output, 32 bytes: for a clear amount the one with mask 1, computed if an earlier version did not store it. */
export function commitmentOf(output: OutputRecord): Uint8Array {
  return output.commitment ?? zeroCommit(output.amount);
}

const NOTHING = new Uint8Array();
const ZERO_HASH = new Uint8Array(32);
const PRUNING_SEED = nameKey('pruning-seed');

/** Number of newest blocks whose weights and times are in memory. */
const RECENT = Math.max(REWARD_WINDOW, TIMESTAMP_WINDOW);

/**
 * The main chain and its indices: blocks, transactions, outputs, key images. It trusts its input; `consensus.ts` checks the rules before.
 * Blocks are added and removed at the top only, within a transaction of its database, which holds everything; weights and times of the
 * newest blocks are in memory.
 */
export class Chain {
  readonly #database: Database;
  readonly #weights: WeightCounts;
  #height = 0;
  #top: StoredBlock | undefined;
  /** Of the newest blocks, oldest first. */
  #recent: Pick<BlockRecord, 'weight' | 'timestamp'>[] = [];
  #pruningSeed = 0;

  constructor(database: Database) {
    this.#database = database;
    this.#weights = new WeightCounts(database.table('weights'));
    this.refresh();
  }

  /** Reads the values in memory again, after a transaction that was rolled back. */
  refresh(): void {
    const blocks = [...this.#database.table('blocks').range({ reverse: true, limit: RECENT })];
    const [newest] = blocks;
    this.#height = newest === undefined ? 0 : heightOfKey(newest.key) + 1;
    this.#top = newest && storedBlock(this.#database, this.#height - 1, decodeBlock(newest.value));
    this.#recent = blocks.map(({ value }) => decodeBlock(value)).reverse();
    this.#weights.refresh();
    this.#pruningSeed = countOf(this.#database.table('properties').get(PRUNING_SEED));
  }

  /** Number of blocks. */
  get height(): number {
    return this.#height;
  }

  /** The newest block. There always is one once the genesis block was added. */
  get top(): ChainBlock {
    return this.#top!;
  }

  /** The block of a height; undefined above the newest. */
  blockAt(height: number): ChainBlock | undefined {
    if (height === this.#height - 1) return this.#top;
    const record = this.#record(height);
    return record && storedBlock(this.#database, height, record);
  }

  #record(height: number): BlockRecord | undefined {
    if (!Number.isInteger(height) || height < 0 || height >= this.#height) return undefined;
    return decodeBlock(this.#database.table('blocks').get(heightKey(height))!);
  }

  /** The id of the block whose hash seeds the proofs of work at a height. */
  seedIdAt(height: number): BlockHash {
    return this.blockAt(seedHeight(height))!.id;
  }

  /** The block with an id, 64 hex digits; undefined if the chain has none. */
  blockById(id: string): ChainBlock | undefined {
    const height = this.#database.table('heights').get(hexToBytes(id));
    return height === undefined ? undefined : this.blockAt(heightOfKey(height));
  }

  /** Records of blocks as stored, from one height up to another, exclusive. */
  *records(from: number, to: number): Iterable<Uint8Array> {
    for (const { value } of this.#database.table('blocks').range({ from: heightKey(from), to: heightKey(to) })) yield value;
  }

  /** The transaction with an id, 64 hex digits, coinbases included; undefined if no block has it. */
  transaction(id: string): ChainTransaction | undefined {
    const key = this.#database.table('places').get(hexToBytes(id));
    return key && readTransaction(this.#database, key);
  }

  /** Ids of all transactions, coinbases included, within a range. */
  *transactionIds(range: Range): Iterable<TxHash> {
    for (const { key } of this.#database.table('places').range(range)) yield toTxHash(key);
  }

  /** @param keyImage 64 hex digits */
  isSpent(keyImage: string): boolean {
    return this.#database.table('spent').get(hexToBytes(keyImage)) !== undefined;
  }

  /** An output by its index among those of its amount; amount 0 is RingCT. Undefined beyond the last. */
  output(amount: bigint, index: bigint | number): OutputRecord | undefined {
    if (index < 0 || index > Number.MAX_SAFE_INTEGER) return undefined;
    const found = this.#database.table('outputs').get(outputKey(amount, Number(index)));
    return found && decodeOutput(found);
  }

  /** Number of outputs of an amount; amount 0 is RingCT. */
  outputCount(amount: bigint): number {
    return countOf(this.#database.table('amounts').get(amountKey(amount)));
  }

  /** The outputs of one amount in chain order. */
  *outputsOf(amount: bigint): Iterable<OutputRecord> {
    const range = { from: outputKey(amount, 0), to: outputKey(amount, Number.MAX_SAFE_INTEGER) };
    for (const { value } of this.#database.table('outputs').range(range)) yield decodeOutput(value);
  }

  /** Amounts that have outputs, lowest first. */
  get amounts(): bigint[] {
    return Array.from(this.#database.table('amounts').range(), ({ key }) => amountOfKey(key));
  }

  /** Median of the long-term weights of the last 100,000 blocks, at least the full reward zone. */
  get longTermMedian(): number {
    return Math.max(ERA.fullRewardZone, this.#weights.median);
  }

  /** The median after a number of empty blocks, below the window's length. */
  longTermMedianAfter(empty: number): number {
    const leaving: number[] = [];
    const oldest = Math.max(0, this.#height - LONG_TERM_WINDOW);
    for (let height = oldest; height < this.#height - LONG_TERM_WINDOW + empty; height++)
      leaving.push(this.#record(height)!.longTermWeight);
    return Math.max(ERA.fullRewardZone, this.#weights.medianAfter(empty, leaving));
  }

  /** The median of the last weights, with `grace` future empty blocks. */
  shortTermMedian(grace = 0): number {
    const weights = this.#recent.slice(-(REWARD_WINDOW - grace)).map((block) => block.weight);
    return median([...weights, ...new Array<number>(grace).fill(0)]);
  }

  /** The weight up to which the next block has no penalty; twice that is the maximum. */
  get weightMedian(): number {
    return effectiveMedian(this.shortTermMedian(), this.longTermMedian);
  }

  /** The base reward of the next block without penalty. */
  get baseReward(): bigint {
    return baseReward(this.top.generatedCoins, ERA);
  }

  /** Timestamps of the last `count` blocks, oldest first; at most 100. */
  timestamps(count: number): number[] {
    return this.#recent.slice(-count).map((block) => block.timestamp);
  }

  /**
   * Adds a block on top, with its transactions in its order.
   * @param difficulty of this block
   */
  append(
    parsed: ParsedBlock,
    minerTx: ParsedTransaction,
    transactions: readonly ParsedTransaction[],
    difficulty = 1n,
  ): ChainBlock {
    return this.#database.transaction(() => {
      const height = this.#height;
      const counts = new Map<bigint, number>();
      const added = [minerTx, ...transactions].map((tx, place) => this.#addTransaction(tx, height, place, counts));
      const amounts = this.#database.table('amounts');
      for (const [amount, count] of counts) amounts.put(amountKey(amount), countValue(count));
      const record = this.#recordOf(parsed, added, difficulty, counts.get(0n));
      const key = heightKey(height);
      this.#database.table('blocks').put(key, encodeBlock(record));
      this.#database.table('bodies').put(key, parsed.blob);
      this.#database.table('heights').put(hexToBytes(parsed.id), key);
      this.#weights.add(record.longTermWeight, 1);
      const leaving = this.#record(height - LONG_TERM_WINDOW);
      if (leaving !== undefined) this.#weights.add(leaving.longTermWeight, -1);
      this.#height = height + 1;
      this.#recent.push(record);
      if (this.#recent.length > RECENT) this.#recent.shift();
      const atHand = { blob: parsed.blob, block: parsed.block, minerTx: added[0]!, transactions: added.slice(1) };
      this.#top = storedBlock(this.#database, height, record, atHand);
      const old = prunableAt(this.#height);
      this.#discard(old, old + 1);
      return this.#top;
    });
  }

  /** @param rctOutputs number on the chain including this block; undefined if this block adds none */
  #recordOf(
    { id, block }: ParsedBlock,
    transactions: readonly ChainTransaction[],
    difficulty: bigint,
    rctOutputs: number | undefined,
  ): BlockRecord {
    const previous = this.#top;
    const weight = transactions.reduce((sum, tx) => sum + tx.weight, 0);
    const fees = transactions.slice(1).reduce((sum, tx) => sum + tx.fee, 0n);
    const reward = totalOf(transactions[0]!.tx.outputs) - fees;
    return {
      id,
      timestamp: Number(block.timestamp),
      weight,
      longTermWeight: previous === undefined ? weight : longTermWeight(weight, this.longTermMedian),
      reward,
      fees,
      generatedCoins: previous === undefined ? reward : addGenerated(previous.generatedCoins, reward),
      difficulty,
      cumulativeDifficulty: (previous?.cumulativeDifficulty ?? 0n) + difficulty,
      rctOutputs: rctOutputs ?? previous?.rctOutputs ?? 0,
      transactionCount: (previous?.transactionCount ?? 0) + transactions.length - 1,
    };
  }

  /** Removes the newest block. The genesis block stays. */
  pop(): ChainBlock | undefined {
    if (this.#height <= 1) return undefined;
    return this.#database.transaction(() => {
      const block = this.#top!.loaded();
      const { height } = block;
      const all = [block.minerTx, ...block.transactions];
      for (let place = all.length - 1; place >= 0; place--) this.#removeTransaction(all[place]!, placeKey(height, place));
      for (const name of ['blocks', 'bodies'] as const) this.#database.table(name).delete(heightKey(height));
      this.#database.table('heights').delete(hexToBytes(block.id));
      this.#weights.add(block.longTermWeight, -1);
      const returning = this.#record(height - LONG_TERM_WINDOW);
      if (returning !== undefined) this.#weights.add(returning.longTermWeight, 1);
      this.#height = height;
      this.#recent.pop();
      const older = this.#record(height - RECENT);
      if (older !== undefined) this.#recent.unshift(older);
      this.#top = storedBlock(this.#database, height - 1, this.#record(height - 1)!);
      return block;
    });
  }

  /** @param counts of outputs by amount, which are updated */
  #addTransaction(parsed: ParsedTransaction, height: number, place: number, counts: Map<bigint, number>): ChainTransaction {
    const { id, blob, tx, prunedLength, weight, fee } = parsed;
    for (const input of tx.inputs) if (input.type === 'key') this.#database.table('spent').put(input.keyImage, NOTHING);
    const outputIndices = tx.outputs.map((output, position) => {
      const bucket = bucketOf(tx.version, output);
      const index = counts.get(bucket) ?? this.outputCount(bucket);
      counts.set(bucket, index + 1);
      this.#database.table('outputs').put(outputKey(bucket, index), encodeOutput(record(parsed, output, position, height)));
      return index;
    });
    const isCoinbase = place === 0;
    const prunableHash = tx.version === 1 ? ZERO_HASH : keccak256(blob.subarray(prunedLength));
    const key = placeKey(height, place);
    const base = isCoinbase ? NOTHING : blob.subarray(0, prunedLength);
    const indices = packU64s(outputIndices);
    const value = encodeTransaction({ id, prunableHash, fee, weight, length: isCoinbase ? 0 : blob.length, indices, base });
    this.#database.table('transactions').put(key, value);
    if (!isCoinbase && prunedLength < blob.length) this.#database.table('prunable').put(key, blob.subarray(prunedLength));
    this.#database.table('places').put(hexToBytes(id), key);
    return { id, blob, tx, prunedLength, weight, fee, height, outputIndices, prunableHash, isPruned: false };
  }

  #removeTransaction(removed: ChainTransaction, key: Uint8Array): void {
    const { tx, outputIndices } = removed;
    this.#database.table('transactions').delete(key);
    this.#database.table('prunable').delete(key);
    this.#database.table('places').delete(hexToBytes(removed.id));
    for (const input of tx.inputs) if (input.type === 'key') this.#database.table('spent').delete(input.keyImage);
    const amounts = this.#database.table('amounts');
    for (let position = tx.outputs.length - 1; position >= 0; position--) {
      const bucket = bucketOf(tx.version, tx.outputs[position]!);
      const index = outputIndices[position]!;
      this.#database.table('outputs').delete(outputKey(bucket, index));
      if (index === 0) amounts.delete(amountKey(bucket));
      else amounts.put(amountKey(bucket), countValue(index));
    }
  }

  /** Which stripe of old prunable parts is stored; 0 for all. */
  get pruningSeed(): number {
    return this.#pruningSeed;
  }

  /** Deletes the prunable parts of old transactions, now and for later blocks, except those of the seed's stripe. */
  prune(seed: number): void {
    this.#database.transaction(() => {
      this.#database.table('properties').put(PRUNING_SEED, countValue(seed));
      this.#pruningSeed = seed;
      this.#discard(0, prunableAt(this.#height) + 1);
    });
  }

  /** Deletes prunable parts of blocks from one height up to another, exclusive, outside the seed's stripe. */
  #discard(from: number, to: number): void {
    if (this.#pruningSeed === 0 || to <= 0) return;
    const prunable = this.#database.table('prunable');
    const keys = Array.from(prunable.range({ from: placeKey(from, 0), to: placeKey(to, 0) }), ({ key }) => key);
    for (const key of keys) if (!isFullyKept(heightOfKey(key), this.#height, this.#pruningSeed)) prunable.delete(key);
  }
}

/** Coinbase outputs of version 2 count as RingCT outputs, with the commitment of mask 1. */
const bucketOf = (version: number, output: TxOutput): bigint => (version === 2 ? 0n : output.amount);

/** Stores the commitment of a clear amount, too: computing it takes a curve operation, and one request may name thousands of outputs. */
function record({ tx, id }: ParsedTransaction, output: TxOutput, position: number, height: number): OutputRecord {
  const commitment = (tx.version === 2 ? tx.rct.outPk[position] : undefined) ?? zeroCommit(output.amount);
  return { key: output.key, amount: output.amount, height, unlockTime: tx.unlockTime, txId: id, position, commitment };
}

/** The chain's own clock: unix seconds, those of the machine while there are too few blocks. */
export function chainTime(chain: Chain, now = Math.floor(Date.now() / 1000)): number {
  return adjustedTime(chain.timestamps(TIMESTAMP_WINDOW), now);
}

/** Whether the next block may spend an output, by its unlock time only, according to the chain's own clock. */
export function isUnlockTimePast(chain: Chain, unlockTime: bigint): boolean {
  const time = isUnlockHeight(unlockTime) ? 0 : chainTime(chain);
  return isUnlocked(unlockTime, chain.height, time);
}
