/**
 * CryptoNight, variant 0: the memory-hard hash that derives the keys of encrypted exports (the reference's slow-hash.c, cn_slow_hash; CryptoNote
 * Standard 008). A separate module, loaded when needed: 2 MiB of scratchpad.
 */
import { SPONGE, permute, spongeAbsorb, spongeFinish, spongeReset } from '../keccak';
import { expandKey, initAes, round, tenRounds } from './aes';
import { blake256 } from './blake';
import { groestl256 } from './groestl';
import { jh256 } from './jh';
import { skein512_256 } from './skein';

export { blake256, groestl256, jh256, skein512_256 };

const PAD_SIZE: usize = 2097152;
const PAD: usize = memory.data(2097152, 64);
const PAD_MASK: u64 = 0x1ffff0;
const ITERATIONS: i32 = 524288;
/** Maximum input of one call, in bytes. */
const MOST: usize = 65536;
const INPUT: usize = memory.data(65536, 16);
const OUT: usize = memory.data(32, 16);
const STATE: usize = memory.data(SPONGE, 64);
const KEYS: usize = memory.data(160, 16);
const TEXT: usize = memory.data(128, 16);
const KEY_A: usize = memory.data(16, 16);
const CIPHER: usize = memory.data(16, 16);

initAes();

/** Address at which the host writes the input, at most `inputCapacity` bytes, and reads the hash. */
export function input(): usize {
  return INPUT;
}
/** Maximum input of one call, in bytes. */
export function inputCapacity(): usize {
  return MOST;
}
/** Address of the hash after a call, 32 bytes. */
export function output(): usize {
  return OUT;
}

/** Fills the pad by encrypting the state's bytes 64 … 191 repeatedly. */
function explode(): void {
  expandKey(KEYS, STATE);
  memory.copy(TEXT, STATE + 64, 128);
  for (let at: usize = 0; at < PAD_SIZE; at += 128) {
    for (let block: usize = 0; block < 128; block += 16) tenRounds(TEXT + block, KEYS);
    memory.copy(PAD + at, TEXT, 128);
  }
}

/** Encrypts the pad back into the state's bytes 64 … 191. */
function implode(): void {
  expandKey(KEYS, STATE + 32);
  memory.copy(TEXT, STATE + 64, 128);
  for (let at: usize = 0; at < PAD_SIZE; at += 128) {
    for (let i: usize = 0; i < 128; i += 16) {
      v128.store(TEXT + i, v128.xor(v128.load(TEXT + i), v128.load(PAD + at + i)));
      tenRounds(TEXT + i, KEYS);
    }
  }
  memory.copy(STATE + 64, TEXT, 128);
}

/** The upper 64 bits of x·y. */
@inline
function mulHigh(x: u64, y: u64): u64 {
  const x0 = x & 0xffffffff,
    x1 = x >> 32,
    y0 = y & 0xffffffff,
    y1 = y >> 32;
  const low = x0 * y0,
    cross = x1 * y0 + (low >> 32),
    other = x0 * y1 + (cross & 0xffffffff);
  return x1 * y1 + (cross >> 32) + (other >> 32);
}

/** Reads and writes the pad at places that depend on what was read before. */
function walk(): void {
  let a0 = load<u64>(STATE) ^ load<u64>(STATE, 32),
    a1 = load<u64>(STATE, 8) ^ load<u64>(STATE, 40);
  let b0 = load<u64>(STATE, 16) ^ load<u64>(STATE, 48),
    b1 = load<u64>(STATE, 24) ^ load<u64>(STATE, 56);
  for (let i = 0; i < ITERATIONS; i++) {
    const first = PAD + <usize>(a0 & PAD_MASK);
    store<u64>(KEY_A, a0);
    store<u64>(KEY_A, a1, 8);
    round(CIPHER, first, KEY_A);
    const c0 = load<u64>(CIPHER),
      c1 = load<u64>(CIPHER, 8);
    store<u64>(first, b0 ^ c0);
    store<u64>(first, b1 ^ c1, 8);
    const second = PAD + <usize>(c0 & PAD_MASK);
    const d0 = load<u64>(second),
      d1 = load<u64>(second, 8);
    a0 += mulHigh(c0, d0);
    a1 += c0 * d0;
    store<u64>(second, a0);
    store<u64>(second, a1, 8);
    a0 ^= d0;
    a1 ^= d1;
    b0 = c0;
    b1 = c1;
  }
}

/** Hashes the first n bytes of the input (n at most its capacity) to the output, then wipes everything else. */
export function cryptonight(n: usize): void {
  spongeReset(STATE);
  spongeAbsorb(STATE, INPUT, n);
  spongeFinish(STATE);
  explode();
  walk();
  implode();
  permute(STATE);
  const choice = load<u8>(STATE) & 3;
  if (choice == 0) blake256(OUT, STATE, 200);
  else if (choice == 1) groestl256(OUT, STATE, 200);
  else if (choice == 2) jh256(OUT, STATE, 200);
  else skein512_256(OUT, STATE, 200);
  memory.fill(STATE, 0, SPONGE);
  memory.fill(INPUT, 0, n);
  memory.fill(PAD, 0, PAD_SIZE);
}
