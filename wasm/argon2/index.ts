/**
 * Argon2id, version 1.3 (RFC 9106): the hash that turns a password into a key. A separate module: each hash has an instance, whose memory is as
 * large as its cost and is freed with it.
 */
import { HASH, blake2b, hashOfLength, wipeHash } from './blake2b';
import { BLOCK, compress, wipeScratch } from './block';

/** Number of slices of a pass, between which lanes may refer to each other. */
const SLICES: u32 = 4;
/** The type Argon2id, as encoded in address blocks. */
const TYPE: u64 = 2;
/** Addresses in an address block. */
const ADDRESSES: u32 = 128;

/** The first hash, followed by the numbers of the block and the lane derived from it. */
const SEED: usize = memory.data(72, 16);
const ADDRESS_INPUT: usize = memory.data(1024, 64);
const ADDRESS: usize = memory.data(1024, 64);
const ZEROS: usize = memory.data(1024, 64);
const TAG: usize = memory.data(1024, 64);

let blocks: usize = 0;
let lanes: u32 = 0;
/** Blocks of a lane, and of a slice of a lane. */
let laneLength: u32 = 0;
let segmentLength: u32 = 0;

/** Address for `size` bytes of input, with room behind them for so many KiB; 0 if the memory cannot grow. */
export function reserve(size: usize, kibibytes: u32): usize {
  const from = (__heap_base + size + BLOCK - 1) & ~(BLOCK - 1);
  const pages = <i32>((<u64>from + ((<u64>kibibytes) << 10) + 0xffff) >> 16);
  const have = memory.size();
  if (pages > have && memory.grow(pages - have) < 0) return 0;
  blocks = from;
  return __heap_base;
}

@inline
function blockAt(lane: u32, index: u32): usize {
  return blocks + <usize>(lane * laneLength + index) * BLOCK;
}

/** The first two blocks of each lane. */
function begin(): void {
  for (let lane: u32 = 0; lane < lanes; lane++) {
    store<u32>(SEED + HASH, lane, 4);
    for (let index: u32 = 0; index < 2; index++) {
      store<u32>(SEED + HASH, index);
      hashOfLength(blockAt(lane, index), BLOCK, SEED, HASH + 8);
    }
  }
}

/** The next 128 addresses of a segment with data-independent addressing. */
function nextAddresses(): void {
  store<u64>(ADDRESS_INPUT, load<u64>(ADDRESS_INPUT, 48) + 1, 48);
  compress(ADDRESS, ZEROS, ADDRESS_INPUT, false);
  compress(ADDRESS, ZEROS, ADDRESS, false);
}

/** Initialises the address input: words 0 … 6 (RFC 9106, 3.4.1.2). */
function beginAddresses(pass: u32, lane: u32, slice: u32, passes: u32): void {
  store<u64>(ADDRESS_INPUT, pass);
  store<u64>(ADDRESS_INPUT, lane, 8);
  store<u64>(ADDRESS_INPUT, slice, 16);
  store<u64>(ADDRESS_INPUT, lanes * laneLength, 24);
  store<u64>(ADDRESS_INPUT, passes, 32);
  store<u64>(ADDRESS_INPUT, TYPE, 40);
  store<u64>(ADDRESS_INPUT, 0, 48);
}

/** The second block that a new block is computed from, chosen by 64 pseudo-random bits among the finished ones (RFC 9106, 3.4.2). */
function referenceOf(random: u64, pass: u32, lane: u32, slice: u32, index: u32): usize {
  const first = pass == 0;
  const other = first && slice == 0 ? lane : <u32>(random >> 32) % lanes;
  const done = first ? slice * segmentLength : laneLength - segmentLength;
  // In its own lane all blocks up to the one before the last; in another the finished segments, without their last block at the start of a segment.
  const most = other == lane ? done + index - 1 : index == 0 ? done - 1 : done;
  const low = random & 0xffffffff;
  const back = (<u64>most * ((low * low) >> 32)) >> 32;
  const start = first || slice == SLICES - 1 ? 0 : (slice + 1) * segmentLength;
  return blockAt(other, <u32>((<u64>start + most - 1 - back) % laneLength));
}

function fillSegment(pass: u32, lane: u32, slice: u32, passes: u32): void {
  const independent = pass == 0 && slice < SLICES / 2;
  if (independent) beginAddresses(pass, lane, slice, passes);
  const begun: u32 = pass == 0 && slice == 0 ? 2 : 0;
  if (independent && begun > 0) nextAddresses();
  for (let index = begun; index < segmentLength; index++) {
    const at = slice * segmentLength + index;
    const previous = blockAt(lane, at == 0 ? laneLength - 1 : at - 1);
    if (independent && index % ADDRESSES == 0) nextAddresses();
    const random = load<u64>(independent ? ADDRESS + ((index % ADDRESSES) << 3) : previous);
    compress(blockAt(lane, at), previous, referenceOf(random, pass, lane, slice, index), pass > 0);
  }
}

/** XORs the last blocks of all lanes; the result is hashed. */
function finish(length: usize): void {
  const end = blockAt(0, laneLength - 1);
  for (let lane: u32 = 1; lane < lanes; lane++) {
    const other = blockAt(lane, laneLength - 1);
    for (let at: usize = 0; at < BLOCK; at += 16) v128.store(end + at, v128.xor(v128.load(end + at), v128.load(other + at)));
  }
  hashOfLength(TAG, length, end, BLOCK);
}

/**
 * Hashes `size` bytes that were written where `reserve` said: the input of the first hash (RFC 9106, 3.2), which is parameters, password, salt,
 * secret and associated data, each with its length. Returns the address of the hash of `length` bytes.
 */
export function argon2id(size: usize, kibibytes: u32, passes: u32, ways: u32, length: usize): usize {
  lanes = ways;
  segmentLength = kibibytes / (SLICES * ways);
  laneLength = SLICES * segmentLength;
  blake2b(SEED, HASH, __heap_base, size);
  memory.fill(__heap_base, 0, size);
  begin();
  for (let pass: u32 = 0; pass < passes; pass++) {
    for (let slice: u32 = 0; slice < SLICES; slice++) {
      for (let lane: u32 = 0; lane < ways; lane++) fillSegment(pass, lane, slice, passes);
    }
  }
  finish(length);
  return TAG;
}

/** Wipes everything of the last hash, including the hash itself. */
export function wipe(): void {
  wipeHash();
  wipeScratch();
  memory.fill(SEED, 0, HASH);
  memory.fill(TAG, 0, BLOCK);
  memory.fill(blocks, 0, <usize>lanes * laneLength * BLOCK);
}
