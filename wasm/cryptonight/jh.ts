/** JH-256 (Hongjun Wu, SHA-3 finalist), 42 rounds, as specified: 256 elements of four bits, here one per byte. */

const H: usize = memory.data(128, 16);
const A: usize = memory.data(256, 16);
const TEMPORARY: usize = memory.data(256, 16);
const CONSTANT: usize = memory.data(64, 16);
const BLOCK: usize = memory.data(64, 16);
/** S0, then S1. */
const SBOXES: usize = memory.data<u8>([
  9, 0, 4, 11, 13, 12, 3, 15, 1, 10, 2, 6, 7, 5, 8, 14, 3, 12, 6, 13, 5, 7, 1, 9, 15, 2, 0, 4, 11, 10, 14, 8,
]);
/** The first round's constant, 64 elements: the fraction of the square root of two. */
const FIRST: usize = memory.data<u64>([0x08c9bcf367e6096a, 0x3e7d95ea6613fbb2, 0x9950771275c1de3a, 0x2a3267060b592fda]);

/** x·2 modulo x^4 + x + 1. */
@inline
function twice(x: u32): u32 {
  return ((x << 1) ^ ((x >> 3) * 0x13)) & 15;
}

/** The linear layer on neighbours and the permutation P of n elements, from TEMPORARY to `to`. */
function spread(to: usize, n: usize): void {
  for (let i: usize = 0; i < n; i += 2) {
    const a = <u32>load<u8>(TEMPORARY + i),
      d = <u32>load<u8>(TEMPORARY + i + 1) ^ twice(a);
    store<u8>(TEMPORARY + i + 1, <u8>d);
    store<u8>(TEMPORARY + i, <u8>(a ^ twice(d)));
  }
  for (let i: usize = 0; i < n; i += 4) {
    const c = load<u8>(TEMPORARY + i + 2);
    store<u8>(TEMPORARY + i + 2, load<u8>(TEMPORARY + i + 3));
    store<u8>(TEMPORARY + i + 3, c);
  }
  const half = n >> 1;
  for (let i: usize = 0; i < half; i++) {
    store<u8>(to + i, load<u8>(TEMPORARY + 2 * i));
    store<u8>(to + half + (i ^ 1), load<u8>(TEMPORARY + 2 * i + 1));
  }
}

function rounds(): void {
  for (let i: usize = 0; i < 32; i++) {
    const byte = load<u8>(FIRST + i);
    store<u8>(CONSTANT + 2 * i, byte >> 4);
    store<u8>(CONSTANT + 2 * i + 1, byte & 15);
  }
  for (let r = 0; r < 42; r++) {
    for (let i: usize = 0; i < 256; i++) {
      const bit = <usize>(load<u8>(CONSTANT + (i >> 2)) >> <u8>(3 - (i & 3))) & 1;
      store<u8>(TEMPORARY + i, load<u8>(SBOXES + 16 * bit + <usize>load<u8>(A + i)));
    }
    spread(A, 256);
    for (let i: usize = 0; i < 64; i++) store<u8>(TEMPORARY + i, load<u8>(SBOXES + <usize>load<u8>(CONSTANT + i)));
    spread(CONSTANT, 64);
  }
}

@inline
function bitOf(i: usize): u32 {
  return (<u32>load<u8>(H + (i >> 3)) >> (7 - (<u32>i & 7))) & 1;
}

/** The permutation E8 of H: bits to elements, rounds, elements to bits. */
function permute(): void {
  for (let i: usize = 0; i < 256; i++) {
    const element = (bitOf(i) << 3) | (bitOf(i + 256) << 2) | (bitOf(i + 512) << 1) | bitOf(i + 768);
    store<u8>(A + 2 * (i & 127) + (i >> 7), <u8>element);
  }
  rounds();
  memory.fill(H, 0, 128);
  for (let i: usize = 0; i < 256; i++) {
    const element = <u32>load<u8>(A + 2 * (i & 127) + (i >> 7));
    for (let k: usize = 0; k < 4; k++) {
      const at = i + 256 * k,
        byte = H + (at >> 3);
      store<u8>(byte, load<u8>(byte) | <u8>(((element >> (3 - <u32>k)) & 1) << (7 - (<u32>at & 7))));
    }
  }
}

function compressBlock(block: usize): void {
  for (let i: usize = 0; i < 64; i += 8) store<u64>(H + i, load<u64>(H + i) ^ load<u64>(block + i));
  permute();
  for (let i: usize = 0; i < 64; i += 8) store<u64>(H + i, load<u64>(H + i, 64) ^ load<u64>(block + i), 64);
}

/** out = JH-256 of n bytes. */
export function jh256(out: usize, data: usize, n: usize): void {
  memory.fill(H, 0, 128);
  store<u8>(H, 1);
  memory.fill(BLOCK, 0, 64);
  compressBlock(BLOCK);
  const whole = n & ~63,
    rest = n & 63;
  for (let at: usize = 0; at < whole; at += 64) compressBlock(data + at);
  memory.fill(BLOCK, 0, 64);
  memory.copy(BLOCK, data + whole, rest);
  store<u8>(BLOCK + rest, 0x80);
  if (rest != 0) {
    compressBlock(BLOCK);
    memory.fill(BLOCK, 0, 64);
  }
  store<u64>(BLOCK, bswap<u64>((<u64>n) << 3), 56);
  compressBlock(BLOCK);
  memory.copy(out, H + 96, 32);
}
