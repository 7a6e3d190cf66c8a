import { requireLength } from '../base/index.ts';
import { keccak256 } from '../crypto/index.ts';
import { ProtocolError } from './errors.ts';
import { type RctPrunable, RctType, type Transaction, type TransactionV2, type TxPrefix } from './model.ts';
import { serializePrefix } from './transaction/prefix.ts';
import { serializeRctBase } from './transaction/rct-base.ts';
import { serializeRctPrunable } from './transaction/rct-prunable.ts';
import { isPruned, serializeTransaction, shapeOf } from './transaction.ts';

const NULL_HASH = new Uint8Array(32);

/** Keccak of the prefix, 32 bytes: what signatures of version 1 sign, and part of every id and message of version 2. */
export function transactionPrefixHash(prefix: TxPrefix): Uint8Array {
  return keccak256(serializePrefix(prefix));
}

/** Keccak of range proofs and ring signatures, 32 bytes; zeros when the type has none. @throws `pruned`, or `bad-structure` for version 1 */
export function prunableHash(tx: Transaction): Uint8Array {
  if (tx.version === 1)
    throw new ProtocolError('bad-structure', 'expected a version 2 transaction: version 1 has no prunable hash');
  if (tx.rct.type === RctType.Null) return NULL_HASH.slice();
  return keccak256(serializeRctPrunable(wholePart(tx), shapeOf(tx, tx.rct.type)));
}

/** The id of a whole transaction, 32 bytes (cryptonote_format_utils.cpp, calculate_transaction_hash). @throws `pruned` */
export function transactionHash(tx: Transaction): Uint8Array {
  if (tx.version === 2) return transactionHashFromPruned(tx, prunableHash(tx));
  if (isPruned(tx)) throw new ProtocolError('pruned', 'expected a whole transaction: a pruned one of version 1 cannot be hashed');
  return keccak256(serializeTransaction(tx));
}

/**
 * The id of a version 2 transaction from its pruned part and the hash of the rest, 32 bytes each. For RingCT type Null the
 * given hash does not matter. @throws `bad-structure` for version 1
 */
export function transactionHashFromPruned(tx: Transaction, prunable: Uint8Array): Uint8Array {
  if (tx.version === 1)
    throw new ProtocolError('bad-structure', 'expected a version 2 transaction: version 1 hashes its whole blob');
  const base = keccak256(serializeRctBase(tx.rct, tx.inputs.length, tx.outputs.length));
  return keccak256(transactionPrefixHash(tx), base, tx.rct.type === RctType.Null ? NULL_HASH : prunable);
}

/**
 * Message that the ring signatures of a RingCT transaction sign, 32 bytes: the hash of prefix hash, base hash and the hash of the range
 * proofs' elements, without the counts that the wire has (rctSigs.cpp, get_pre_mlsag_hash). Signatures need not be there yet.
 */
export function signatureMessage(tx: TransactionV2): Uint8Array {
  const base = keccak256(serializeRctBase(tx.rct, tx.inputs.length, tx.outputs.length));
  return keccak256(transactionPrefixHash(tx), base, rangeProofHash(tx));
}

/** The third part of {@link signatureMessage}: the hash of the range proofs' elements, 32 bytes. */
export function rangeProofHash(tx: TransactionV2): Uint8Array {
  return keccak256(...rangeProofElements(wholePart(tx)).map((element) => requireLength(element, 32)));
}

function rangeProofElements({ bulletproofsPlus, bulletproofs, rangeProofs }: RctPrunable): Uint8Array[] {
  return [
    ...bulletproofsPlus.flatMap(({ A, A1, B, r1, s1, d1, L, R }) => [A, A1, B, r1, s1, d1, ...L, ...R]),
    ...bulletproofs.flatMap(({ A, S, T1, T2, taux, mu, L, R, a, b, t }) => [A, S, T1, T2, taux, mu, ...L, ...R, a, b, t]),
    ...rangeProofs.flatMap(({ s0, s1, ee, Ci }) => [...s0, ...s1, ee, ...Ci]),
  ];
}

function wholePart(tx: TransactionV2): RctPrunable {
  if (tx.prunable === undefined) throw new ProtocolError('pruned', 'expected a whole transaction, its prunable part is missing');
  return tx.prunable;
}
