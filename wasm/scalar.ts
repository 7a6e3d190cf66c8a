/**
 * Integers modulo the group order l = 2^252 + c, c = 27742317777372353535851937790883648493. All constant time.
 *
 * At every entry a scalar is 32 little-endian bytes; inputs may be any 256-bit integer, outputs are canonical (below l). Internally it is ten
 * signed limbs of 26 bits: a column of a product is at most ten products below 2^52, and 2^260 = -256c is folded back four limbs at a time, six
 * products of 52 bits more per column, so that 64-bit integers never overflow.
 */
import { wipe } from './memory';

const MASK: i64 = 0x3ffffff;
/** 256c and c in limbs of 26 bits. */
const FOLD: usize = memory.data<i64>([30665984, 13014845, 23429414, 42720883, 14612958, 5]);
const C: usize = memory.data<i64>([16110573, 10012311, 30238081, 58362846, 1367801]);
const ORDER: usize = memory.data<i64>([16110573, 10012311, 30238081, 58362846, 1367801, 0, 0, 0, 0, 262144]);
/** l itself and l - 2, little-endian. */
const ORDER_BYTES: usize = memory.data<u64>([0x5812631a5cf5d3ed, 0x14def9dea2f79cd6, 0, 0x1000000000000000]);
const INVERSION_EXPONENT: usize = memory.data<u64>([0x5812631a5cf5d3eb, 0x14def9dea2f79cd6, 0, 0x1000000000000000]);

/** Twenty columns: the workspace of every function here. */
const S: usize = memory.data(160, 16);

@inline
function limb(i: i32): i64 {
  return load<i64>(S + ((<usize>i) << 3));
}
@inline
function setLimb(i: i32, value: i64): void {
  store<i64>(S + ((<usize>i) << 3), value);
}

/** 26 bits from bit 26·i of the integer at p (32 bytes). */
@inline
function digit(p: usize, i: i32): i64 {
  const bit = 26 * i;
  const word = p + ((<usize>(bit >> 6)) << 3);
  const shift = <u64>(bit & 63);
  let value = load<u64>(word) >> shift;
  if (shift > 38 && bit < 192) value |= load<u64>(word, 8) << (64 - shift);
  return <i64>(value & <u64>MASK);
}

/** Sets columns 0 … 9 to the integer at p and the rest to zero. */
function read(p: usize): void {
  for (let i = 0; i < 10; i++) setLimb(i, digit(p, i));
  for (let i = 10; i < 20; i++) setLimb(i, 0);
}

/** Carries from limb `from` up to limb `to`, which keeps the rest. */
function carry(from: i32, to: i32): void {
  let c: i64 = 0;
  for (let i = from; i < to; i++) {
    const value = limb(i) + c;
    setLimb(i, value & MASK);
    c = value >> 26;
  }
  setLimb(to, limb(to) + c);
}

/** Folds limbs `high` down to `low` (26 bits and a sign each) back below 2^260. */
function fold(high: i32, low: i32): void {
  for (let k = high; k >= low; k--) {
    const x = limb(k);
    for (let j = 0; j < 6; j++) setLimb(k - 10 + j, limb(k - 10 + j) - x * load<i64>(FOLD + ((<usize>j) << 3)));
    setLimb(k, 0);
  }
}

/** Folds back what is above 2^252: from |value| < 2^262 to -2^137 … 2^252 + 2^137, from there to -c … 2^252 + c. */
function foldTop(): void {
  const value = limb(9);
  const q = value >> 18;
  setLimb(9, value & 0x3ffff);
  for (let j = 0; j < 5; j++) setLimb(j, limb(j) - q * load<i64>(C + ((<usize>j) << 3)));
  carry(0, 9);
}

/** Writes limbs 0 … 9 (|value| < 2^262, limb 9 holding the top) as the canonical scalar and wipes the workspace. */
function write(out: usize): void {
  carry(0, 9);
  foldTop();
  foldTop();
  const negative = limb(9) >> 63;
  for (let i = 0; i < 10; i++) setLimb(i, limb(i) + (negative & load<i64>(ORDER + ((<usize>i) << 3))));
  carry(0, 9);
  const x0 = limb(0),
    x1 = limb(1),
    x2 = limb(2),
    x3 = limb(3),
    x4 = limb(4);
  const x5 = limb(5),
    x6 = limb(6),
    x7 = limb(7),
    x8 = limb(8),
    x9 = limb(9);
  store<u64>(out, x0 | (x1 << 26) | (x2 << 52));
  store<u64>(out, (x2 >> 12) | (x3 << 14) | (x4 << 40), 8);
  store<u64>(out, (x4 >> 24) | (x5 << 2) | (x6 << 28) | (x7 << 54), 16);
  store<u64>(out, (x7 >> 10) | (x8 << 16) | (x9 << 42), 24);
  wipe(S, 160);
}

/** Columns 0 … 19, each below 2^57 in size, to the canonical scalar. */
function reduceColumns(out: usize): void {
  carry(0, 19);
  fold(19, 16);
  carry(6, 15);
  fold(15, 12);
  carry(2, 11);
  fold(11, 10);
  carry(0, 10);
  setLimb(9, limb(9) + (limb(10) << 26));
  setLimb(10, 0);
  write(out);
}

/** Adds a·b to the columns. */
function addProduct(a: usize, b: usize): void {
  const a0 = digit(a, 0),
    a1 = digit(a, 1),
    a2 = digit(a, 2),
    a3 = digit(a, 3),
    a4 = digit(a, 4);
  const a5 = digit(a, 5),
    a6 = digit(a, 6),
    a7 = digit(a, 7),
    a8 = digit(a, 8),
    a9 = digit(a, 9);
  const b0 = digit(b, 0),
    b1 = digit(b, 1),
    b2 = digit(b, 2),
    b3 = digit(b, 3),
    b4 = digit(b, 4);
  const b5 = digit(b, 5),
    b6 = digit(b, 6),
    b7 = digit(b, 7),
    b8 = digit(b, 8),
    b9 = digit(b, 9);
  setLimb(0, limb(0) + a0 * b0);
  setLimb(1, limb(1) + a0 * b1 + a1 * b0);
  setLimb(2, limb(2) + a0 * b2 + a1 * b1 + a2 * b0);
  setLimb(3, limb(3) + a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0);
  setLimb(4, limb(4) + a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0);
  setLimb(5, limb(5) + a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0);
  setLimb(6, limb(6) + a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0);
  setLimb(7, limb(7) + a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0);
  setLimb(8, limb(8) + a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3 + a6 * b2 + a7 * b1 + a8 * b0);
  setLimb(9, limb(9) + a0 * b9 + a1 * b8 + a2 * b7 + a3 * b6 + a4 * b5 + a5 * b4 + a6 * b3 + a7 * b2 + a8 * b1 + a9 * b0);
  setLimb(10, limb(10) + a1 * b9 + a2 * b8 + a3 * b7 + a4 * b6 + a5 * b5 + a6 * b4 + a7 * b3 + a8 * b2 + a9 * b1);
  setLimb(11, limb(11) + a2 * b9 + a3 * b8 + a4 * b7 + a5 * b6 + a6 * b5 + a7 * b4 + a8 * b3 + a9 * b2);
  setLimb(12, limb(12) + a3 * b9 + a4 * b8 + a5 * b7 + a6 * b6 + a7 * b5 + a8 * b4 + a9 * b3);
  setLimb(13, limb(13) + a4 * b9 + a5 * b8 + a6 * b7 + a7 * b6 + a8 * b5 + a9 * b4);
  setLimb(14, limb(14) + a5 * b9 + a6 * b8 + a7 * b7 + a8 * b6 + a9 * b5);
  setLimb(15, limb(15) + a6 * b9 + a7 * b8 + a8 * b7 + a9 * b6);
  setLimb(16, limb(16) + a7 * b9 + a8 * b8 + a9 * b7);
  setLimb(17, limb(17) + a8 * b9 + a9 * b8);
  setLimb(18, limb(18) + a9 * b9);
}

/** out = the 64-byte integer at wide modulo l. */
export function scalarReduce64(out: usize, wide: usize): void {
  for (let i = 0; i < 20; i++) {
    const bit = 26 * i;
    const word = wide + ((<usize>(bit >> 6)) << 3);
    const shift = <u64>(bit & 63);
    let value = load<u64>(word) >> shift;
    if (shift > 38 && bit < 448) value |= load<u64>(word, 8) << (64 - shift);
    setLimb(i, <i64>(value & <u64>MASK));
  }
  reduceColumns(out);
}

/** out = a modulo l. */
export function scalarReduce32(out: usize, a: usize): void {
  read(a);
  write(out);
}

/** out = a·b. */
export function scalarMul(out: usize, a: usize, b: usize): void {
  wipe(S, 160);
  addProduct(a, b);
  reduceColumns(out);
}

/** out = a·b + c. */
export function scalarMulAdd(out: usize, a: usize, b: usize, c: usize): void {
  read(c);
  addProduct(a, b);
  reduceColumns(out);
}

/** out = a + b. */
export function scalarAdd(out: usize, a: usize, b: usize): void {
  read(a);
  for (let i = 0; i < 10; i++) setLimb(i, limb(i) + digit(b, i));
  write(out);
}

/** out = a - b. */
export function scalarSub(out: usize, a: usize, b: usize): void {
  read(a);
  for (let i = 0; i < 10; i++) setLimb(i, limb(i) - digit(b, i));
  write(out);
}

const ZERO: usize = memory.data(32, 16);

/** out = -a. */
export function scalarNegate(out: usize, a: usize): void {
  scalarSub(out, ZERO, a);
}

/** 16 powers of 32 bytes, then the accumulator. */
const POWERS: usize = memory.data(544, 16);

/** out = 1/a, 0 for 0: a^(l - 2) by windows of four bits of that public exponent. */
export function scalarInvert(out: usize, a: usize): void {
  const accumulator = POWERS + 512;
  wipe(POWERS, 544);
  store<u8>(POWERS, 1);
  scalarReduce32(POWERS + 32, a);
  for (let i: usize = 2; i < 16; i++) scalarMul(POWERS + 32 * i, POWERS + 32 * (i - 1), POWERS + 32);
  store<u8>(accumulator, 1);
  for (let i = 63; i >= 0; i--) {
    for (let j = 0; j < 4; j++) scalarMul(accumulator, accumulator, accumulator);
    const nibble = <usize>(load<u8>(INVERSION_EXPONENT + <usize>(i >> 1)) >> <u8>((i & 1) << 2)) & 15;
    if (nibble != 0) scalarMul(accumulator, accumulator, POWERS + 32 * nibble);
  }
  memory.copy(out, accumulator, 32);
  wipe(POWERS, 544);
}

/** 1 if the 32 bytes are an integer below l, else 0. */
export function scalarIsCanonical(a: usize): i32 {
  let borrow: u64 = 0;
  for (let i: usize = 0; i < 32; i += 8) {
    const x = load<u64>(a + i),
      y = load<u64>(ORDER_BYTES + i);
    const less = u64(x < y),
      same = u64(x == y);
    borrow = less | (same & borrow);
  }
  return <i32>borrow;
}

/** 1 when all 32 bytes are zero, else 0. */
export function scalarIsZero(a: usize): i32 {
  return i32((load<u64>(a) | load<u64>(a, 8) | load<u64>(a, 16) | load<u64>(a, 24)) == 0);
}
