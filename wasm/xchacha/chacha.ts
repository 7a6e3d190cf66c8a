/** ChaCha20 (RFC 8439) and HChaCha20 (draft-irtf-cfrg-xchacha): a state is four vectors of four words. */

const DOUBLE_ROUNDS: i32 = 10;
export const STREAM_BLOCK: usize = 64;

/** "expand 32-byte k". */
const SIGMA: v128 = i32x4(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574);
const STREAM: usize = memory.data(64, 16);

@inline
function turn16(x: v128): v128 {
  return v128.shuffle<u16>(x, x, 1, 0, 3, 2, 5, 4, 7, 6);
}
@inline
function turn(x: v128, bits: i32): v128 {
  return v128.or(i32x4.shl(x, bits), i32x4.shr_u(x, 32 - bits));
}

/**
 * The block for a key (32 bytes) and the vector of counter and nonce, to 64 bytes; for HChaCha20 the state after the rounds, otherwise with the
 * initial state added.
 */
@inline
function block(to: usize, key: usize, counted: v128, added: bool): void {
  const key0 = v128.load(key);
  const key1 = v128.load(key, 16);
  let a = SIGMA;
  let b = key0;
  let c = key1;
  let d = counted;
  for (let i = 0; i < DOUBLE_ROUNDS; i++) {
    a = i32x4.add(a, b);
    d = turn16(v128.xor(d, a));
    c = i32x4.add(c, d);
    b = turn(v128.xor(b, c), 12);
    a = i32x4.add(a, b);
    d = turn(v128.xor(d, a), 8);
    c = i32x4.add(c, d);
    b = turn(v128.xor(b, c), 7);
    // Diagonals become columns.
    b = v128.shuffle<u32>(b, b, 1, 2, 3, 0);
    c = v128.shuffle<u32>(c, c, 2, 3, 0, 1);
    d = v128.shuffle<u32>(d, d, 3, 0, 1, 2);
    a = i32x4.add(a, b);
    d = turn16(v128.xor(d, a));
    c = i32x4.add(c, d);
    b = turn(v128.xor(b, c), 12);
    a = i32x4.add(a, b);
    d = turn(v128.xor(d, a), 8);
    c = i32x4.add(c, d);
    b = turn(v128.xor(b, c), 7);
    b = v128.shuffle<u32>(b, b, 3, 0, 1, 2);
    c = v128.shuffle<u32>(c, c, 2, 3, 0, 1);
    d = v128.shuffle<u32>(d, d, 1, 2, 3, 0);
  }
  v128.store(to, added ? i32x4.add(a, SIGMA) : a);
  v128.store(to, added ? i32x4.add(b, key0) : b, 16);
  v128.store(to, added ? i32x4.add(c, key1) : c, 32);
  v128.store(to, added ? i32x4.add(d, counted) : d, 48);
}

/** Derives a key of 32 bytes from a key and the first 16 bytes of a long nonce. */
export function hchacha(to: usize, key: usize, nonce: usize): void {
  block(STREAM, key, v128.load(nonce), false);
  v128.store(to, v128.load(STREAM));
  v128.store(to, v128.load(STREAM, 48), 16);
}

/** XORs bytes with the stream in place, from block `counter` on. @param nonce 8 bytes; the four before them are zero */
export function chachaXor(at: usize, size: usize, key: usize, nonce: usize, counter: u32): void {
  let counted = i32x4.replace_lane(i64x2.replace_lane(i64x2.splat(0), 1, load<i64>(nonce)), 0, counter);
  const one = i32x4(1, 0, 0, 0);
  let left = size;
  for (; left >= STREAM_BLOCK; left -= STREAM_BLOCK) {
    block(STREAM, key, counted, true);
    counted = i32x4.add(counted, one);
    v128.store(at, v128.xor(v128.load(at), v128.load(STREAM)));
    v128.store(at, v128.xor(v128.load(at, 16), v128.load(STREAM, 16)), 16);
    v128.store(at, v128.xor(v128.load(at, 32), v128.load(STREAM, 32)), 32);
    v128.store(at, v128.xor(v128.load(at, 48), v128.load(STREAM, 48)), 48);
    at += STREAM_BLOCK;
  }
  if (left > 0) {
    block(STREAM, key, counted, true);
    for (let i: usize = 0; i < left; i++) store<u8>(at + i, load<u8>(at + i) ^ load<u8>(STREAM + i));
  }
  memory.fill(STREAM, 0, STREAM_BLOCK);
}
