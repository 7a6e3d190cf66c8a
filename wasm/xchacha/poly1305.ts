/** Poly1305 (RFC 8439, 2.5) over texts padded with zeros to blocks of 16 bytes, as in RFC 8439's AEAD. Five limbs of 26 bits. */

const LIMB: u64 = 0x3ffffff;
/** The bit above a full block, in the highest limb. */
const ABOVE: u64 = 1 << 24;
const MAC_BLOCK: usize = 16;

/** Limbs of the sum. */
const H: usize = memory.data(40, 16);
/** Limbs of the multiplier, and the 16 bytes added at the end. */
const R: usize = memory.data(40, 16);
const PAD: usize = memory.data(16, 16);
const LAST: usize = memory.data(16, 16);

/** @param key 32 bytes, for one text */
export function polyBegin(key: usize): void {
  memory.fill(H, 0, 40);
  store<u64>(R, load<u32>(key) & 0x3ffffff);
  store<u64>(R, (load<u32>(key, 3) >> 2) & 0x3ffff03, 8);
  store<u64>(R, (load<u32>(key, 6) >> 4) & 0x3ffc0ff, 16);
  store<u64>(R, (load<u32>(key, 9) >> 6) & 0x3f03fff, 24);
  store<u64>(R, (load<u32>(key, 12) >> 8) & 0x00fffff, 32);
  memory.copy(PAD, key + 16, MAC_BLOCK);
}

/** Absorbs full blocks. */
function absorb(at: usize, size: usize): void {
  const r0 = load<u64>(R);
  const r1 = load<u64>(R, 8);
  const r2 = load<u64>(R, 16);
  const r3 = load<u64>(R, 24);
  const r4 = load<u64>(R, 32);
  const s1 = r1 * 5;
  const s2 = r2 * 5;
  const s3 = r3 * 5;
  const s4 = r4 * 5;
  let h0 = load<u64>(H);
  let h1 = load<u64>(H, 8);
  let h2 = load<u64>(H, 16);
  let h3 = load<u64>(H, 24);
  let h4 = load<u64>(H, 32);
  for (const end = at + size; at < end; at += MAC_BLOCK) {
    h0 += load<u32>(at) & LIMB;
    h1 += (load<u32>(at, 3) >> 2) & LIMB;
    h2 += (load<u32>(at, 6) >> 4) & LIMB;
    h3 += (load<u32>(at, 9) >> 6) & LIMB;
    h4 += (load<u32>(at, 12) >> 8) | ABOVE;
    const d0 = h0 * r0 + h1 * s4 + h2 * s3 + h3 * s2 + h4 * s1;
    const d1 = h0 * r1 + h1 * r0 + h2 * s4 + h3 * s3 + h4 * s2 + (d0 >> 26);
    const d2 = h0 * r2 + h1 * r1 + h2 * r0 + h3 * s4 + h4 * s3 + (d1 >> 26);
    const d3 = h0 * r3 + h1 * r2 + h2 * r1 + h3 * r0 + h4 * s4 + (d2 >> 26);
    const d4 = h0 * r4 + h1 * r3 + h2 * r2 + h3 * r1 + h4 * r0 + (d3 >> 26);
    h0 = (d0 & LIMB) + (d4 >> 26) * 5;
    h1 = (d1 & LIMB) + (h0 >> 26);
    h0 &= LIMB;
    h2 = d2 & LIMB;
    h3 = d3 & LIMB;
    h4 = d4 & LIMB;
  }
  store<u64>(H, h0);
  store<u64>(H, h1, 8);
  store<u64>(H, h2, 16);
  store<u64>(H, h3, 24);
  store<u64>(H, h4, 32);
}

/** Absorbs a text, padded to full blocks. */
export function polyText(at: usize, size: usize): void {
  const whole = size & ~(MAC_BLOCK - 1);
  absorb(at, whole);
  if (whole == size) return;
  memory.fill(LAST, 0, MAC_BLOCK);
  memory.copy(LAST, at + whole, size - whole);
  absorb(LAST, MAC_BLOCK);
}

/** Absorbs the lengths of the two texts. */
export function polyLengths(first: u64, second: u64): void {
  store<u64>(LAST, first);
  store<u64>(LAST, second, 8);
  absorb(LAST, MAC_BLOCK);
}

/** Writes the tag, 16 bytes. Wipes key and sum. */
export function polyEnd(tag: usize): void {
  let h0 = load<u64>(H);
  let h1 = load<u64>(H, 8);
  let h2 = load<u64>(H, 16);
  let h3 = load<u64>(H, 24);
  let h4 = load<u64>(H, 32);
  for (let i = 0; i < 2; i++) {
    h1 += h0 >> 26;
    h2 += h1 >> 26;
    h3 += h2 >> 26;
    h4 += h3 >> 26;
    h0 = (h0 & LIMB) + (h4 >> 26) * 5;
    h1 &= LIMB;
    h2 &= LIMB;
    h3 &= LIMB;
    h4 &= LIMB;
  }
  h1 += h0 >> 26;
  h0 &= LIMB;
  // The sum minus p, unless it is below p: selected without a branch.
  const g0 = h0 + 5;
  const g1 = h1 + (g0 >> 26);
  const g2 = h2 + (g1 >> 26);
  const g3 = h3 + (g2 >> 26);
  const g4 = h4 + (g3 >> 26);
  const take = 0 - (g4 >> 26);
  const keep = ~take;
  h0 = (h0 & keep) | (g0 & LIMB & take);
  h1 = (h1 & keep) | (g1 & LIMB & take);
  h2 = (h2 & keep) | (g2 & LIMB & take);
  h3 = (h3 & keep) | (g3 & LIMB & take);
  h4 = (h4 & keep) | (g4 & LIMB & take);
  const low = h0 | (h1 << 26) | (h2 << 52);
  const high = (h2 >> 12) | (h3 << 14) | (h4 << 40);
  const sum = low + load<u64>(PAD);
  store<u64>(tag, sum);
  store<u64>(tag, high + load<u64>(PAD, 8) + (sum < low ? 1 : 0), 8);
  memory.fill(H, 0, 40);
  memory.fill(R, 0, 40);
  memory.fill(PAD, 0, MAC_BLOCK);
  memory.fill(LAST, 0, MAC_BLOCK);
}
