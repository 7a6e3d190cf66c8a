import { concatBytes, requireLength, u64ToBytes, wipe } from '../../base/index.ts';
import { commit } from '../commitment.ts';
import { CryptoError } from '../errors.ts';
import { kernels } from '../load.ts';
import { hedgedScalar, type Random, randomScalar } from '../random.ts';
import { isCanonicalScalar } from '../scalar.ts';
import type { BulletproofPlusProof, RangeProofItem } from './types.ts';

/** The most outputs one proof may aggregate (BULLETPROOF_PLUS_MAX_OUTPUTS). */
export const MAX_OUTPUTS = 16;

/** Rounds of the inner-product argument, which is the length of L and of R: log2 of 64 times the outputs, padded to a power of two. */
export function rangeProofRounds(outputs: number): number {
  return 6 + Math.ceil(Math.log2(Math.max(outputs, 1)));
}

/** alpha, r, s, delta, eta, then dL and dR of each round: each hedged with the masks and the amounts. */
function proverNonces(random: Random, rounds: number, secrets: readonly Uint8Array[]): Uint8Array {
  const nonces = new Uint8Array(32 * (5 + 2 * rounds));
  for (let at = 0; at < nonces.length; at += 32) {
    const nonce = hedgedScalar(random, `bulletproof+ ${at / 32}`, ...secrets);
    nonces.set(nonce, at);
    wipe(nonce);
  }
  return nonces;
}

/**
 * Proves that each amount lies in 0 … 2^64−1 (Bulletproofs+: Chung, Han, Ju, Kim, Seo, eprint 2020/735;
 * `bulletproof_plus_PROVE`, bulletproofs_plus.cc). Constant time in amounts, masks and nonces; nonces are hedged.
 * @param amounts one to sixteen
 * @param masks the masks of their commitments, in the same order
 * @returns the proof in the wire's form, and the commitments to the amounts (outPk, not divided by 8)
 * @throws CryptoError `bad-argument`, `bad-scalar`, `weak-randomness`; FormatError `out-of-range` for an amount beyond 64 bits
 */
export function bulletproofPlusProve(
  amounts: readonly bigint[],
  masks: readonly Uint8Array[],
  random: Random,
): { proof: BulletproofPlusProof; commitments: Uint8Array[] } {
  const outputs = amounts.length;
  if (outputs < 1 || outputs > MAX_OUTPUTS || masks.length !== outputs) {
    throw new CryptoError('bad-argument', 'expected one to sixteen amounts, and a mask for each');
  }
  if (!masks.every(isCanonicalScalar)) throw new CryptoError('bad-scalar', 'expected canonical masks');
  const rounds = rangeProofRounds(outputs);
  const commitments = amounts.map((amount, i) => commit(amount, masks[i]!));
  const bits = new Uint8Array(2 ** rounds / 8);
  for (const [i, amount] of amounts.entries()) bits.set(u64ToBytes(amount), 8 * i);
  const joinedMasks = concatBytes(...masks);
  const nonces = proverNonces(random, rounds, [joinedMasks, bits]);
  try {
    return { proof: runProver(bits, joinedMasks, commitments, rounds, nonces), commitments };
  } finally {
    wipe(nonces, joinedMasks, bits);
  }
}

function runProver(
  bits: Uint8Array,
  masks: Uint8Array,
  commitments: readonly Uint8Array[],
  rounds: number,
  nonces: Uint8Array,
): BulletproofPlusProof {
  const machine = kernels();
  const fields = machine.scratch(() => {
    const out = machine.alloc(32 * (6 + 2 * rounds));
    const [amountsAt, masksAt] = [machine.put(bits), machine.put(masks)];
    const [commitmentsAt, noncesAt] = [machine.put(concatBytes(...commitments)), machine.put(nonces)];
    const good = machine.exports.rangeProve(out, amountsAt, masksAt, commitmentsAt, commitments.length, rounds, noncesAt);
    if (good !== 1) throw new CryptoError('kernel-unavailable', 'expected memory for the range proof');
    return Array.from({ length: 6 + 2 * rounds }, (_, i) => machine.take(out + 32 * i, 32));
  });
  const [A1, B, A] = fields as [Uint8Array, Uint8Array, Uint8Array];
  const [r1, s1, d1] = fields.slice(3 + 2 * rounds) as [Uint8Array, Uint8Array, Uint8Array];
  return { A, A1, B, r1, s1, d1, L: fields.slice(3, 3 + rounds), R: fields.slice(3 + rounds, 3 + 2 * rounds) };
}

function wellFormed({ proof, commitments }: RangeProofItem): boolean {
  const outputs = commitments.length;
  return (
    outputs >= 1 &&
    outputs <= MAX_OUTPUTS &&
    proof.L.length === rangeProofRounds(outputs) &&
    proof.R.length === proof.L.length &&
    [proof.r1, proof.s1, proof.d1].every(isCanonicalScalar) &&
    pointsOf({ proof, commitments }).every((point) => point.length === 32)
  );
}

function pointsOf({ proof, commitments }: RangeProofItem): Uint8Array[] {
  return [proof.A1, proof.B, proof.A, ...proof.L, ...proof.R, ...commitments];
}

/** One proof as the kernel reads it (wasm/range/verify.ts). */
function record(item: RangeProofItem, random: Random): Uint8Array {
  const { proof, commitments } = item;
  const header = new Uint8Array(16);
  header[0] = commitments.length;
  header[4] = proof.L.length;
  const scalars = [randomScalar(random), proof.r1, proof.s1, proof.d1];
  return concatBytes(header, ...[...scalars, ...pointsOf(item)].map((field) => requireLength(field, 32)));
}

/**
 * Whether all proofs hold, checked together under random weights (`bulletproof_plus_VERIFY`, bulletproofs_plus.cc). An empty
 * batch holds.
 * @throws CryptoError `weak-randomness`
 */
export function bulletproofPlusVerify(items: readonly RangeProofItem[], random: Random): boolean {
  if (items.length === 0) return true;
  if (!items.every(wellFormed)) return false;
  const rounds = Math.max(...items.map(({ proof }) => proof.L.length));
  const points = items.reduce((total, item) => total + pointsOf(item).length, 0);
  const records = concatBytes(...items.map((item) => record(item, random)));
  const machine = kernels();
  return machine.scratch(() => machine.exports.rangeVerify(machine.put(records), items.length, rounds, points) === 1);
}
