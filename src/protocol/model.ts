/**
 * The chain's data as values: what the decoders of this room produce and its encoders take.
 *
 * Conventions that hold everywhere in Nightjar:
 * - 32-byte values (keys, points, scalars, hashes) are `Uint8Array` of length 32 inside crypto and protocol, and lower-case hex strings
 *   with a brand where they serve as identifiers (wallet, storage, rpc, app);
 * - amounts are `bigint` in atomic units (1 coin = 10^12), 0 … 2^64−1;
 * - heights are `number`, the height of a block is the number of blocks before it (genesis is 0).
 */

import { bytesToHex, requireLength, U64_MAX } from '../base/index.ts';
import type { BulletproofPlusProof, ClsagSignature } from '../crypto/index.ts';
import { ProtocolError } from './errors.ts';

declare const brand: unique symbol;
type Branded<T, B extends string> = T & { readonly [brand]: B };

/** Atomic units, 0 … 2^64−1. Make one with {@link toAtomicAmount}. */
export type AtomicAmount = Branded<bigint, 'AtomicAmount'>;
/** Number of blocks before this one. */
export type Height = number;
/** 64 lower-case hex digits: the id of a transaction. */
export type TxHash = Branded<string, 'TxHash'>;
/** 64 lower-case hex digits: the id of a block. */
export type BlockHash = Branded<string, 'BlockHash'>;
/** 64 lower-case hex digits: the key image of an output. */
export type KeyImage = Branded<string, 'KeyImage'>;
/** 64 lower-case hex digits: the one-time public key of an output. */
export type OutputKey = Branded<string, 'OutputKey'>;

/** The three public networks, and the regtest chain ("fakechain"), which shares mainnet's address prefixes. */
export type Network = 'mainnet' | 'stagenet' | 'testnet' | 'regtest';

/** An integer as an amount. @throws ProtocolError `out-of-range` when the value is not in 0 … 2^64−1 */
export function toAtomicAmount(value: bigint): AtomicAmount {
  if (value < 0n || value > U64_MAX) throw new ProtocolError('out-of-range', 'expected an amount of 0 … 2^64-1');
  return value as AtomicAmount;
}

const digitsOf = (id: Uint8Array): string => bytesToHex(requireLength(id, 32));

/** A transaction's hash as its id. @throws FormatError `bad-length` unless it has 32 bytes */
export const toTxHash = (hash: Uint8Array): TxHash => digitsOf(hash) as TxHash;
/** A block's hash as its id. @throws FormatError `bad-length` unless it has 32 bytes */
export const toBlockHash = (hash: Uint8Array): BlockHash => digitsOf(hash) as BlockHash;
/** A key image as a lookup key. @throws FormatError `bad-length` unless it has 32 bytes */
export const toKeyImage = (image: Uint8Array): KeyImage => digitsOf(image) as KeyImage;
/** A one-time public key as the lookup key of its output. @throws FormatError `bad-length` unless it has 32 bytes */
export const toOutputKey = (key: Uint8Array): OutputKey => digitsOf(key) as OutputKey;

/** The input of a coinbase transaction. `height` is the height of its block. */
export interface GenInput {
  readonly type: 'gen';
  readonly height: Height;
}

/** An input that spends one of `keyOffsets.length` outputs. Offsets are relative: each is added to the sum of those before. */
export interface KeyInput {
  readonly type: 'key';
  /** 0 for RingCT, the clear denomination otherwise. */
  readonly amount: bigint;
  readonly keyOffsets: readonly bigint[];
  /** 32 bytes. */
  readonly keyImage: Uint8Array;
}

/** A coinbase's one input, or a ring with its key image. */
export type TxInput = GenInput | KeyInput;

/** An output. `viewTag` (0 … 255) is present in tagged outputs only (mandatory since protocol version 16). */
export interface TxOutput {
  /** Clear amount in version 1 and coinbase transactions; 0 in RingCT. */
  readonly amount: bigint;
  /** One-time public key, 32 bytes. */
  readonly key: Uint8Array;
  readonly viewTag: number | undefined;
}

/** Start of every transaction (`transaction_prefix`, cryptonote_basic.h). */
export interface TxPrefix {
  readonly version: 1 | 2;
  /** Below 500,000,000 a height, else unix seconds; passed through raw. */
  readonly unlockTime: bigint;
  readonly inputs: readonly TxInput[];
  readonly outputs: readonly TxOutput[];
  /** tx_extra, unparsed: see `extra.ts`. */
  readonly extra: Uint8Array;
}

/** RingCT types as on the wire (rctTypes.h). */
export enum RctType {
  Null = 0,
  Full = 1,
  Simple = 2,
  Bulletproof = 3,
  Bulletproof2 = 4,
  CLSAG = 5,
  BulletproofPlus = 6,
}

/** Encrypted amount. Types 1–3: 32-byte `mask` and 32-byte `amount`; types 4–6: 8-byte `amount` alone. */
export interface EcdhInfo {
  readonly mask: Uint8Array | undefined;
  readonly amount: Uint8Array;
}

/**
 * The part of RingCT that every node keeps (`rctSigBase`, rctTypes.h). One encrypted amount and one commitment per output; all empty for
 * type Null.
 */
export interface RctBase {
  readonly type: RctType;
  /** Atomic units. */
  readonly fee: bigint;
  /** Only type 2 keeps pseudo outputs in the base. */
  readonly pseudoOuts: readonly Uint8Array[];
  readonly ecdhInfo: readonly EcdhInfo[];
  /** Output commitments, 32 bytes each. */
  readonly outPk: readonly Uint8Array[];
}

/** MLSAG: ss[member][row], cc. 32 bytes each. */
export interface Mlsag {
  readonly ss: readonly (readonly Uint8Array[])[];
  readonly cc: Uint8Array;
}

/** Borromean range proof of 64 bits. */
export interface BorromeanRangeProof {
  readonly s0: readonly Uint8Array[];
  readonly s1: readonly Uint8Array[];
  readonly ee: Uint8Array;
  readonly Ci: readonly Uint8Array[];
}

/** Bulletproof of types 3–5. V is not on the wire. */
export interface Bulletproof {
  readonly A: Uint8Array;
  readonly S: Uint8Array;
  readonly T1: Uint8Array;
  readonly T2: Uint8Array;
  readonly taux: Uint8Array;
  readonly mu: Uint8Array;
  readonly L: readonly Uint8Array[];
  readonly R: readonly Uint8Array[];
  readonly a: Uint8Array;
  readonly b: Uint8Array;
  readonly t: Uint8Array;
}

/** Proofs and signatures, which pruned nodes drop (`rctSigPrunable`, rctTypes.h). Lists that the type does not have are empty. */
export interface RctPrunable {
  readonly rangeProofs: readonly BorromeanRangeProof[];
  readonly bulletproofs: readonly Bulletproof[];
  readonly bulletproofsPlus: readonly BulletproofPlusProof[];
  readonly mlsags: readonly Mlsag[];
  readonly clsags: readonly ClsagSignature[];
  /** Types 3–6 keep pseudo outputs here. */
  readonly pseudoOuts: readonly Uint8Array[];
}

/** A version 1 transaction. `signatures[input][member]` is 64 bytes (c ‖ r); undefined when pruned. */
export interface TransactionV1 extends TxPrefix {
  readonly version: 1;
  readonly signatures: readonly (readonly Uint8Array[])[] | undefined;
}

/** A version 2 transaction. `prunable` is undefined when pruned, and for type Null. */
export interface TransactionV2 extends TxPrefix {
  readonly version: 2;
  readonly rct: RctBase;
  readonly prunable: RctPrunable | undefined;
}

/** A transaction of either version, whole or pruned. */
export type Transaction = TransactionV1 | TransactionV2;

/** Start of a block (`block_header`, cryptonote_basic.h). */
export interface BlockHeader {
  readonly majorVersion: number;
  readonly minorVersion: number;
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** 32 bytes. */
  readonly prevId: Uint8Array;
  readonly nonce: number;
}

/** A block: header, coinbase, and the ids of its other transactions. */
export interface Block extends BlockHeader {
  readonly minerTx: Transaction;
  /** Ids of the other transactions, 32 bytes each, in block order. */
  readonly txHashes: readonly Uint8Array[];
}
