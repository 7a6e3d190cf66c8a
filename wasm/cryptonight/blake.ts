/** BLAKE-256 (Aumasson, Henzen, Meier, Phan, SHA-3 submission), 14 rounds. */

const INITIAL: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);
const PI: usize = memory.data<u32>([
  0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89, 0x452821e6, 0x38d01377,
  0xbe5466cf, 0x34e90c6c, 0xc0ac29b7, 0xc97c50dd, 0x3f84d5b5, 0xb5470917,
]);
const SIGMA: usize = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3, 11, 8, 12, 0, 5, 2,
  15, 13, 10, 14, 3, 6, 7, 1, 9, 4, 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8, 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12,
  6, 8, 3, 13, 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9, 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11, 13, 11,
  7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10, 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5, 10, 2, 8, 4, 7, 6, 1, 5, 15,
  11, 9, 14, 3, 12, 13, 0,
]);
const H: usize = memory.data(32, 16);
const V: usize = memory.data(64, 16);
const M: usize = memory.data(64, 16);
const LAST: usize = memory.data(64, 16);

@inline
function word(base: usize, i: usize): u32 {
  return load<u32>(base + 4 * i);
}

/** The i-th quarter of a round on the words a, b, c, d of V. */
function quarter(r: usize, i: usize, a: usize, b: usize, c: usize, d: usize): void {
  const j = <usize>load<u8>(SIGMA + 16 * (r % 10) + 2 * i),
    k = <usize>load<u8>(SIGMA + 16 * (r % 10) + 2 * i + 1);
  let va = word(V, a),
    vb = word(V, b),
    vc = word(V, c),
    vd = word(V, d);
  va += vb + (word(M, j) ^ word(PI, k));
  vd = rotr<u32>(vd ^ va, 16);
  vc += vd;
  vb = rotr<u32>(vb ^ vc, 12);
  va += vb + (word(M, k) ^ word(PI, j));
  vd = rotr<u32>(vd ^ va, 8);
  vc += vd;
  vb = rotr<u32>(vb ^ vc, 7);
  store<u32>(V + 4 * a, va);
  store<u32>(V + 4 * b, vb);
  store<u32>(V + 4 * c, vc);
  store<u32>(V + 4 * d, vd);
}

/** Absorbs 64 bytes; `bits` counts the message so far, including this block. */
function compressBlock(block: usize, bits: u64): void {
  for (let i: usize = 0; i < 64; i += 4) store<u32>(M + i, bswap<u32>(load<u32>(block + i)));
  memory.copy(V, H, 32);
  memory.copy(V + 32, PI, 32);
  const low = <u32>bits,
    high = <u32>(bits >> 32);
  store<u32>(V, word(V, 12) ^ low, 48);
  store<u32>(V, word(V, 13) ^ low, 52);
  store<u32>(V, word(V, 14) ^ high, 56);
  store<u32>(V, word(V, 15) ^ high, 60);
  for (let r: usize = 0; r < 14; r++) {
    for (let i: usize = 0; i < 4; i++) quarter(r, i, i, 4 + i, 8 + i, 12 + i);
    for (let i: usize = 0; i < 4; i++) quarter(r, 4 + i, i, 4 + ((i + 1) & 3), 8 + ((i + 2) & 3), 12 + ((i + 3) & 3));
  }
  for (let i: usize = 0; i < 8; i++) store<u32>(H + 4 * i, word(H, i) ^ word(V, i) ^ word(V, i + 8));
}

/** out = BLAKE-256 of n bytes, where n mod 64 is at most 55. */
export function blake256(out: usize, data: usize, n: usize): void {
  memory.copy(H, INITIAL, 32);
  const whole = n & ~63,
    rest = n & 63;
  for (let at: usize = 0; at < whole; at += 64) compressBlock(data + at, (<u64>(at + 64)) << 3);
  memory.fill(LAST, 0, 64);
  memory.copy(LAST, data + whole, rest);
  store<u8>(LAST + rest, 0x80);
  store<u8>(LAST, load<u8>(LAST, 55) | 1, 55);
  store<u32>(LAST, bswap<u32>(<u32>(<u64>n >> 29)), 56);
  store<u32>(LAST, bswap<u32>((<u32>n) << 3), 60);
  compressBlock(LAST, rest == 0 ? 0 : (<u64>n) << 3);
  for (let i: usize = 0; i < 32; i += 4) store<u32>(out + i, bswap<u32>(load<u32>(H + i)));
}
