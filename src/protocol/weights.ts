import { MAX_OUTPUTS, rangeProofRounds } from '../crypto/index.ts';
import { ProtocolError } from './errors.ts';
import { RctType, type Transaction } from './model.ts';
import { proofCapacity } from './transaction/range-proofs.ts';
import { type RctForm, rctForm } from './transaction/rct-forms.ts';
import { isPruned, serializeTransaction } from './transaction.ts';

export { MAX_OUTPUTS };

/** 32-byte elements of a range proof besides L and R; 0 unless one proof covers all outputs. */
const PROOF_ELEMENTS: Readonly<Record<RctForm['rangeProof'], number>> = { borromean: 0, bulletproof: 9, 'bulletproof-plus': 6 };
const proofElements = (type: RctType): number => PROOF_ELEMENTS[rctForm(type).rangeProof];

/**
 * Bytes added to a transaction's weight because an aggregate proof is small for the time that checking it takes: four fifths of what it
 * saves compared to two-output proofs (get_transaction_weight_clawback). 0 up to two outputs.
 */
export function weightClawback(outputs: number, type: RctType = RctType.BulletproofPlus): number {
  const elements = proofElements(type);
  if (elements === 0) return 0;
  const rounds = rangeProofRounds(outputs);
  const padded = proofCapacity(rounds);
  if (padded <= 2) return 0;
  if (padded > MAX_OUTPUTS) throw new ProtocolError('out-of-range', `expected at most ${MAX_OUTPUTS} outputs`);
  const base = (32 * (elements + 7 * 2)) / 2;
  const size = 32 * (elements + 2 * rounds);
  return Math.floor(((base * padded - size) * 4) / 5);
}

/**
 * The weight of a whole transaction, in bytes, on which fees and block limits are based (get_transaction_weight). `blobSize` saves
 * serializing the transaction again.
 * @throws `pruned`
 */
export function transactionWeight(tx: Transaction, blobSize?: number): number {
  if (isPruned(tx)) throw new ProtocolError('pruned', 'expected a whole transaction');
  const size = blobSize ?? serializeTransaction(tx).length;
  if (tx.version === 1 || tx.prunable === undefined) return size;
  const proof = tx.prunable.bulletproofsPlus[0] ?? tx.prunable.bulletproofs[0];
  return proof === undefined ? size : size + weightClawback(proofCapacity(proof.L.length), tx.rct.type);
}
