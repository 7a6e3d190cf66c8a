import { CryptoError } from '../errors.ts';
import type { Random } from '../random.ts';
import type { BulletproofPlusProof, RangeProofItem } from './types.ts';
export function bulletproofPlusProve(
  _amounts: readonly bigint[],
  _masks: readonly Uint8Array[],
  _random: Random,
): { proof: BulletproofPlusProof; commitments: Uint8Array[] } {
  throw new CryptoError('not-loaded', 'expected the range prover');
}
export function bulletproofPlusVerify(_items: readonly RangeProofItem[], _random: Random): boolean {
  throw new CryptoError('not-loaded', 'expected the range verifier');
}
