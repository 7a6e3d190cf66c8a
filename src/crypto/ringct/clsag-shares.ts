import { asciiToBytes, concatBytes, padBytes, requireLength, u32ToBytes, wipe } from '../../base/index.ts';
import { CryptoError } from '../errors.ts';
import { hashToScalar } from '../hash.ts';
import { kernels } from '../load.ts';
import { areInMainSubgroup, G, hashToEc, multiScalarMulVartime, pointMul8, scalarMulPoint, scalarMulPoints } from '../point.ts';
import { SCALAR_ONE, SCALAR_ZERO, scalarMul, scalarMulAdd } from '../scalar.ts';
import { closingResponse, INV_EIGHT, type RingChallenge } from './clsag.ts';
import { Ring, ringKernelInput } from './ring-challenges.ts';
import type { RingMember } from './types.ts';

/**
 * CLSAG by several signers, each of whom holds a part of the secret key (`CLSAG_context_t`, multisig_clsag_context.cpp). Every signer has
 * two nonces for each input, as in MuSig2: the nonce that signs is their sum, weighted by a hash of all nonces and of everything that is
 * signed. So nobody can choose nonces depending on the others', which the attack of Drijvers et al. requires.
 */

/** Nonces of one signer for one input. */
export const NONCES_OF_INPUT = 2;

const BINDING_DOMAIN = padBytes(asciiToBytes('CLSAG_round_ms_merge_factor'), 32);

/** Values that all signers of one input must agree on. 32 bytes each. */
export interface SharedClsag {
  /** The hash of the transaction that is signed (`get_pre_mlsag_hash`). */
  readonly message: Uint8Array;
  readonly ring: readonly RingMember[];
  /** Position in the ring of the output that is spent, from 0. */
  readonly index: number;
  readonly keyImage: Uint8Array;
  /** The commitment key image divided by 8, as on the wire. */
  readonly D: Uint8Array;
  readonly pseudoOut: Uint8Array;
  /** One response for each ring member; the one at `index` is the sum of the shares, and is ignored here. */
  readonly s: readonly Uint8Array[];
}

/** Sums over the signers of their public nonces, {@link NONCES_OF_INPUT} each: k·G, and k·Hp of the output's key. */
export interface NonceSums {
  readonly left: readonly Uint8Array[];
  readonly right: readonly Uint8Array[];
}

/** Values that follow from the nonces. Scalars. */
export interface BoundChallenge extends RingChallenge {
  /** Weighs the second nonce of every signer. */
  readonly factor: Uint8Array;
  /** The challenge of the ring's first member: part of the signature. */
  readonly c1: Uint8Array;
}

/**
 * The challenge of an input with these nonces.
 * @throws CryptoError `bad-point` for nonces outside of the prime subgroup and a malformed ring; `bad-argument`
 */
export function boundChallenge(shared: SharedClsag, sums: NonceSums): BoundChallenge {
  const { message, ring, index, keyImage, D, pseudoOut, s } = shared;
  if (ring[index] === undefined || s.length !== ring.length)
    throw new CryptoError('bad-argument', 'expected an index inside the ring');
  const { left, right } = sums;
  if (left.length !== NONCES_OF_INPUT || right.length !== NONCES_OF_INPUT)
    throw new CryptoError('bad-argument', `expected ${NONCES_OF_INPUT} nonces`);
  if (!areInMainSubgroup([...left, ...right])) throw new CryptoError('bad-point', 'expected nonces of the prime subgroup');
  const factor = bindingFactor(shared, sums);
  const weights = [SCALAR_ONE, factor];
  const [L, R] = [multiScalarMulVartime(weights, left), multiScalarMulVartime(weights, right)];
  return kernels().scratch(() => {
    const walk = new Ring(ringKernelInput(message, keyImage, D, pseudoOut, ring), ring.length, false);
    return { factor, ...walk.around(index, L, R, s), ...walk.weights() };
  });
}

/** Hash of everything that is signed and of all nonces: changing any of it changes every nonce that signs. */
function bindingFactor({ message, ring, index, keyImage, D, pseudoOut, s }: SharedClsag, { left, right }: NonceSums): Uint8Array {
  const parts = [
    BINDING_DOMAIN,
    ...ring.map(({ key }) => key),
    ...ring.map(({ commitment }) => commitment),
    ...[pseudoOut, message, ...left, ...right, keyImage, pointMul8(D)],
    ...s.filter((_, i) => i !== index),
    ...[index, NONCES_OF_INPUT, ring.length].map((value) => padBytes(u32ToBytes(value), 32)),
  ];
  return hashToScalar(concatBytes(...parts.map((part) => requireLength(part, 32))));
}

/**
 * A signer's share of the response: the weighted nonces less c times the weighted secret. The shares of all signers add up to the response
 * of the spent ring member. Constant time; nonces and secret stay the caller's.
 * @param nonces secret, {@link NONCES_OF_INPUT} scalars that never sign anything else
 * @param secret the signer's part of the secret key, a scalar
 * @param maskDifference given by one signer, who also answers for the amount: the output's mask less that of the pseudo output
 */
export function clsagShare(
  challenge: BoundChallenge,
  nonces: readonly Uint8Array[],
  secret: Uint8Array,
  maskDifference: Uint8Array = SCALAR_ZERO,
): Uint8Array {
  const [first, second] = nonces;
  if (first === undefined || second === undefined || nonces.length !== NONCES_OF_INPUT)
    throw new CryptoError('bad-argument', `expected ${NONCES_OF_INPUT} nonces`);
  const nonce = scalarMulAdd(second, challenge.factor, first);
  const share = closingResponse(challenge, secret, maskDifference, nonce);
  wipe(nonce);
  return share;
}

/** Public halves of nonces for an output of a given key, 32 bytes each: k·G, then k·Hp(key). Constant time. */
export function noncePoints(nonces: readonly Uint8Array[], key: Uint8Array): { left: Uint8Array; right: Uint8Array }[] {
  const base = hashToEc(key);
  const scalars = nonces.flatMap((nonce) => [nonce, nonce]);
  const points = scalarMulPoints(
    scalars,
    nonces.flatMap(() => [G, base]),
  );
  return nonces.map((_, i) => ({ left: points[2 * i]!, right: points[2 * i + 1]! }));
}

/** The commitment key image of the spent output, divided by 8: z/8 · Hp(key). @param z difference of its masks; secret */
export function commitmentImage(z: Uint8Array, key: Uint8Array): Uint8Array {
  const over8 = scalarMul(z, INV_EIGHT);
  const D = scalarMulPoint(over8, hashToEc(key));
  wipe(over8);
  return D;
}
