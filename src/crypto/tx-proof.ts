import { asciiToBytes, concatBytes, equalBytes, requireLength, wipe } from '../base/index.ts';
import { hashToScalar, keccak256 } from './hash.ts';
import { arePoints, G, multiScalarMulVartime, scalarMulPoints } from './point.ts';
import { hedgedScalar, type Random } from './random.ts';
import { scalarMulSub } from './scalar.ts';
import { challengeAndResponse } from './signature.ts';

/** The reference's first form (0.12 and before) and the present one. */
export type TxProofVersion = 1 | 2;

/** Statement of a proof: R = r·G (or r·B for a subaddress) and D = r·A for one r. 32 bytes each. */
export interface TxProofStatement {
  /** The hash that is signed. */
  readonly hash: Uint8Array;
  /** The transaction's public key. */
  readonly R: Uint8Array;
  /** The recipient's public view key. */
  readonly A: Uint8Array;
  /** The recipient's public spend key when that is a subaddress. */
  readonly B: Uint8Array | undefined;
  /** The shared point. */
  readonly D: Uint8Array;
}

const DOMAIN_V2 = asciiToBytes('TXPROOF_V2');

function challenge(statement: TxProofStatement, X: Uint8Array, Y: Uint8Array, version: TxProofVersion): Uint8Array {
  const { hash, R, A, B, D } = statement;
  if (version === 1) return hashToScalar(hash, D, X, Y);
  return hashToScalar(hash, D, X, Y, keccak256(DOMAIN_V2), R, A, B ?? new Uint8Array(32));
}

/**
 * Proves knowledge of r without showing it: a Schnorr proof, 64 bytes c ‖ r (`generate_tx_proof` and `generate_tx_proof_v1`,
 * crypto.cpp). The nonce is hedged.
 * @throws CryptoError `bad-point`, `weak-randomness`
 */
export function generateTxProof(
  statement: TxProofStatement,
  r: Uint8Array,
  random: Random,
  version: TxProofVersion = 2,
): Uint8Array {
  const { hash, R, A, B, D } = statement;
  const k = hedgedScalar(random, 'tx proof', r, requireLength(hash, 32), R, A, D);
  const [X, Y] = scalarMulPoints([k, k], [B ?? G, A]) as [Uint8Array, Uint8Array];
  const c = challenge(statement, X, Y, version);
  const proof = concatBytes(c, scalarMulSub(c, r, k));
  wipe(k);
  return proof;
}

/** Whether the proof of a statement holds (`check_tx_proof`, crypto.cpp). */
export function checkTxProof(statement: TxProofStatement, proof: Uint8Array, version: TxProofVersion): boolean {
  const { hash, R, A, B, D } = statement;
  if (hash.length !== 32 || !arePoints(B === undefined ? [R, A, D] : [R, A, B, D])) return false;
  const [c, r] = challengeAndResponse(proof) ?? [];
  if (c === undefined || r === undefined) return false;
  const X = multiScalarMulVartime([c, r], [R, B ?? G]);
  const Y = multiScalarMulVartime([c, r], [D, A]);
  return equalBytes(challenge(statement, X, Y, version), c);
}
