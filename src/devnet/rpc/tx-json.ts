import { bytesToHex, type JsonInput, stringifyJson } from '../../base/index.ts';
import type { BulletproofPlusProof, ClsagSignature } from '../../crypto/index.ts';
import {
  type Block,
  type RctBase,
  type RctPrunable,
  RctType,
  type Transaction,
  type TxInput,
  type TxOutput,
  type TxPrefix,
} from '../../protocol/index.ts';

/**
 * Transactions and blocks as JSON texts, with the field names of the reference's JSON archive. RingCT of the current type and coinbase
 * transactions are complete; for older proofs only the base is written.
 */

const hex = (bytes: Uint8Array): string => bytesToHex(bytes);
/** Each as hex digits. */
export const hexes = (list: readonly Uint8Array[]): string[] => list.map(hex);

function inputJson(input: TxInput): JsonInput {
  if (input.type === 'gen') return { gen: { height: input.height } };
  return { key: { amount: input.amount, key_offsets: input.keyOffsets, k_image: hex(input.keyImage) } };
}

function outputJson({ amount, key, viewTag }: TxOutput): JsonInput {
  if (viewTag === undefined) return { amount, target: { key: hex(key) } };
  return { amount, target: { tagged_key: { key: hex(key), view_tag: hex(Uint8Array.of(viewTag)) } } };
}

function prefixJson(tx: TxPrefix): { readonly [name: string]: JsonInput } {
  return {
    version: tx.version,
    unlock_time: tx.unlockTime,
    vin: tx.inputs.map(inputJson),
    vout: tx.outputs.map(outputJson),
    extra: [...tx.extra],
  };
}

function rctJson(rct: RctBase): JsonInput {
  if (rct.type === RctType.Null) return { type: rct.type };
  return {
    type: rct.type,
    txnFee: rct.fee,
    pseudoOuts: rct.pseudoOuts.length > 0 ? hexes(rct.pseudoOuts) : undefined,
    ecdhInfo: rct.ecdhInfo.map(({ mask, amount }) => ({ mask: mask && hex(mask), amount: hex(amount) })),
    outPk: hexes(rct.outPk),
  };
}

/** A ring signature of the current type (`rct::clsag`); its key image is in the input. */
export function clsagJson({ s, c1, D }: ClsagSignature): JsonInput {
  return { s: hexes(s), c1: hex(c1), D: hex(D) };
}

/** A range proof of the current type (`rct::BulletproofPlus`), without its commitments. */
export function bulletproofPlusJson({ A, A1, B, r1, s1, d1, L, R }: BulletproofPlusProof): Readonly<Record<string, JsonInput>> {
  return { A: hex(A), A1: hex(A1), B: hex(B), r1: hex(r1), s1: hex(s1), d1: hex(d1), L: hexes(L), R: hexes(R) };
}

function prunableJson(prunable: RctPrunable): JsonInput {
  const proofs = prunable.bulletproofsPlus;
  return {
    nbp: proofs.length,
    bpp: proofs.map(bulletproofPlusJson),
    CLSAGs: prunable.clsags.map(clsagJson),
    pseudoOuts: hexes(prunable.pseudoOuts),
  };
}

function transactionJson(tx: Transaction): JsonInput {
  if (tx.version === 1) return { ...prefixJson(tx), signatures: tx.signatures?.flatMap((ring) => hexes(ring)) };
  const prunable = tx.prunable === undefined ? undefined : prunableJson(tx.prunable);
  return { ...prefixJson(tx), rct_signatures: rctJson(tx.rct), rctsig_prunable: prunable };
}

/** @param pruned omits signatures and range proofs */
export function transactionToJson(tx: Transaction, pruned = false): string {
  if (!pruned) return stringifyJson(transactionJson(tx));
  return stringifyJson(transactionJson(tx.version === 1 ? { ...tx, signatures: undefined } : { ...tx, prunable: undefined }));
}

/** @param minerTx how the coinbase transaction is written */
export function blockJson(block: Block, minerTx: (tx: Transaction) => JsonInput): JsonInput {
  return {
    major_version: block.majorVersion,
    minor_version: block.minorVersion,
    timestamp: block.timestamp,
    prev_id: hex(block.prevId),
    nonce: block.nonce,
    miner_tx: minerTx(block.minerTx),
    tx_hashes: hexes(block.txHashes),
  };
}

/** A block as in get_block's `json`: JSON within JSON. */
export const blockToJson = (block: Block): string => stringifyJson(blockJson(block, transactionJson));
