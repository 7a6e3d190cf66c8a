/** Skein-512-256 (Ferguson, Lucks, Schneier, Whiting, Bellare, Kohno, Callas, Walker, version 1.3). */

const ROTATIONS: usize = memory.data<u8>([
  46, 36, 19, 37, 33, 27, 14, 42, 17, 49, 36, 39, 44, 9, 54, 56, 39, 30, 34, 24, 13, 50, 10, 17, 25, 29, 39, 43, 8, 35, 56, 22,
]);
const PERMUTATION: usize = memory.data<u8>([2, 1, 4, 7, 6, 5, 0, 3]);
/** Eight words of chaining value, and the ninth of Threefish's key. */
const KEY: usize = memory.data(72, 16);
const TWEAK: usize = memory.data(24, 16);
const V: usize = memory.data(64, 16);
const W: usize = memory.data(64, 16);
const BLOCK: usize = memory.data(64, 16);

const FIRST: u64 = 1 << 62;
const FINAL: u64 = 1 << 63;
const CONFIGURATION: u64 = 4;
const MESSAGE: u64 = 48;
const OUTPUT: u64 = 63;

@inline
function word(base: usize, i: usize): u64 {
  return load<u64>(base + 8 * i);
}

function addSubkey(s: usize): void {
  for (let i: usize = 0; i < 8; i++) {
    let add = word(KEY, (s + i) % 9);
    if (i == 5) add += word(TWEAK, s % 3);
    if (i == 6) add += word(TWEAK, (s + 1) % 3);
    if (i == 7) add += <u64>s;
    store<u64>(V + 8 * i, word(V, i) + add);
  }
}

/** One step of UBI: KEY = Threefish(KEY, tweak, BLOCK) ^ BLOCK. */
function step(position: u64, flags: u64): void {
  let parity: u64 = 0x1bd11bdaa9fc1a22;
  for (let i: usize = 0; i < 8; i++) parity ^= word(KEY, i);
  store<u64>(KEY, parity, 64);
  store<u64>(TWEAK, position);
  store<u64>(TWEAK, flags, 8);
  store<u64>(TWEAK, position ^ flags, 16);
  memory.copy(V, BLOCK, 64);
  for (let r: usize = 0; r < 72; r++) {
    if ((r & 3) == 0) addSubkey(r >> 2);
    for (let j: usize = 0; j < 4; j++) {
      const sum = word(V, 2 * j) + word(V, 2 * j + 1);
      store<u64>(W + 16 * j, sum);
      store<u64>(W + 16 * j, rotl<u64>(word(V, 2 * j + 1), <u64>load<u8>(ROTATIONS + 4 * (r & 7) + j)) ^ sum, 8);
    }
    for (let i: usize = 0; i < 8; i++) store<u64>(V + 8 * i, word(W, <usize>load<u8>(PERMUTATION + i)));
  }
  addSubkey(18);
  for (let i: usize = 0; i < 8; i++) store<u64>(KEY + 8 * i, word(V, i) ^ word(BLOCK, i));
}

/** out = Skein-512-256 of n bytes. */
export function skein512_256(out: usize, data: usize, n: usize): void {
  memory.fill(KEY, 0, 72);
  memory.fill(BLOCK, 0, 64);
  store<u64>(BLOCK, 0x0000000133414853); // "SHA3", version 1
  store<u64>(BLOCK, 256, 8);
  step(32, (CONFIGURATION << 56) | FIRST | FINAL);
  let first = FIRST;
  for (let at: usize = 0; ; at += 64) {
    const last = n - at <= 64,
      size = last ? n - at : 64;
    memory.fill(BLOCK, 0, 64);
    memory.copy(BLOCK, data + at, size);
    step(<u64>(at + size), (MESSAGE << 56) | first | (last ? FINAL : 0));
    first = 0;
    if (last) break;
  }
  memory.fill(BLOCK, 0, 64);
  step(8, (OUTPUT << 56) | FIRST | FINAL);
  memory.copy(out, KEY, 32);
}
