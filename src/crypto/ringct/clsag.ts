import { asciiToBytes, equalBytes, wipe } from '../bytes.ts';
import { CryptoError } from '../errors.ts';
import { hashToScalar } from '../hash.ts';
import {
  G,
  hashToEc,
  IDENTITY,
  isInMainSubgroup,
  isPoint,
  multiScalarMulVartime,
  pointMul8,
  pointSub,
  scalarMulBase,
  scalarMulPoint,
} from '../point.ts';
import { hedgedScalar, type Random, randomScalar } from '../random.ts';
import {
  isCanonicalScalar,
  scalarFromBigint,
  scalarInvert,
  scalarIsZero,
  scalarMul,
  scalarMulAdd,
  scalarNegate,
  scalarSub,
} from '../scalar.ts';
import type { ClsagSignature, RingMember } from './types.ts';

/** What signs one input. Scalars, points and the message are 32 bytes each. */
export interface ClsagRequest {
  /** The hash of the transaction that is signed (`get_pre_mlsag_hash`). */
  readonly message: Uint8Array;
  readonly ring: readonly RingMember[];
  /** Where in the ring the spent output is. */
  readonly index: number;
  /** The one-time secret key of that output. */
  readonly secret: Uint8Array;
  /** The mask of its commitment. */
  readonly mask: Uint8Array;
  /** The pseudo output: a commitment to the same amount, and its mask. */
  readonly pseudoOut: Uint8Array;
  readonly pseudoMask: Uint8Array;
}

const INV_EIGHT = scalarInvert(scalarFromBigint(8n));

/** A domain name in the 32 bytes the reference gives it. */
function domain(name: string): Uint8Array {
  const bytes = new Uint8Array(32);
  bytes.set(asciiToBytes(name));
  return bytes;
}

const AGGREGATE_KEYS = domain('CLSAG_agg_0');
const AGGREGATE_COMMITMENTS = domain('CLSAG_agg_1');
const ROUND = domain('CLSAG_round');

interface Transcript {
  readonly muP: Uint8Array;
  readonly muC: Uint8Array;
  round(left: Uint8Array, right: Uint8Array): Uint8Array;
}

function transcript(
  message: Uint8Array,
  ring: readonly RingMember[],
  keyImage: Uint8Array,
  dOver8: Uint8Array,
  pseudoOut: Uint8Array,
): Transcript {
  const members = [...ring.map((member) => member.key), ...ring.map((member) => member.commitment)];
  return {
    muP: hashToScalar(AGGREGATE_KEYS, ...members, keyImage, dOver8, pseudoOut),
    muC: hashToScalar(AGGREGATE_COMMITMENTS, ...members, keyImage, dOver8, pseudoOut),
    round: (left, right) => hashToScalar(ROUND, ...members, pseudoOut, message, left, right),
  };
}

/** One step around the ring: the challenge of the next member from this one's response and challenge. */
function step(
  t: Transcript,
  member: RingMember,
  pseudoOut: Uint8Array,
  images: Images,
  s: Uint8Array,
  c: Uint8Array,
): Uint8Array {
  const keyWeight = scalarMul(t.muP, c);
  const commitmentWeight = scalarMul(t.muC, c);
  const offset = pointSub(member.commitment, pseudoOut);
  const left = multiScalarMulVartime([s, keyWeight, commitmentWeight], [G, member.key, offset]);
  const right = multiScalarMulVartime([s, keyWeight, commitmentWeight], [hashToEc(member.key), images.key, images.commitment]);
  return t.round(left, right);
}

interface Images {
  readonly key: Uint8Array;
  readonly commitment: Uint8Array;
}

/**
 * Signs one input: proves knowledge of one ring member's secret key and that its commitment less the pseudo output is one
 * to zero, without saying which (CLSAG: Goodell, Noether, RandomRun, eprint 2019/654; `CLSAG_Gen`, rctSigs.cpp).
 * The nonce is hedged; secrets derived here are wiped.
 * @throws CryptoError `bad-argument` when the index is outside the ring or the secrets do not open its member; `bad-point`;
 *   `weak-randomness`
 */
export function clsagSign(request: ClsagRequest, random: Random): { clsag: ClsagSignature; keyImage: Uint8Array } {
  const { message, ring, index, secret, pseudoOut } = request;
  const own = ring[index];
  if (own === undefined) throw new CryptoError('bad-argument', 'expected an index inside the ring');
  const z = scalarSub(request.mask, request.pseudoMask);
  if (!equalBytes(scalarMulBase(secret), own.key) || !equalBytes(scalarMulBase(z), pointSub(own.commitment, pseudoOut))) {
    throw new CryptoError('bad-argument', 'expected the secrets of the ring member at the index');
  }
  const base = hashToEc(own.key);
  const images: Images = { key: scalarMulPoint(secret, base), commitment: scalarMulPoint(z, base) };
  const dOver8 = scalarMulPoint(scalarMul(z, INV_EIGHT), base);
  const t = transcript(message, ring, images.key, dOver8, pseudoOut);

  const nonce = hedgedScalar(random, 'CLSAG', secret, z, message, images.key);
  const s: Uint8Array[] = ring.map(() => randomScalar(random));
  let c = t.round(scalarMulBase(nonce), scalarMulPoint(nonce, base));
  let c1 = c;
  for (let walked = 1; walked < ring.length; walked++) {
    const i = (index + walked) % ring.length;
    if (i === 0) c1 = c;
    c = step(t, ring[i]!, pseudoOut, images, s[i]!, c);
  }
  if (index === 0) c1 = c;
  const weighted = scalarMulAdd(t.muP, secret, scalarMul(t.muC, z));
  s[index] = scalarMulAdd(scalarNegate(c), weighted, nonce);
  wipe(nonce, z, weighted);
  return { clsag: { s, c1, D: dOver8 }, keyImage: images.key };
}

function wellFormed(clsag: ClsagSignature, ring: readonly RingMember[], keyImage: Uint8Array, pseudoOut: Uint8Array): boolean {
  return (
    ring.length >= 1 &&
    clsag.s.length === ring.length &&
    clsag.s.every(isCanonicalScalar) &&
    isCanonicalScalar(clsag.c1) &&
    isInMainSubgroup(keyImage) &&
    !equalBytes(keyImage, IDENTITY) &&
    isPoint(pseudoOut) &&
    isPoint(clsag.D) &&
    ring.every((member) => isPoint(member.key) && isPoint(member.commitment))
  );
}

/**
 * Whether one input's signature holds: as `verRctCLSAGSimple` (rctSigs.cpp), and that the key image lies in the prime
 * subgroup, which the reference checks elsewhere (`check_tx_inputs_keyimages_domain`).
 */
export function clsagVerify(
  message: Uint8Array,
  clsag: ClsagSignature,
  ring: readonly RingMember[],
  keyImage: Uint8Array,
  pseudoOut: Uint8Array,
): boolean {
  if (message.length !== 32 || !wellFormed(clsag, ring, keyImage, pseudoOut)) return false;
  const images: Images = { key: keyImage, commitment: pointMul8(clsag.D) };
  if (equalBytes(images.commitment, IDENTITY)) return false;
  const t = transcript(message, ring, keyImage, clsag.D, pseudoOut);
  let c = clsag.c1;
  for (const [i, member] of ring.entries()) {
    c = step(t, member, pseudoOut, images, clsag.s[i]!, c);
    if (scalarIsZero(c)) return false;
  }
  return equalBytes(c, clsag.c1);
}
