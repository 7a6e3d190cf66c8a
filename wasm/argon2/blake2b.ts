/** BLAKE2b (RFC 7693) without a key, and Argon2's variable-length hash built on it (RFC 9106, 3.3). */

/** Bytes of a full hash. */
export const HASH: usize = 64;
const INPUT_BLOCK: usize = 128;
const HALF: usize = 32;

const IV: usize = memory.data<u64>([
  0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
  0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
]);
/** The message word that each step of a round takes, for ten rounds; then they repeat. */
const ORDER: usize = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3, 11, 8, 12, 0, 5, 2,
  15, 13, 10, 14, 3, 6, 7, 1, 9, 4, 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8, 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12,
  6, 8, 3, 13, 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9, 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11, 13, 11,
  7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10, 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5, 10, 2, 8, 4, 7, 6, 1, 5, 15,
  11, 9, 14, 3, 12, 13, 0,
]);
const ROUNDS: usize = 12;
const ORDERS: usize = 10;

const STATE: usize = memory.data(64, 16);
const WORK: usize = memory.data(128, 16);
const LAST: usize = memory.data(128, 16);
const LINK: usize = memory.data(64, 16);
/** Input of a variable-length hash, which begins with that length: at most a block of Argon2. */
const SIZED: usize = memory.data(1028, 16);

@inline
function word(i: usize): u64 {
  return load<u64>(WORK + (i << 3));
}
@inline
function setWord(i: usize, value: u64): void {
  store<u64>(WORK + (i << 3), value);
}

function mix(a: usize, b: usize, c: usize, d: usize, x: u64, y: u64): void {
  setWord(a, word(a) + word(b) + x);
  setWord(d, rotr<u64>(word(d) ^ word(a), 32));
  setWord(c, word(c) + word(d));
  setWord(b, rotr<u64>(word(b) ^ word(c), 24));
  setWord(a, word(a) + word(b) + y);
  setWord(d, rotr<u64>(word(d) ^ word(a), 16));
  setWord(c, word(c) + word(d));
  setWord(b, rotr<u64>(word(b) ^ word(c), 63));
}

/** @param counted bytes of the message so far */
function absorb(block: usize, counted: u64, last: bool): void {
  memory.copy(WORK, STATE, HASH);
  memory.copy(WORK + HASH, IV, HASH);
  setWord(12, word(12) ^ counted);
  if (last) setWord(14, ~word(14));
  for (let round: usize = 0; round < ROUNDS; round++) {
    const order = ORDER + (round % ORDERS) * 16;
    for (let i: usize = 0; i < 8; i++) {
      const x = load<u64>(block + ((<usize>load<u8>(order + 2 * i)) << 3));
      const y = load<u64>(block + ((<usize>load<u8>(order + 2 * i + 1)) << 3));
      // First the four columns, then the four diagonals.
      const turn = i >> 2;
      const b = 4 + ((i + turn) & 3);
      const c = 8 + ((i + 2 * turn) & 3);
      const d = 12 + ((i + 3 * turn) & 3);
      mix(i & 3, b, c, d, x, y);
    }
  }
  for (let i: usize = 0; i < 8; i++) {
    const at = STATE + (i << 3);
    store<u64>(at, load<u64>(at) ^ word(i) ^ word(i + 8));
  }
}

/** Hashes `size` bytes to `length` bytes (at most 64). */
export function blake2b(to: usize, length: usize, from: usize, size: usize): void {
  memory.copy(STATE, IV, HASH);
  store<u64>(STATE, load<u64>(STATE) ^ 0x01010000 ^ <u64>length);
  let done: usize = 0;
  while (size - done > INPUT_BLOCK) {
    done += INPUT_BLOCK;
    absorb(from + done - INPUT_BLOCK, done, false);
  }
  memory.fill(LAST, 0, INPUT_BLOCK);
  memory.copy(LAST, from + done, size - done);
  absorb(LAST, size, true);
  memory.copy(to, STATE, length);
}

/** H′: a hash of `length` bytes of at most 1024. */
export function hashOfLength(to: usize, length: usize, from: usize, size: usize): void {
  store<u32>(SIZED, <u32>length);
  memory.copy(SIZED + 4, from, size);
  if (length <= HASH) {
    blake2b(to, length, SIZED, size + 4);
    return;
  }
  blake2b(LINK, HASH, SIZED, size + 4);
  while (length > HASH) {
    memory.copy(to, LINK, HALF);
    to += HALF;
    length -= HALF;
    if (length > HASH) blake2b(LINK, HASH, LINK, HASH);
  }
  blake2b(to, length, LINK, HASH);
}

/** Wipes everything that was hashed. */
export function wipeHash(): void {
  memory.fill(STATE, 0, HASH);
  memory.fill(WORK, 0, INPUT_BLOCK);
  memory.fill(LAST, 0, INPUT_BLOCK);
  memory.fill(LINK, 0, HASH);
  memory.fill(SIZED, 0, 1028);
}
