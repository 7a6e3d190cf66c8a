import { concatBytes, equalBytes, requireLength, wipe } from '../base/index.ts';
import { CryptoError } from './errors.ts';
import { hashToScalar } from './hash.ts';
import { G, hashToEc, IDENTITY, isPoint, multiScalarMulVartime, scalarMulBase, scalarMulPoint } from './point.ts';
import { hedgedScalar, type Random, randomScalar } from './random.ts';
import { isCanonicalScalar, SCALAR_ZERO, scalarAdd, scalarIsZero, scalarMulSub, scalarSub } from './scalar.ts';

/** Challenge and response of a signature or proof, c ‖ r; undefined unless they are two canonical scalars. */
export function challengeAndResponse(signature: Uint8Array): [c: Uint8Array, r: Uint8Array] | undefined {
  const [c, r] = [signature.subarray(0, 32), signature.subarray(32)];
  return isCanonicalScalar(c) && isCanonicalScalar(r) ? [c, r] : undefined;
}

/**
 * A Schnorr signature of a 32-byte hash, 64 bytes c ‖ r (`generate_signature`, crypto.cpp). The nonce is hedged.
 * @param pub the public key of `sec`
 * @throws CryptoError `weak-randomness`
 */
export function generateSignature(hash: Uint8Array, pub: Uint8Array, sec: Uint8Array, random: Random): Uint8Array {
  for (;;) {
    const k = hedgedScalar(random, 'signature', sec, pub, hash);
    const c = hashToScalar(requireLength(hash, 32), pub, scalarMulBase(k));
    const r = scalarMulSub(c, sec, k);
    wipe(k);
    if (!scalarIsZero(c) && !scalarIsZero(r)) return concatBytes(c, r);
  }
}

/** Whether a 64-byte signature of a hash is that of `pub` (`check_signature`, crypto.cpp). */
export function checkSignature(hash: Uint8Array, pub: Uint8Array, signature: Uint8Array): boolean {
  const [c, r] = challengeAndResponse(signature) ?? [];
  if (c === undefined || r === undefined || !isPoint(pub) || scalarIsZero(c)) return false;
  const commitment = multiScalarMulVartime([c, r], [pub, G]);
  if (equalBytes(commitment, IDENTITY)) return false;
  return equalBytes(hashToScalar(hash, pub, commitment), c);
}

/**
 * A ring signature of version 1 transactions: one 64-byte signature for each member (`generate_ring_signature`, crypto.cpp).
 * @param ring the public keys of all members; `index` is the position of the one whose secret `sec` is
 * @throws CryptoError `bad-point` for a member that is not a point, `bad-argument` for an index outside the ring
 */
export function generateRingSignature(
  hash: Uint8Array,
  keyImage: Uint8Array,
  ring: readonly Uint8Array[],
  sec: Uint8Array,
  index: number,
  random: Random,
): Uint8Array[] {
  const own = ring[index];
  if (own === undefined) throw new CryptoError('bad-argument', 'expected an index inside the ring');
  const k = hedgedScalar(random, 'ring signature', sec, keyImage, hash);
  const decoys = ring.map((_, i) => (i === index ? undefined : { c: randomScalar(random), r: randomScalar(random) }));
  const commitments = ring.flatMap((pub, i) => {
    const decoy = decoys[i];
    if (decoy === undefined) return [scalarMulBase(k), scalarMulPoint(k, hashToEc(pub))];
    return memberCommitments(decoy.c, decoy.r, pub, keyImage);
  });
  const total = hashToScalar(requireLength(hash, 32), ...commitments);
  const c = decoys.reduce((rest, decoy) => (decoy === undefined ? rest : scalarSub(rest, decoy.c)), total);
  const signatures = decoys.map((decoy) =>
    decoy === undefined ? concatBytes(c, scalarMulSub(c, sec, k)) : concatBytes(decoy.c, decoy.r),
  );
  wipe(k);
  return signatures;
}

/** c·P + r·G and r·Hp(P) + c·I. */
function memberCommitments(c: Uint8Array, r: Uint8Array, pub: Uint8Array, keyImage: Uint8Array): Uint8Array[] {
  return [multiScalarMulVartime([c, r], [pub, G]), multiScalarMulVartime([r, c], [hashToEc(pub), keyImage])];
}

/**
 * Whether a ring signature was made by a member of the ring with this key image (`check_ring_signature`, crypto.cpp). The caller checks
 * that the key image lies in the prime subgroup, as in the reference.
 */
export function checkRingSignature(
  hash: Uint8Array,
  keyImage: Uint8Array,
  ring: readonly Uint8Array[],
  signatures: readonly Uint8Array[],
): boolean {
  if (ring.length !== signatures.length || !isPoint(keyImage)) return false;
  let sum: Uint8Array = SCALAR_ZERO;
  const commitments: Uint8Array[] = [];
  for (const [i, pub] of ring.entries()) {
    const [c, r] = challengeAndResponse(signatures[i]!) ?? [];
    if (c === undefined || r === undefined || !isPoint(pub)) return false;
    commitments.push(...memberCommitments(c, r, pub, keyImage));
    sum = scalarAdd(sum, c);
  }
  return equalBytes(hashToScalar(hash, ...commitments), sum);
}
