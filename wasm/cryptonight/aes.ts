/**
 * The round function of AES on tables of words (Daemen, Rijmen, "AES Proposal: Rijndael", section 5.2.1), as CryptoNight uses it: every round is
 * the same, including the last. Its time depends on the data through the cache; so does CryptoNight itself.
 */

/** The S-box, 256 bytes. */
export const SBOX: usize = memory.data(256, 16);
/** Four tables of 256 words: SubBytes and MixColumns of one byte in each of the four rows. */
const TABLES: usize = memory.data(4096, 64);

/** x·2 in the field of AES, modulo x^8 + x^4 + x^3 + x + 1. */
@inline
export function twice(x: u32): u32 {
  return ((x << 1) ^ ((x >> 7) * 0x11b)) & 0xff;
}

/** Fills the tables; once per instance. */
export function initAes(): void {
  // p runs through the powers of 3, q through those of 1/3: q is the inverse of p.
  let p: u32 = 1,
    q: u32 = 1;
  do {
    p = p ^ twice(p);
    q ^= q << 1;
    q ^= q << 2;
    q ^= q << 4;
    q &= 0xff;
    if (q & 0x80) q ^= 0x09;
    const wide = q | (q << 8);
    store<u8>(SBOX + p, <u8>(q ^ (wide >> 7) ^ (wide >> 6) ^ (wide >> 5) ^ (wide >> 4) ^ 0x63));
  } while (p != 1);
  store<u8>(SBOX, 0x63);
  for (let i: usize = 0; i < 256; i++) {
    const s = <u32>load<u8>(SBOX + i),
      d = twice(s);
    const word = d | (s << 8) | (s << 16) | ((s ^ d) << 24);
    for (let row: usize = 0; row < 4; row++) store<u32>(TABLES + 1024 * row + 4 * i, rotl<u32>(word, 8 * <u32>row));
  }
}

@inline
function column(a: u32, b: u32, c: u32, d: u32): u32 {
  return (
    load<u32>(TABLES + ((a & 0xff) << 2)) ^
    load<u32>(TABLES + (((b >> 8) & 0xff) << 2), 1024) ^
    load<u32>(TABLES + (((c >> 16) & 0xff) << 2), 2048) ^
    load<u32>(TABLES + ((d >> 24) << 2), 3072)
  );
}

/** The 16 bytes at out = one round of those at `block` with the round key at `key`. out may be the block. */
@inline
export function round(out: usize, block: usize, key: usize): void {
  const low = load<u64>(block),
    high = load<u64>(block, 8);
  const s0 = <u32>low,
    s1 = <u32>(low >> 32),
    s2 = <u32>high,
    s3 = <u32>(high >> 32);
  const t0 = column(s0, s1, s2, s3),
    t1 = column(s1, s2, s3, s0),
    t2 = column(s2, s3, s0, s1),
    t3 = column(s3, s0, s1, s2);
  store<u64>(out, (<u64>t0 | ((<u64>t1) << 32)) ^ load<u64>(key));
  store<u64>(out, (<u64>t2 | ((<u64>t3) << 32)) ^ load<u64>(key, 8), 8);
}

/** Ten rounds of a block in place, keys one after the other. */
export function tenRounds(block: usize, keys: usize): void {
  let s0 = load<u32>(block),
    s1 = load<u32>(block, 4),
    s2 = load<u32>(block, 8),
    s3 = load<u32>(block, 12);
  for (const end = keys + 160; keys < end; keys += 16) {
    const t0 = column(s0, s1, s2, s3) ^ load<u32>(keys),
      t1 = column(s1, s2, s3, s0) ^ load<u32>(keys, 4);
    const t2 = column(s2, s3, s0, s1) ^ load<u32>(keys, 8),
      t3 = column(s3, s0, s1, s2) ^ load<u32>(keys, 12);
    s0 = t0;
    s1 = t1;
    s2 = t2;
    s3 = t3;
  }
  store<u32>(block, s0);
  store<u32>(block, s1, 4);
  store<u32>(block, s2, 8);
  store<u32>(block, s3, 12);
}

function substitute(word: u32): u32 {
  return (
    <u32>load<u8>(SBOX + (word & 0xff)) |
    ((<u32>load<u8>(SBOX + ((word >> 8) & 0xff))) << 8) |
    ((<u32>load<u8>(SBOX + ((word >> 16) & 0xff))) << 16) |
    ((<u32>load<u8>(SBOX + (word >> 24))) << 24)
  );
}

/** The first ten round keys (160 bytes) of AES-256 from its 32-byte key (FIPS 197, section 5.2). */
export function expandKey(keys: usize, key: usize): void {
  memory.copy(keys, key, 32);
  let constant: u32 = 1;
  for (let i: usize = 8; i < 40; i++) {
    let word = load<u32>(keys + 4 * (i - 1));
    if (i % 8 == 0) {
      word = substitute(rotr<u32>(word, 8)) ^ constant;
      constant = twice(constant);
    } else if (i % 8 == 4) word = substitute(word);
    store<u32>(keys + 4 * i, load<u32>(keys + 4 * (i - 8)) ^ word);
  }
}
