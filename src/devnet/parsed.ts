import {
  type Block,
  type BlockHash,
  blockId,
  feeOf,
  keyImagesIn,
  parseBlock,
  parseTransaction,
  serializeBlock,
  serializeTransaction,
  type Transaction,
  type TxHash,
  toBlockHash,
  toTxHash,
  transactionHash,
  transactionWeight,
} from '../protocol/index.ts';

/** A whole transaction with values derived from its bytes. */
export interface ParsedTransaction {
  readonly id: TxHash;
  readonly blob: Uint8Array;
  readonly tx: Transaction;
  /** Bytes of `blob` before its prunable part; all of them when there is none. */
  readonly prunedLength: number;
  readonly weight: number;
  /** Atomic units; 0 of a coinbase transaction. */
  readonly fee: bigint;
}

/** 64 hex digits each. */
export const keyImagesOf = ({ tx }: ParsedTransaction): readonly string[] => keyImagesIn(tx);

/** A block as received, parsed and hashed. */
export interface ParsedBlock {
  readonly id: BlockHash;
  readonly blob: Uint8Array;
  readonly block: Block;
}

/** Parses like a node, which accepts some that no rule allows. @throws ProtocolError unless the bytes are one whole transaction */
export function parseWholeTransaction(blob: Uint8Array): ParsedTransaction {
  const tx = parseTransaction(blob, { asNode: true });
  return withBlob(tx, blob);
}

/** @param blob the serialized `tx` */
export function withBlob(tx: Transaction, blob: Uint8Array): ParsedTransaction {
  return {
    id: toTxHash(transactionHash(tx)),
    blob,
    tx,
    prunedLength: prunedLength(tx, blob),
    weight: transactionWeight(tx, blob.length),
    fee: feeOf(tx),
  };
}

function prunedLength(tx: Transaction, blob: Uint8Array): number {
  if (tx.version === 1) return serializeTransaction({ ...tx, signatures: undefined }).length;
  return tx.prunable === undefined ? blob.length : serializeTransaction({ ...tx, prunable: undefined }).length;
}

/**
 * Parses like a node: if a block's last number is cut off, `blob` is the block as it should have been written.
 * @throws ProtocolError unless the bytes are one block
 */
export function parseWholeBlock(bytes: Uint8Array): ParsedBlock {
  const block = parseBlock(bytes, { asNode: true });
  const blob = bytes[bytes.length - 1]! < CONTINUED ? bytes : serializeBlock(block);
  return { id: toBlockHash(blockId(block)), blob, block };
}

/** A byte of a varint at or above this is followed by another. */
const CONTINUED = 0x80;

/** The coinbase transaction of a block. */
export function minerTransaction({ block }: ParsedBlock): ParsedTransaction {
  return withBlob(block.minerTx, serializeTransaction(block.minerTx));
}
