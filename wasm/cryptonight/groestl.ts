/** Grøstl-256 (Gauravaram, Knudsen, Matusiewicz, Mendel, Rechberger, Schläffer, Thomsen, SHA-3 finalist). Byte i is row i % 8, column i / 8. */
import { SBOX, twice } from './aes';

const H: usize = memory.data(64, 16);
const P: usize = memory.data(64, 16);
const Q: usize = memory.data(64, 16);
const MOVED: usize = memory.data(64, 16);
const BLOCK: usize = memory.data(64, 16);
/** How far each row is rotated left, in P and in Q. */
const SHIFTS: usize = memory.data<u8>([0, 1, 2, 3, 4, 5, 6, 7, 1, 3, 5, 7, 0, 2, 4, 6]);

@inline
function byteOf(base: usize, column: usize, row: usize): u32 {
  return <u32>load<u8>(base + 8 * column + (row & 7));
}

/** SubBytes and ShiftBytes of s into MOVED, then MixBytes back: the circulant matrix of 2, 2, 3, 4, 5, 3, 5, 7. */
function mix(s: usize, shifts: usize): void {
  for (let i: usize = 0; i < 64; i++) {
    const row = i & 7,
      column = (i >> 3) + <usize>load<u8>(shifts + row);
    store<u8>(MOVED + i, load<u8>(SBOX + <usize>byteOf(s, column & 7, row)));
  }
  for (let column: usize = 0; column < 8; column++) {
    for (let row: usize = 0; row < 8; row++) {
      const a0 = byteOf(MOVED, column, row),
        a1 = byteOf(MOVED, column, row + 1),
        a2 = byteOf(MOVED, column, row + 2);
      const a3 = byteOf(MOVED, column, row + 3),
        a4 = byteOf(MOVED, column, row + 4),
        a5 = byteOf(MOVED, column, row + 5);
      const a6 = byteOf(MOVED, column, row + 6),
        a7 = byteOf(MOVED, column, row + 7);
      const ones = a2 ^ a4 ^ a5 ^ a6 ^ a7,
        twos = a0 ^ a1 ^ a2 ^ a5 ^ a7,
        fours = a3 ^ a4 ^ a6 ^ a7;
      store<u8>(s + 8 * column + row, <u8>(ones ^ twice(twos ^ twice(fours))));
    }
  }
}

function permuteP(s: usize): void {
  for (let r: usize = 0; r < 10; r++) {
    for (let column: usize = 0; column < 8; column++)
      store<u8>(s + 8 * column, <u8>(byteOf(s, column, 0) ^ <u32>((column << 4) ^ r)));
    mix(s, SHIFTS);
  }
}

function permuteQ(s: usize): void {
  for (let r: usize = 0; r < 10; r++) {
    for (let i: usize = 0; i < 64; i += 8) store<u64>(s + i, ~load<u64>(s + i));
    for (let column: usize = 0; column < 8; column++)
      store<u8>(s + 8 * column + 7, <u8>(byteOf(s, column, 7) ^ <u32>((column << 4) ^ r)));
    mix(s, SHIFTS + 8);
  }
}

@inline
function xor64(d: usize, a: usize): void {
  for (let i: usize = 0; i < 64; i += 8) store<u64>(d + i, load<u64>(d + i) ^ load<u64>(a + i));
}

/** H = P(H ^ m) ^ Q(m) ^ H. */
function compressBlock(m: usize): void {
  memory.copy(P, H, 64);
  xor64(P, m);
  memory.copy(Q, m, 64);
  permuteP(P);
  permuteQ(Q);
  xor64(H, P);
  xor64(H, Q);
}

/** out = Grøstl-256 of n bytes, where n mod 64 is at most 55. */
export function groestl256(out: usize, data: usize, n: usize): void {
  memory.fill(H, 0, 64);
  store<u8>(H, 1, 62);
  const whole = n & ~63;
  for (let at: usize = 0; at < whole; at += 64) compressBlock(data + at);
  memory.fill(BLOCK, 0, 64);
  memory.copy(BLOCK, data + whole, n & 63);
  store<u8>(BLOCK + (n & 63), 0x80);
  store<u32>(BLOCK, bswap<u32>(<u32>(n >> 6) + 1), 60);
  compressBlock(BLOCK);
  memory.copy(P, H, 64);
  permuteP(P);
  xor64(H, P);
  memory.copy(out, H + 32, 32);
}
