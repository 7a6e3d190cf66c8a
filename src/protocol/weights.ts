import { MAX_OUTPUTS, rangeProofRounds } from '../crypto/index.ts';
import { ProtocolError } from './errors.ts';
import { RctType, type Transaction } from './model.ts';
import { proofCapacity } from './transaction/range-proofs.ts';
import { type RctForm, rctForm } from './transaction/rct-forms.ts';
import { isPruned, serializeTransaction } from './transaction.ts';

export { MAX_OUTPUTS };

/** 32-byte elements of a range proof besides L and R; none where it is not one for all outputs. */
const PROOF_ELEMENTS: Readonly<Record<RctForm['rangeProof'], number>> = { borromean: 0, bulletproof: 9, 'bulletproof-plus': 6 };
const proofElements = (type: RctType): number => PROOF_ELEMENTS[rctForm(type).rangeProof];

/**
 * Bytes added to a transaction's weight because an aggregate proof takes less room than the time it takes to check:
 * four fifths of what two-output proofs would have taken more (get_transaction_weight_clawback). 0 up to two outputs.
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
 * The weight of a whole transaction, in bytes: what fees and block limits count (get_transaction_weight).
 * `blobSize` saves writing the transaction once more. @throws `pruned`
 */
export function transactionWeight(tx: Transaction, blobSize?: number): number {
  if (isPruned(tx)) throw new ProtocolError('pruned', 'expected a whole transaction');
  const size = blobSize ?? serializeTransaction(tx).length;
  if (tx.version === 1 || tx.prunable === undefined) return size;
  const proof = tx.prunable.bulletproofsPlus[0] ?? tx.prunable.bulletproofs[0];
  return proof === undefined ? size : size + weightClawback(proofCapacity(proof.L.length), tx.rct.type);
}
