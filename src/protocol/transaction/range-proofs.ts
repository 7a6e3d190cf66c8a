import type { BulletproofPlusProof } from '../../crypto/index.ts';
import type { ByteReader, ByteWriter } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';
import type { BorromeanRangeProof, Bulletproof } from '../model.ts';

const BITS = 64;
/** Six rounds fold the 64 bits of one amount; each doubling, up to 16 amounts, takes one more. */
const MIN_ROUNDS = 6;
const MAX_ROUNDS = 10;
const BORROMEAN_KEYS = 3 * BITS + 1;

/** Number of amounts that fit into a proof of this many rounds: 1, 2, 4, 8 or 16. */
export function proofCapacity(rounds: number): number {
  return 2 ** (rounds - MIN_ROUNDS);
}

/** One proof per output, 6,176 bytes each (`rangeSig`, rctTypes.h). @throws ProtocolError `truncated`, before anything is allocated */
export function readBorromeanProofs(reader: ByteReader, outputs: number): BorromeanRangeProof[] {
  if (outputs * BORROMEAN_KEYS * 32 > reader.remaining) {
    throw new ProtocolError('truncated', `expected ${outputs} Borromean range proofs, only ${reader.remaining} bytes remain`);
  }
  return Array.from({ length: outputs }, () => ({
    s0: reader.keys(BITS),
    s1: reader.keys(BITS),
    ee: reader.key(),
    Ci: reader.keys(BITS),
  }));
}

/** @throws ProtocolError `bad-structure` unless every list has 64 elements */
export function writeBorromeanProof(writer: ByteWriter, proof: BorromeanRangeProof): void {
  for (const list of [proof.s0, proof.s1, proof.Ci]) {
    if (list.length !== BITS)
      throw new ProtocolError('bad-structure', `expected ${BITS} elements a Borromean proof, got ${list.length}`);
  }
  writer.keys(proof.s0).keys(proof.s1).key(proof.ee).keys(proof.Ci);
}

/**
 * One proof for `outputs` amounts: six keys, L and R of each round, three scalars (`Bulletproof`, rctTypes.h).
 * @throws ProtocolError `bad-structure`
 */
export function readBulletproof(reader: ByteReader, outputs: number): Bulletproof {
  const [A, S, T1, T2, taux, mu] = reader.keys(6) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const { L, R } = readRounds(reader, outputs);
  return { A, S, T1, T2, taux, mu, L, R, a: reader.key(), b: reader.key(), t: reader.key() };
}

/** Inverse of {@link readBulletproof}. */
export function writeBulletproof(writer: ByteWriter, proof: Bulletproof): void {
  const { A, S, T1, T2, taux, mu, L, R, a, b, t } = proof;
  writer.keys([A, S, T1, T2, taux, mu]);
  writeRounds(writer, L, R);
  writer.keys([a, b, t]);
}

/** One proof for `outputs` amounts: six keys, then L and R of each round (`BulletproofPlus`, rctTypes.h). @throws ProtocolError `bad-structure` */
export function readBulletproofPlus(reader: ByteReader, outputs: number): BulletproofPlusProof {
  const [A, A1, B, r1, s1, d1] = reader.keys(6) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  return { A, A1, B, r1, s1, d1, ...readRounds(reader, outputs) };
}

/** Inverse of {@link readBulletproofPlus}. */
export function writeBulletproofPlus(writer: ByteWriter, proof: BulletproofPlusProof): void {
  const { A, A1, B, r1, s1, d1, L, R } = proof;
  writer.keys([A, A1, B, r1, s1, d1]);
  writeRounds(writer, L, R);
}

/** L and R, each with its count: equally many, and enough for all outputs (expand_transaction_1). */
function readRounds(reader: ByteReader, outputs: number): { L: Uint8Array[]; R: Uint8Array[] } {
  const L = reader.keys(reader.count(32));
  const R = reader.keys(reader.count(32));
  const valid = L.length === R.length && L.length >= MIN_ROUNDS && L.length <= MAX_ROUNDS && proofCapacity(L.length) >= outputs;
  if (!valid) {
    throw new ProtocolError(
      'bad-structure',
      `expected a range proof for ${outputs} outputs, got one of ${L.length} and ${R.length} rounds`,
    );
  }
  return { L, R };
}

function writeRounds(writer: ByteWriter, L: readonly Uint8Array[], R: readonly Uint8Array[]): void {
  writer.varint(L.length).keys(L).varint(R.length).keys(R);
}
