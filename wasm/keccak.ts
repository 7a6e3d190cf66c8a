/**
 * Keccak with the original padding: the chain's hash (`cn_fast_hash`), and the permutation at the start and end of CryptoNight.
 *
 * A sponge is 208 bytes: the 25 words of the state, then the number of bytes absorbed into the current block (i32). Copying the bytes forks it, so
 * a long common prefix is hashed once.
 */
import { wipe } from './memory';

export const SPONGE: usize = 208;
const RATE: i32 = 136;
const ROUNDS: i32 = 24;
const POSITION: usize = 200;

const ROUND_CONSTANTS: usize = memory.data<u64>([
  0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
  0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
  0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
  0x000000000000800a, 0x800000008000000a, 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
]);

/** Keccak-f[1600] on the 25 words at s. */
export function permute(s: usize): void {
  let a0 = load<u64>(s, 0),
    a1 = load<u64>(s, 8),
    a2 = load<u64>(s, 16),
    a3 = load<u64>(s, 24),
    a4 = load<u64>(s, 32);
  let a5 = load<u64>(s, 40),
    a6 = load<u64>(s, 48),
    a7 = load<u64>(s, 56),
    a8 = load<u64>(s, 64),
    a9 = load<u64>(s, 72);
  let a10 = load<u64>(s, 80),
    a11 = load<u64>(s, 88),
    a12 = load<u64>(s, 96),
    a13 = load<u64>(s, 104),
    a14 = load<u64>(s, 112);
  let a15 = load<u64>(s, 120),
    a16 = load<u64>(s, 128),
    a17 = load<u64>(s, 136),
    a18 = load<u64>(s, 144),
    a19 = load<u64>(s, 152);
  let a20 = load<u64>(s, 160),
    a21 = load<u64>(s, 168),
    a22 = load<u64>(s, 176),
    a23 = load<u64>(s, 184),
    a24 = load<u64>(s, 192);
  for (let round = 0; round < ROUNDS; round++) {
    // theta
    const c0 = a0 ^ a5 ^ a10 ^ a15 ^ a20;
    const c1 = a1 ^ a6 ^ a11 ^ a16 ^ a21;
    const c2 = a2 ^ a7 ^ a12 ^ a17 ^ a22;
    const c3 = a3 ^ a8 ^ a13 ^ a18 ^ a23;
    const c4 = a4 ^ a9 ^ a14 ^ a19 ^ a24;
    const d0 = c4 ^ rotl<u64>(c1, 1);
    const d1 = c0 ^ rotl<u64>(c2, 1);
    const d2 = c1 ^ rotl<u64>(c3, 1);
    const d3 = c2 ^ rotl<u64>(c4, 1);
    const d4 = c3 ^ rotl<u64>(c0, 1);
    // rho and pi
    const b0 = a0 ^ d0,
      b10 = rotl<u64>(a1 ^ d1, 1),
      b20 = rotl<u64>(a2 ^ d2, 62),
      b5 = rotl<u64>(a3 ^ d3, 28),
      b15 = rotl<u64>(a4 ^ d4, 27);
    const b16 = rotl<u64>(a5 ^ d0, 36),
      b1 = rotl<u64>(a6 ^ d1, 44),
      b11 = rotl<u64>(a7 ^ d2, 6),
      b21 = rotl<u64>(a8 ^ d3, 55),
      b6 = rotl<u64>(a9 ^ d4, 20);
    const b7 = rotl<u64>(a10 ^ d0, 3),
      b17 = rotl<u64>(a11 ^ d1, 10),
      b2 = rotl<u64>(a12 ^ d2, 43),
      b12 = rotl<u64>(a13 ^ d3, 25),
      b22 = rotl<u64>(a14 ^ d4, 39);
    const b23 = rotl<u64>(a15 ^ d0, 41),
      b8 = rotl<u64>(a16 ^ d1, 45),
      b18 = rotl<u64>(a17 ^ d2, 15),
      b3 = rotl<u64>(a18 ^ d3, 21),
      b13 = rotl<u64>(a19 ^ d4, 8);
    const b14 = rotl<u64>(a20 ^ d0, 18),
      b24 = rotl<u64>(a21 ^ d1, 2),
      b9 = rotl<u64>(a22 ^ d2, 61),
      b19 = rotl<u64>(a23 ^ d3, 56),
      b4 = rotl<u64>(a24 ^ d4, 14);
    // chi and iota
    a0 = b0 ^ (~b1 & b2) ^ load<u64>(ROUND_CONSTANTS + ((<usize>round) << 3));
    a1 = b1 ^ (~b2 & b3);
    a2 = b2 ^ (~b3 & b4);
    a3 = b3 ^ (~b4 & b0);
    a4 = b4 ^ (~b0 & b1);
    a5 = b5 ^ (~b6 & b7);
    a6 = b6 ^ (~b7 & b8);
    a7 = b7 ^ (~b8 & b9);
    a8 = b8 ^ (~b9 & b5);
    a9 = b9 ^ (~b5 & b6);
    a10 = b10 ^ (~b11 & b12);
    a11 = b11 ^ (~b12 & b13);
    a12 = b12 ^ (~b13 & b14);
    a13 = b13 ^ (~b14 & b10);
    a14 = b14 ^ (~b10 & b11);
    a15 = b15 ^ (~b16 & b17);
    a16 = b16 ^ (~b17 & b18);
    a17 = b17 ^ (~b18 & b19);
    a18 = b18 ^ (~b19 & b15);
    a19 = b19 ^ (~b15 & b16);
    a20 = b20 ^ (~b21 & b22);
    a21 = b21 ^ (~b22 & b23);
    a22 = b22 ^ (~b23 & b24);
    a23 = b23 ^ (~b24 & b20);
    a24 = b24 ^ (~b20 & b21);
  }
  store<u64>(s, a0, 0);
  store<u64>(s, a1, 8);
  store<u64>(s, a2, 16);
  store<u64>(s, a3, 24);
  store<u64>(s, a4, 32);
  store<u64>(s, a5, 40);
  store<u64>(s, a6, 48);
  store<u64>(s, a7, 56);
  store<u64>(s, a8, 64);
  store<u64>(s, a9, 72);
  store<u64>(s, a10, 80);
  store<u64>(s, a11, 88);
  store<u64>(s, a12, 96);
  store<u64>(s, a13, 104);
  store<u64>(s, a14, 112);
  store<u64>(s, a15, 120);
  store<u64>(s, a16, 128);
  store<u64>(s, a17, 136);
  store<u64>(s, a18, 144);
  store<u64>(s, a19, 152);
  store<u64>(s, a20, 160);
  store<u64>(s, a21, 168);
  store<u64>(s, a22, 176);
  store<u64>(s, a23, 184);
  store<u64>(s, a24, 192);
}

/** Initialises the sponge at s. */
export function spongeReset(s: usize): void {
  wipe(s, SPONGE);
}

/** Absorbs n bytes. */
export function spongeAbsorb(s: usize, data: usize, n: usize): void {
  let at = <usize>load<i32>(s, POSITION);
  // Whole words at word positions in the block if eight bytes are left, otherwise single bytes.
  while (n > 0) {
    if ((at & 7) == 0 && n >= 8) {
      store<u64>(s + at, load<u64>(s + at) ^ load<u64>(data));
      at += 8;
      data += 8;
      n -= 8;
    } else {
      store<u8>(s + at, load<u8>(s + at) ^ load<u8>(data));
      at += 1;
      data += 1;
      n -= 1;
    }
    if (at == <usize>RATE) {
      permute(s);
      at = 0;
    }
  }
  store<i32>(s, <i32>at, POSITION);
}

/** Pads and permutes: afterwards the hash is the first bytes of the state. */
export function spongeFinish(s: usize): void {
  const at = <usize>load<i32>(s, POSITION);
  store<u8>(s + at, load<u8>(s + at) ^ 1);
  store<u8>(s, load<u8>(s, RATE - 1) ^ 0x80, RATE - 1);
  permute(s);
}

const OWN: usize = memory.data(208, 16);

/** out (32 bytes) = Keccak-256 of n bytes; out may be the data. Wipes its copies. */
export function keccak256(out: usize, data: usize, n: usize): void {
  spongeReset(OWN);
  spongeAbsorb(OWN, data, n);
  spongeFinish(OWN);
  memory.copy(out, OWN, 32);
  wipe(OWN, SPONGE);
}
