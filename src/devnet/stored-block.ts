import { type Block, parseBlock, parseTransaction, serializeTransaction, type Transaction } from '../protocol/index.ts';
import type { ParsedBlock, ParsedTransaction } from './parsed.ts';
import type { Database, Entry } from './store/database.ts';
import {
  type BlockRecord,
  decodeTransaction,
  heightKey,
  heightOfKey,
  placeKey,
  type TransactionRecord,
  unpackIndices,
} from './store/records.ts';

/** A transaction of the chain, with its place there. */
export interface ChainTransaction extends ParsedTransaction {
  readonly height: number;
  /** Index of each output among all outputs of its amount. */
  readonly outputIndices: readonly number[];
  /** Hash of the prunable part, 32 bytes, as in the reference's database: the hash of no bytes if there is none, zeros for version 1. */
  readonly prunableHash: Uint8Array;
  /** Whether its prunable part was pruned: then `blob` and `tx` lack it. */
  readonly isPruned: boolean;
}

/** A block of the chain with the chain's state after it. */
export interface ChainBlock extends ParsedBlock, Omit<BlockRecord, 'id'> {
  readonly height: number;
  readonly minerTx: ChainTransaction;
  readonly transactions: readonly ChainTransaction[];
}

/** Parts of a block that are known without reading. */
type AtHand = Pick<ChainBlock, 'blob' | 'block' | 'minerTx' | 'transactions'>;

/** A transaction that is read on first access to more than its record. @param prunable its prunable part, while stored */
function storedTransaction(
  { id, weight, fee, prunableHash, base, length, indices }: TransactionRecord,
  height: number,
  prunable: () => Uint8Array | undefined,
): ChainTransaction {
  let blob: Uint8Array | undefined;
  let tx: Transaction | undefined;
  const whole = (): Uint8Array => {
    const rest = length > base.length ? prunable() : undefined;
    return rest === undefined ? base : Buffer.concat([base, rest]);
  };
  const stored: ChainTransaction = {
    ...{ id, weight, fee, prunableHash, height, prunedLength: base.length },
    get outputIndices() {
      return unpackIndices(indices);
    },
    get isPruned() {
      return stored.blob.length < length;
    },
    get blob() {
      blob ??= whole();
      return blob;
    },
    get tx() {
      tx ??= parseTransaction(stored.blob, { pruned: stored.isPruned });
      return tx;
    },
  };
  return stored;
}

/** A coinbase transaction, which is stored in its block. */
function minerTransactionOf(record: TransactionRecord, height: number, block: Block): ChainTransaction {
  const blob = serializeTransaction(block.minerTx);
  const { id, weight, fee, prunableHash } = record;
  const prunedLength = blob.length;
  const outputIndices = unpackIndices(record.indices);
  return { id, blob, tx: block.minerTx, prunedLength, weight, fee, height, outputIndices, prunableHash, isPruned: false };
}

/** A block that is read on first access to more than its record. */
export interface StoredBlock extends ChainBlock {
  /** Reads all of it: for a block that is about to be removed. */
  loaded(): ChainBlock;
}

/** @param atHand parts that need no reading */
export function storedBlock(database: Database, height: number, record: BlockRecord, atHand?: AtHand): StoredBlock {
  let blob = atHand?.blob;
  let block = atHand?.block;
  let transactions: readonly ChainTransaction[] | undefined = atHand && [atHand.minerTx, ...atHand.transactions];
  /** The coinbase first. */
  const all = () => {
    const range = { from: placeKey(height, 0), to: placeKey(height + 1, 0) };
    const entries = database.table('transactions').range(range);
    transactions ??= Array.from(entries, (entry) => transactionOf(database, entry, () => stored.block));
    return transactions;
  };
  const stored: StoredBlock = {
    ...record,
    height,
    get blob() {
      blob ??= database.table('bodies').get(heightKey(height))!;
      return blob;
    },
    get block() {
      block ??= parseBlock(stored.blob);
      return block;
    },
    get minerTx() {
      return all()[0]!;
    },
    get transactions() {
      return all().slice(1);
    },
    loaded() {
      for (const tx of all()) void tx.tx;
      return stored;
    },
  };
  return stored;
}

/** @param entry of the table of transactions @param block that contains it */
function transactionOf(database: Database, { key, value }: Entry, block: () => Block): ChainTransaction {
  const record = decodeTransaction(value);
  if (record.base.length === 0) return minerTransactionOf(record, heightOfKey(key), block());
  return storedTransaction(record, heightOfKey(key), () => database.table('prunable').get(key));
}

/** @param key of the tables of transactions: height and place */
export function readTransaction(database: Database, key: Uint8Array): ChainTransaction {
  const entry = { key, value: database.table('transactions').get(key)! };
  return transactionOf(database, entry, () => parseBlock(database.table('bodies').get(heightKey(heightOfKey(key)))!));
}
