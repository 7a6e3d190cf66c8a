/**
 * The compression function of Argon2 (RFC 9106, 3.5 and 3.6). Each vector has two words, so that BLAKE2b's operations on a row of four words become
 * operations on two vectors.
 */

/** Bytes of a block: 8 × 8 vectors. */
export const BLOCK: usize = 1024;
/** Bytes of a row of 8 vectors: the distance from a vector to the one below it. */
const ROW: usize = 128;
const VECTOR: usize = 16;

const MIXED: usize = memory.data(1024, 64);
const KEPT: usize = memory.data(1024, 64);

/** x + y + 2·low(x)·low(y) of each word, low its lower 32 bits. */
@inline
function multiplyAdd(x: v128, y: v128): v128 {
  const product = i64x2.extmul_low_i32x4_u(v128.shuffle<u32>(x, x, 0, 2, 0, 2), v128.shuffle<u32>(y, y, 0, 2, 0, 2));
  return i64x2.add(i64x2.add(x, y), i64x2.add(product, product));
}

/** Rotations of each word to the right: by halves and quarters of a word as shuffles, for which engines have an instruction. */
@inline
function turn32(x: v128): v128 {
  return v128.shuffle<u32>(x, x, 1, 0, 3, 2);
}
@inline
function turn24(x: v128): v128 {
  return v128.or(i64x2.shr_u(x, 24), i64x2.shl(x, 40));
}
@inline
function turn16(x: v128): v128 {
  return v128.shuffle<u16>(x, x, 1, 2, 3, 0, 5, 6, 7, 4);
}
@inline
function turn63(x: v128): v128 {
  return v128.or(i64x2.shr_u(x, 63), i64x2.add(x, x));
}

/** The upper word of x, then the lower word of y. */
@inline
function across(x: v128, y: v128): v128 {
  return v128.shuffle<u64>(x, y, 1, 2);
}

/** The permutation P of the 16 words in 8 vectors, `step` bytes apart. */
@inline
function permute(at: usize, step: usize): void {
  let a0 = v128.load(at);
  let a1 = v128.load(at + step);
  let b0 = v128.load(at + 2 * step);
  let b1 = v128.load(at + 3 * step);
  let c0 = v128.load(at + 4 * step);
  let c1 = v128.load(at + 5 * step);
  let d0 = v128.load(at + 6 * step);
  let d1 = v128.load(at + 7 * step);

  // Columns of the 4 × 4 square of words.
  a0 = multiplyAdd(a0, b0);
  a1 = multiplyAdd(a1, b1);
  d0 = turn32(v128.xor(d0, a0));
  d1 = turn32(v128.xor(d1, a1));
  c0 = multiplyAdd(c0, d0);
  c1 = multiplyAdd(c1, d1);
  b0 = turn24(v128.xor(b0, c0));
  b1 = turn24(v128.xor(b1, c1));
  a0 = multiplyAdd(a0, b0);
  a1 = multiplyAdd(a1, b1);
  d0 = turn16(v128.xor(d0, a0));
  d1 = turn16(v128.xor(d1, a1));
  c0 = multiplyAdd(c0, d0);
  c1 = multiplyAdd(c1, d1);
  b0 = turn63(v128.xor(b0, c0));
  b1 = turn63(v128.xor(b1, c1));

  // Its diagonals: the second row by one word, the third by two, the fourth by three.
  let e0 = across(b0, b1);
  let e1 = across(b1, b0);
  let f0 = across(d1, d0);
  let f1 = across(d0, d1);
  a0 = multiplyAdd(a0, e0);
  a1 = multiplyAdd(a1, e1);
  f0 = turn32(v128.xor(f0, a0));
  f1 = turn32(v128.xor(f1, a1));
  c1 = multiplyAdd(c1, f0);
  c0 = multiplyAdd(c0, f1);
  e0 = turn24(v128.xor(e0, c1));
  e1 = turn24(v128.xor(e1, c0));
  a0 = multiplyAdd(a0, e0);
  a1 = multiplyAdd(a1, e1);
  f0 = turn16(v128.xor(f0, a0));
  f1 = turn16(v128.xor(f1, a1));
  c1 = multiplyAdd(c1, f0);
  c0 = multiplyAdd(c0, f1);
  e0 = turn63(v128.xor(e0, c1));
  e1 = turn63(v128.xor(e1, c0));

  v128.store(at, a0);
  v128.store(at + step, a1);
  v128.store(at + 2 * step, across(e1, e0));
  v128.store(at + 3 * step, across(e0, e1));
  v128.store(at + 4 * step, c0);
  v128.store(at + 5 * step, c1);
  v128.store(at + 6 * step, across(f0, f1));
  v128.store(at + 7 * step, across(f1, f0));
}

/** P of each of the 8 rows of 8 vectors. */
function permuteRows(block: usize): void {
  for (let at = block; at < block + BLOCK; at += ROW) permute(at, VECTOR);
}

/** P of each of the 8 columns. */
function permuteColumns(block: usize): void {
  for (let at = block; at < block + ROW; at += VECTOR) permute(at, ROW);
}

/** `to` becomes G(x, y), or with `added` the XOR of that and its earlier value. */
export function compress(to: usize, x: usize, y: usize, added: bool): void {
  for (let at: usize = 0; at < BLOCK; at += VECTOR) {
    const both = v128.xor(v128.load(x + at), v128.load(y + at));
    v128.store(MIXED + at, both);
    v128.store(KEPT + at, added ? v128.xor(both, v128.load(to + at)) : both);
  }
  permuteRows(MIXED);
  permuteColumns(MIXED);
  for (let at: usize = 0; at < BLOCK; at += VECTOR) v128.store(to + at, v128.xor(v128.load(MIXED + at), v128.load(KEPT + at)));
}

/** Wipes the last blocks. */
export function wipeScratch(): void {
  memory.fill(MIXED, 0, BLOCK);
  memory.fill(KEPT, 0, BLOCK);
}
