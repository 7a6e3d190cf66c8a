import { ProtocolError } from '../errors.ts';
import type { Transaction } from '../model.ts';
import type { Era, ProofSystem } from './era.ts';
import { BULLETPROOFS_PLUS, RING_SIGNATURES } from './ringct/proofs.ts';

export { proveAmounts, type WholeTransaction } from './ringct/proofs.ts';

/** The proofs that can be made and checked here, in the chain's order; those of older RingCT types are only read and hashed. */
const PROOF_SYSTEMS: readonly ProofSystem[] = [RING_SIGNATURES, BULLETPROOFS_PLUS];

/** Proof system of a transaction; undefined if the era does not allow it, or if RingCT proofs are missing. */
export function proofsOf(era: Era, tx: Transaction): ProofSystem | undefined {
  if (tx.version === 2 && tx.prunable === undefined) return undefined;
  const type = tx.version === 1 ? undefined : tx.rct.type;
  return allowedProofs(era).find((proofs) => proofs.version === tx.version && proofs.rctType === type);
}

const allowedProofs = ({ rctTypes }: Era): ProofSystem[] =>
  PROOF_SYSTEMS.filter(({ rctType }) => rctType === undefined || rctTypes.includes(rctType));

/** Proof system of payments in transactions of a version. @throws ProtocolError `unknown-era` if the era has none */
export function payingProofs(era: Era, version: Transaction['version'] = 2): ProofSystem {
  const newest = allowedProofs(era).findLast((proofs) => proofs.version === version);
  if (newest === undefined) throw new ProtocolError('unknown-era', `expected an era with payments of version ${version}`);
  return newest;
}
