import { equalBytes, hexToBytes, wipe } from '../../base/index.ts';
import { CryptoError } from '../errors.ts';
import { kernels } from '../load.ts';
import { areInMainSubgroup, G, hashToEc, IDENTITY, pointSub, pointsMul8, scalarMulBase, scalarMulPoints } from '../point.ts';
import { hedgedScalar, type Random, randomScalar } from '../random.ts';
import { isCanonicalScalar, scalarIsZero, scalarMul, scalarMulAdd, scalarMulSub, scalarSub } from '../scalar.ts';
import { nextChallenges, Ring, ringKernelInput } from './ring-challenges.ts';
import type { ClsagSignature, RingMember } from './types.ts';

/** Inputs of a signature of one input. Scalars, points and the message are 32 bytes each. */
export interface ClsagRequest {
  /** The hash of the transaction that is signed (`get_pre_mlsag_hash`). */
  readonly message: Uint8Array;
  readonly ring: readonly RingMember[];
  /** Position in the ring of the output that is spent, from 0. */
  readonly index: number;
  /** The one-time secret key of that output. */
  readonly secret: Uint8Array;
  /** The mask of its commitment. */
  readonly mask: Uint8Array;
  /** The pseudo output: a commitment to the same amount, and its mask. */
  readonly pseudoOut: Uint8Array;
  readonly pseudoMask: Uint8Array;
}

/** 1/8 modulo the group order. */
export const INV_EIGHT = hexToBytes('792fdce229e50661d0da1c7db39dd30700000000000000000000000000000006');

/**
 * Signs one input: proves knowledge of one ring member's secret key and that its commitment less the pseudo output is one
 * to zero, without saying which (CLSAG: Goodell, Noether, RandomRun, eprint 2019/654; `CLSAG_Gen`, rctSigs.cpp).
 * The nonce is hedged; secrets derived here are wiped.
 * @throws CryptoError `bad-argument` when the index is outside the ring or the secrets do not open its member; `bad-point`;
 *   `weak-randomness`
 */
export function clsagSign(request: ClsagRequest, random: Random): { clsag: ClsagSignature; keyImage: Uint8Array } {
  const own = request.ring[request.index];
  if (own === undefined) throw new CryptoError('bad-argument', 'expected an index inside the ring');
  const z = scalarSub(request.mask, request.pseudoMask);
  const nonce = hedgedScalar(random, 'CLSAG', request.secret, z, request.message, own.key);
  try {
    const difference = pointSub(own.commitment, request.pseudoOut);
    if (!equalBytes(scalarMulBase(request.secret), own.key) || !equalBytes(scalarMulBase(z), difference)) {
      throw new CryptoError('bad-argument', 'expected the secrets of the ring member at the index');
    }
    return sign(request, z, nonce, own, random);
  } finally {
    wipe(z, nonce);
  }
}

function sign(
  { message, ring, index, secret, pseudoOut }: ClsagRequest,
  z: Uint8Array,
  nonce: Uint8Array,
  own: RingMember,
  random: Random,
) {
  const zOver8 = scalarMul(z, INV_EIGHT);
  const base = hashToEc(own.key);
  const products = scalarMulPoints([secret, zOver8, nonce, nonce], [base, base, base, G]);
  wipe(zOver8);
  const [keyImage, D, right, left] = products as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const s = ring.map(() => randomScalar(random));
  const c1 = kernels().scratch(() => {
    const walk = new Ring(ringKernelInput(message, keyImage, D, pseudoOut, ring), ring.length, false);
    const { c, c1 } = walk.around(index, left, right, s);
    s[index] = closingResponse({ c, ...walk.weights() }, secret, z, nonce);
    return c1;
  });
  return { clsag: { s, c1, D }, keyImage };
}

/** Challenge that the response of the spent member answers, and the weights of its key and of the difference of its masks. */
export interface RingChallenge {
  readonly c: Uint8Array;
  /** Weighs the secret key in the response. */
  readonly muP: Uint8Array;
  /** Weighs the difference of the masks. */
  readonly muC: Uint8Array;
}

/** nonce − c·(muP·secret + muC·z): the response that closes the ring. */
export function closingResponse(
  { c, muP, muC }: RingChallenge,
  secret: Uint8Array,
  z: Uint8Array,
  nonce: Uint8Array,
): Uint8Array {
  const weightedZ = scalarMul(muC, z);
  const weighted = scalarMulAdd(muP, secret, weightedZ);
  const response = scalarMulSub(c, weighted, nonce);
  wipe(weightedZ, weighted);
  return response;
}

/** Statement of one signature: some member of the ring is spent, under this key image, with the amount of this pseudo output. 32 bytes each. */
export interface ClsagClaim {
  readonly clsag: ClsagSignature;
  readonly ring: readonly RingMember[];
  readonly keyImage: Uint8Array;
  readonly pseudoOut: Uint8Array;
}

function wellFormed({ clsag, ring, pseudoOut }: ClsagClaim): boolean {
  return (
    ring.length >= 1 &&
    clsag.s.length === ring.length &&
    clsag.s.every(isCanonicalScalar) &&
    isCanonicalScalar(clsag.c1) &&
    [pseudoOut, ...ring.flatMap((member) => [member.key, member.commitment])].every((bytes) => bytes.length === 32)
  );
}

/** Whether key images lie in the prime subgroup, commitment images are points, and neither is the neutral element. */
function imagesHold(claims: readonly ClsagClaim[]): boolean {
  const keyImages = claims.map(({ keyImage }) => keyImage);
  const commitmentImages = claims.map(({ clsag }) => clsag.D);
  if (!areInMainSubgroup(keyImages) || !commitmentImages.every((image) => image.length === 32)) return false;
  const eightfold = pointsMul8(commitmentImages);
  return eightfold !== undefined && ![...keyImages, ...eightfold].some((image) => equalBytes(image, IDENTITY));
}

/**
 * Whether all signatures of one message (32 bytes) hold: each as `verRctCLSAGSimple` (rctSigs.cpp), and with a key image in the prime
 * subgroup, which the reference checks elsewhere (`check_tx_inputs_keyimages_domain`). All inputs of a transaction at once are cheaper than
 * one by one. Never throws; variable time.
 */
export function clsagVerify(message: Uint8Array, claims: readonly ClsagClaim[]): boolean {
  if (message.length !== 32 || !claims.every(wellFormed) || !imagesHold(claims)) return false;
  return kernels().scratch(() => {
    try {
      return ringsClose(message, claims);
    } catch (error) {
      if (error instanceof CryptoError && error.code === 'bad-point') return false;
      throw error;
    }
  });
}

/** Walks around all rings in step. Smaller ones stop earlier. */
function ringsClose(message: Uint8Array, claims: readonly ClsagClaim[]): boolean {
  const walks = claims.map(({ clsag, ring, keyImage, pseudoOut }) => ({
    clsag,
    ring: new Ring(ringKernelInput(message, keyImage, clsag.D, pseudoOut, ring), ring.length, claims.length > 1),
    c: clsag.c1,
  }));
  const largest = Math.max(0, ...walks.map(({ clsag }) => clsag.s.length));
  for (let i = 0; i < largest; i++) {
    const going = walks.filter(({ clsag }) => i < clsag.s.length);
    const next = nextChallenges(
      going.map(({ ring }) => ring),
      i,
      going.map(({ clsag }) => clsag.s[i]!),
      going.map(({ c }) => c),
    );
    if (next.some(scalarIsZero)) return false;
    for (const [j, walk] of going.entries()) walk.c = next[j]!;
  }
  return walks.every(({ clsag, c }) => equalBytes(c, clsag.c1));
}
