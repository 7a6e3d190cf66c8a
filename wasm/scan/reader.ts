/**
 * A cursor over bytes in linear memory that cannot leave them. The first read past the end, or of something malformed, sets `failed`; from then on
 * every read returns 0 and moves nothing, so callers check once, where it matters, and loops end.
 */

/** Address of the next read. */
export let cursor: usize = 0;
/** One past the last readable byte. */
export let limit: usize = 0;
/** Whether a read has failed. */
export let failed: bool = false;

/** Reads from `at` up to, but not including, `end`. */
export function open(at: usize, end: usize): void {
  cursor = at;
  limit = end;
  failed = false;
}

/** Makes this read and every later one fail. */
export function fail(): void {
  failed = true;
  cursor = limit;
}

/** Bytes up to the limit; 0 after a failed read. */
@inline
export function remaining(): usize {
  return limit - cursor;
}

/** Moves back over the last byte read. */
export function skipBack(): void {
  if (!failed) cursor -= 1;
}

/** Skips n bytes and returns their address. */
export function skip(n: u64): usize {
  const at = cursor;
  if (n > <u64>(limit - cursor)) {
    fail();
    return 0;
  }
  cursor = at + <usize>n;
  return at;
}

/** Skips `count` items of `size` bytes and returns their address. */
export function skipMany(count: u64, size: u64): usize {
  if (count > <u64>(limit - cursor)) {
    fail();
    return 0;
  }
  return skip(count * size);
}

/** Little-endian integers of as many bits as the name says; 0 if there are too few bytes. */
export function readU8(): u32 {
  const at = skip(1);
  return at ? <u32>load<u8>(at) : 0;
}

export function readU16(): u32 {
  const at = skip(2);
  return at ? <u32>load<u16>(at) : 0;
}

export function readU32(): u32 {
  const at = skip(4);
  return at ? load<u32>(at) : 0;
}

export function readU64(): u64 {
  const at = skip(8);
  return at ? load<u64>(at) : 0;
}

/**
 * A varint of at most `bits` bits in its canonical form: 7 bits per byte, low first, no zero byte at the end (the reference's tools::read_varint).
 */
export function readVarint(bits: i32): u64 {
  let value: u64 = 0;
  for (let shift = 0; shift < 64; shift += 7) {
    const at = skip(1);
    if (at == 0) return 0;
    const byte = <u64>load<u8>(at);
    if ((byte == 0 && shift != 0) || (shift + 7 >= bits && byte >= (<u64>1) << (bits - shift))) {
      fail();
      return 0;
    }
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  fail();
  return 0;
}

/** A count of items of at least `least` bytes each, no larger than what the remaining bytes can hold. */
export function readCount(least: u64): u32 {
  const count = readVarint(64);
  if (count > <u64>remaining() / least) fail();
  return failed ? 0 : <u32>count;
}
