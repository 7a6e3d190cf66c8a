import { hexToBytes, U64_MAX } from '../../base/index.ts';
import { type BlockHash, type TxHash, toBlockHash, toTxHash } from '../../protocol/index.ts';

/** Contents of the tables: keys that sort in order, and records of fixed parts with little-endian numbers. */

export function heightKey(height: number): Uint8Array {
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(height);
  return key;
}

export const heightOfKey = (key: Uint8Array): number => viewOf(key).getUint32(0);

/** @param place in the block, the coinbase is 0 */
export function placeKey(height: number, place: number): Uint8Array {
  const key = Buffer.allocUnsafe(8);
  key.writeUInt32BE(height);
  key.writeUInt32BE(place, 4);
  return key;
}

/** An amount in eight bytes, big-endian, so that keys sort like amounts. */
export function amountKey(amount: bigint): Uint8Array {
  const key = Buffer.allocUnsafe(8);
  key.writeBigUInt64BE(amount);
  return key;
}

export const amountOfKey = (key: Uint8Array): bigint => viewOf(key).getBigUint64(0);

/** Key of a block's weight, which is far below 2^53. */
export const weightKey = (weight: number): Uint8Array => amountKey(BigInt(weight));
export const weightOfKey = (key: Uint8Array): number => Number(viewOf(key).getBigUint64(0));

/** Amount, then index among outputs of that amount, eight bytes each, big-endian. */
export function outputKey(amount: bigint, index: number): Uint8Array {
  const key = Buffer.allocUnsafe(16);
  key.writeBigUInt64BE(amount);
  key.writeBigUInt64BE(BigInt(index), 8);
  return key;
}

/** The key of a single value. */
export const nameKey = (name: string): Uint8Array => Buffer.from(name, 'latin1');

/** The bytes as numbers, at the same offsets. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A number below 2^53 in eight bytes. */
export function countValue(count: number): Uint8Array {
  const value = Buffer.allocUnsafe(8);
  value.writeBigUInt64LE(BigInt(count));
  return value;
}

const count = (view: DataView, at: number): number => view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;

/** The number that {@link countValue} wrote; 0 where nothing was written. */
export const countOf = (value: Uint8Array | undefined): number => (value === undefined ? 0 : count(viewOf(value), 0));

/** Facts of a block besides its bytes, and the chain's state when it was the newest. */
export interface BlockRecord {
  readonly id: BlockHash;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly weight: number;
  readonly longTermWeight: number;
  /** Coins created, without fees. */
  readonly reward: bigint;
  readonly fees: bigint;
  readonly generatedCoins: bigint;
  readonly difficulty: bigint;
  /** Of this block and all before it. */
  readonly cumulativeDifficulty: bigint;
  /** RingCT outputs of this block and all before it. */
  readonly rctOutputs: number;
  /** Transactions of this block and all before it, without coinbase ones. */
  readonly transactionCount: number;
}

/** 128 bytes: id, then 64-bit integers, 128-bit ones as two, all little-endian. */
export function encodeBlock(block: BlockRecord): Uint8Array {
  const bytes = Buffer.alloc(128);
  const numbers = [block.timestamp, block.weight, block.longTermWeight, block.rctOutputs, block.transactionCount].map(BigInt);
  const { difficulty, cumulativeDifficulty: sum } = block;
  const all = [
    ...numbers,
    block.reward,
    block.fees,
    block.generatedCoins,
    difficulty & U64_MAX,
    difficulty >> 64n,
    sum & U64_MAX,
    sum >> 64n,
  ];
  bytes.set(hexToBytes(block.id));
  all.forEach((value, i) => {
    bytes.writeBigUInt64LE(value, 32 + 8 * i);
  });
  return bytes;
}

/** Inverse of {@link encodeBlock}. */
export function decodeBlock(bytes: Uint8Array): BlockRecord {
  const view = viewOf(bytes);
  const wide = (at: number): bigint => view.getBigUint64(at, true) | (view.getBigUint64(at + 8, true) << 64n);
  return {
    id: toBlockHash(bytes.subarray(0, 32)),
    timestamp: count(view, 32),
    weight: count(view, 40),
    longTermWeight: count(view, 48),
    rctOutputs: rctOutputsOf(bytes),
    transactionCount: count(view, 64),
    reward: view.getBigUint64(72, true),
    fees: view.getBigUint64(80, true),
    generatedCoins: view.getBigUint64(88, true),
    difficulty: wide(96),
    cumulativeDifficulty: wide(112),
  };
}

/** RingCT outputs in a block's record, without reading the rest. */
export const rctOutputsOf = (bytes: Uint8Array): number => count(viewOf(bytes), 56);
/** A block's id, 32 bytes, from its record. */
export const idOf = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, 32);

/** An output as ring members refer to it: by its amount (0 for RingCT) and its index among the outputs of that amount. */
export interface OutputRecord {
  readonly key: Uint8Array;
  /** Clear amount; 0 when the commitment hides it. */
  readonly amount: bigint;
  readonly height: number;
  readonly unlockTime: bigint;
  readonly txId: TxHash;
  /** Index in its transaction. */
  readonly position: number;
  /** Undefined where the amount is clear and an earlier version of the program wrote the record. */
  readonly commitment: Uint8Array | undefined;
}

const OUTPUT_BYTES = 88;

/** 88 bytes, and the commitment of 32 if it has one. */
export function encodeOutput(output: OutputRecord): Uint8Array {
  const bytes = Buffer.alloc(OUTPUT_BYTES + (output.commitment?.length ?? 0));
  bytes.set(output.key);
  bytes.set(hexToBytes(output.txId), 32);
  bytes.writeBigUInt64LE(output.amount, 64);
  bytes.writeBigUInt64LE(output.unlockTime, 72);
  bytes.writeUInt32LE(output.height, 80);
  bytes.writeUInt32LE(output.position, 84);
  if (output.commitment !== undefined) bytes.set(output.commitment, OUTPUT_BYTES);
  return bytes;
}

/** Inverse of {@link encodeOutput}. */
export function decodeOutput(bytes: Uint8Array): OutputRecord {
  const view = viewOf(bytes);
  return {
    key: bytes.subarray(0, 32),
    txId: toTxHash(bytes.subarray(32, 64)),
    amount: view.getBigUint64(64, true),
    unlockTime: view.getBigUint64(72, true),
    height: view.getUint32(80, true),
    position: view.getUint32(84, true),
    commitment: bytes.length > OUTPUT_BYTES ? bytes.subarray(OUTPUT_BYTES) : undefined,
  };
}

/** A transaction of the chain without its prunable part. */
export interface TransactionRecord {
  readonly id: TxHash;
  /** Hash of the prunable part, 32 bytes. */
  readonly prunableHash: Uint8Array;
  readonly fee: bigint;
  readonly weight: number;
  /** Bytes of the whole transaction. */
  readonly length: number;
  /** Index of each output among all outputs of its amount: eight bytes each, as `get_blocks.bin` sends them. */
  readonly indices: Uint8Array;
  /** The transaction as on the wire, up to its prunable part; empty for a coinbase one, which its block contains. */
  readonly base: Uint8Array;
}

const TRANSACTION_BYTES = 84;

/** 84 bytes, the outputs' indices of eight bytes each, and the transaction up to its prunable part. */
export function encodeTransaction(tx: TransactionRecord): Uint8Array {
  const bytes = Buffer.alloc(TRANSACTION_BYTES + tx.indices.length + tx.base.length);
  bytes.set(hexToBytes(tx.id));
  bytes.set(tx.prunableHash, 32);
  bytes.writeBigUInt64LE(tx.fee, 64);
  bytes.writeUInt32LE(tx.weight, 72);
  bytes.writeUInt32LE(tx.length, 76);
  bytes.writeUInt32LE(tx.indices.length, 80);
  bytes.set(tx.indices, TRANSACTION_BYTES);
  bytes.set(tx.base, TRANSACTION_BYTES + tx.indices.length);
  return bytes;
}

/** Inverse of {@link encodeTransaction}. */
export function decodeTransaction(bytes: Uint8Array): TransactionRecord {
  const view = viewOf(bytes);
  const { indices, base } = readServedParts(bytes);
  return {
    id: toTxHash(bytes.subarray(0, 32)),
    prunableHash: bytes.subarray(32, 64),
    fee: view.getBigUint64(64, true),
    weight: view.getUint32(72, true),
    length: view.getUint32(76, true),
    indices,
    base,
  };
}

/** The parts of a transaction's record that `get_blocks.bin` serves, without reading the rest. */
export function readServedParts(bytes: Uint8Array): Pick<TransactionRecord, 'indices' | 'base'> {
  const end = TRANSACTION_BYTES + viewOf(bytes).getUint32(80, true);
  return { indices: bytes.subarray(TRANSACTION_BYTES, end), base: bytes.subarray(end) };
}

/** Bytes of the whole transaction of a record; 0 for a coinbase one. */
export const readBlobLength = (bytes: Uint8Array): number => viewOf(bytes).getUint32(76, true);

/** Eight bytes each, little-endian. */
export function packU64s(values: readonly (number | bigint)[]): Uint8Array {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, i) => {
    bytes.writeBigUInt64LE(BigInt(value), 8 * i);
  });
  return bytes;
}

/** Inverse of {@link packU64s}, for numbers below 2^53. */
export function unpackIndices(bytes: Uint8Array): number[] {
  const view = viewOf(bytes);
  return Array.from({ length: bytes.length / 8 }, (_, i) => count(view, 8 * i));
}
