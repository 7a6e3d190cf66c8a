import { bytesToHex } from '../base/index.ts';
import { zeroCommit } from '../crypto/index.ts';
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
} from '../protocol/index.ts';
import { effectiveMedian, longTermWeight, medianOfSorted } from './economics.ts';
import type { ParsedBlock, ParsedTransaction } from './parsed.ts';
import { ERA, LONG_TERM_WINDOW, REWARD_WINDOW, TIMESTAMP_WINDOW } from './rules.ts';

/** An output as ring members refer to it: by its amount (0 for RingCT) and its index among the outputs of that amount. */
export interface OutputRecord {
  readonly key: Uint8Array;
  /** Clear amount; 0 when the commitment hides it. */
  readonly amount: bigint;
  readonly height: number;
  readonly unlockTime: bigint;
  readonly txId: TxHash;
  /** Place in its transaction. */
  readonly position: number;
  /** Undefined where the amount is clear: see {@link commitmentOf}. */
  readonly commitment: Uint8Array | undefined;
}

export interface ChainTransaction extends ParsedTransaction {
  readonly height: number;
  /** Index of each output among all outputs of its amount. */
  readonly outputIndices: readonly number[];
}

/** A block of the chain with what was true once it was the newest. */
export interface ChainBlock extends ParsedBlock {
  readonly height: number;
  readonly minerTx: ChainTransaction;
  readonly transactions: readonly ChainTransaction[];
  readonly weight: number;
  readonly longTermWeight: number;
  /** Coins created, without fees. */
  readonly reward: bigint;
  readonly generatedCoins: bigint;
  /** RingCT outputs of this block and all before it. */
  readonly rctOutputs: number;
  /** Transactions of this block and all before it, without coinbase ones. */
  readonly transactionCount: number;
}

/** The commitment of an output, 32 bytes: of a clear amount the one with mask 1. */
export function commitmentOf(output: OutputRecord): Uint8Array {
  return output.commitment ?? zeroCommit(output.amount);
}

/** Numbers kept in order, for medians over a sliding window. */
class SortedNumbers {
  readonly values: number[] = [];

  #place(value: number): number {
    let low = 0;
    let high = this.values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.values[middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  add(value: number): void {
    this.values.splice(this.#place(value), 0, value);
  }

  remove(value: number): void {
    this.values.splice(this.#place(value), 1);
  }
}

/**
 * The main chain and its indices: blocks, transactions, outputs, key images. It trusts what it is given; the rules
 * are checked by `consensus.ts` before. Blocks are added and taken off at the top only.
 */
export class Chain {
  readonly #blocks: ChainBlock[] = [];
  readonly #heights = new Map<BlockHash, number>();
  readonly #transactions = new Map<TxHash, ChainTransaction>();
  readonly #outputs = new Map<bigint, OutputRecord[]>();
  readonly #keyImages = new Map<string, TxHash>();
  readonly #longTermWeights = new SortedNumbers();

  /** Number of blocks. */
  get height(): number {
    return this.#blocks.length;
  }

  /** The newest block. The chain is never empty once its owner has added the genesis block. */
  get top(): ChainBlock {
    return this.#blocks[this.#blocks.length - 1]!;
  }

  blockAt(height: number): ChainBlock | undefined {
    return this.#blocks[height];
  }

  blockById(id: string): ChainBlock | undefined {
    const height = this.#heights.get(id as BlockHash);
    return height === undefined ? undefined : this.#blocks[height];
  }

  transaction(id: string): ChainTransaction | undefined {
    return this.#transactions.get(id as TxHash);
  }

  /** Of all transactions, coinbase ones too. */
  get transactionIds(): Iterable<TxHash> {
    return this.#transactions.keys();
  }

  /** @param keyImage 64 hex digits */
  isSpent(keyImage: string): boolean {
    return this.#keyImages.has(keyImage);
  }

  output(amount: bigint, index: bigint | number): OutputRecord | undefined {
    return this.#outputs.get(amount)?.[Number(index)];
  }

  outputCount(amount: bigint): number {
    return this.#outputs.get(amount)?.length ?? 0;
  }

  /** The outputs of one amount in the order of the chain. */
  outputsOf(amount: bigint): readonly OutputRecord[] {
    return this.#outputs.get(amount) ?? [];
  }

  /** Amounts that outputs have, lowest first. */
  get amounts(): bigint[] {
    return [...this.#outputs.keys()].sort((a, b) => (a < b ? -1 : 1));
  }

  get longTermMedian(): number {
    return Math.max(ERA.fullRewardZone, medianOfSorted(this.#longTermWeights.values));
  }

  /** The median of the last weights, with `grace` future empty blocks. */
  shortTermMedian(grace = 0): number {
    const weights = this.#blocks.slice(-(REWARD_WINDOW - grace)).map((block) => block.weight);
    return median([...weights, ...new Array<number>(grace).fill(0)]);
  }

  /** The weight up to which the next block loses nothing; twice as much is the most it may have. */
  get weightMedian(): number {
    return effectiveMedian(this.shortTermMedian(), this.longTermMedian);
  }

  /** The base reward of the next block when it is light. */
  get baseReward(): bigint {
    return baseReward(this.top.generatedCoins, ERA);
  }

  /** Timestamps of the last `count` blocks, oldest first. */
  timestamps(count: number): number[] {
    return this.#blocks.slice(-count).map((block) => Number(block.block.timestamp));
  }

  /** Adds a block on top; its transactions in its order. */
  append(parsed: ParsedBlock, minerTx: ParsedTransaction, transactions: readonly ParsedTransaction[]): ChainBlock {
    const height = this.height;
    const previous = this.#blocks[height - 1];
    const added = [this.#addTransaction(minerTx, height), ...transactions.map((tx) => this.#addTransaction(tx, height))];
    const weight = added.reduce((sum, tx) => sum + tx.weight, 0);
    const fees = transactions.reduce((sum, tx) => sum + tx.fee, 0n);
    const reward = minerTx.tx.outputs.reduce((sum, output) => sum + output.amount, 0n) - fees;
    const block: ChainBlock = {
      ...parsed,
      height,
      minerTx: added[0]!,
      transactions: added.slice(1),
      weight,
      longTermWeight: previous === undefined ? weight : longTermWeight(weight, this.longTermMedian),
      reward,
      generatedCoins: previous === undefined ? reward : addGenerated(previous.generatedCoins, reward),
      rctOutputs: this.outputCount(0n),
      transactionCount: (previous?.transactionCount ?? 0) + transactions.length,
    };
    this.#blocks.push(block);
    this.#heights.set(block.id, height);
    this.#longTermWeights.add(block.longTermWeight);
    const leaving = this.#blocks[height - LONG_TERM_WINDOW];
    if (leaving !== undefined) this.#longTermWeights.remove(leaving.longTermWeight);
    return block;
  }

  /** Takes the newest block off. The genesis block stays. */
  pop(): ChainBlock | undefined {
    if (this.height <= 1) return undefined;
    const block = this.#blocks.pop()!;
    this.#heights.delete(block.id);
    this.#longTermWeights.remove(block.longTermWeight);
    const returning = this.#blocks[block.height - LONG_TERM_WINDOW];
    if (returning !== undefined) this.#longTermWeights.add(returning.longTermWeight);
    for (const tx of [block.minerTx, ...block.transactions].reverse()) this.#removeTransaction(tx);
    return block;
  }

  #addTransaction(parsed: ParsedTransaction, height: number): ChainTransaction {
    const { tx, id } = parsed;
    for (const input of tx.inputs) {
      if (input.type === 'key') this.#keyImages.set(bytesToHex(input.keyImage), id);
    }
    const outputIndices = tx.outputs.map((output, position) => {
      // Coinbase outputs of version 2 count as RingCT outputs, with the commitment of mask 1.
      const bucket = tx.version === 2 ? 0n : output.amount;
      let outputs = this.#outputs.get(bucket);
      if (outputs === undefined) {
        outputs = [];
        this.#outputs.set(bucket, outputs);
      }
      outputs.push(record(parsed, output, position, height));
      return outputs.length - 1;
    });
    const added = { ...parsed, height, outputIndices };
    this.#transactions.set(id, added);
    return added;
  }

  #removeTransaction(removed: ChainTransaction): void {
    this.#transactions.delete(removed.id);
    for (const input of removed.tx.inputs) {
      if (input.type === 'key') this.#keyImages.delete(bytesToHex(input.keyImage));
    }
    for (const output of [...removed.tx.outputs].reverse()) {
      const bucket = removed.tx.version === 2 ? 0n : output.amount;
      const outputs = this.#outputs.get(bucket);
      outputs?.pop();
      if (outputs?.length === 0) this.#outputs.delete(bucket);
    }
  }
}

function record({ tx, id }: ParsedTransaction, output: TxOutput, position: number, height: number): OutputRecord {
  const commitment = tx.version === 2 ? tx.rct.outPk[position] : undefined;
  return { key: output.key, amount: output.amount, height, unlockTime: tx.unlockTime, txId: id, position, commitment };
}

/** Whether the next block may spend an output: by its unlock time, judged by the chain's own clock, and nothing else. */
export function isUnlockTimePast(chain: Chain, unlockTime: bigint): boolean {
  const now = Math.floor(Date.now() / 1000);
  const time = isUnlockHeight(unlockTime) ? now : adjustedTime(chain.timestamps(TIMESTAMP_WINDOW), now);
  return isUnlocked(unlockTime, chain.height, time);
}
