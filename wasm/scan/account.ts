/**
 * The account to scan for: the secret view key and a hash table of public spend keys (the primary address's and those of all subaddresses in the
 * lookahead). Located in the arena below everything a scan allocates; one account per instance.
 */
import { alloc, wipe } from '../memory';

/** The secret view key, 32 bytes. */
export const VIEW_KEY: usize = memory.data(32, 16);

let keys: usize = 0;
let slots: usize = 0;
let slotMask: u32 = 0;

/**
 * Room for `count` spend keys of 32 bytes, to be filled by the caller before `indexSpendKeys`; 0 if the memory cannot grow. The arena must be
 * empty.
 */
export function allocateSpendKeys(count: u32): usize {
  let size: u32 = 64;
  while (size < count * 2) size <<= 1;
  keys = alloc((<usize>count) << 5);
  slots = alloc((<usize>size) << 2);
  slotMask = size - 1;
  return slots ? keys : 0;
}

/** Builds the table of the first `count` keys. Of equal keys the first is found. */
export function indexSpendKeys(count: u32): void {
  memory.fill(slots, 0, (<usize>slotMask + 1) << 2);
  for (let i: u32 = 0; i < count; i++) {
    let slot = slotOf(keys + ((<usize>i) << 5));
    while (load<u32>(slots + ((<usize>slot) << 2)) != 0) slot = (slot + 1) & slotMask;
    store<u32>(slots + ((<usize>slot) << 2), i + 1);
  }
}

/** The slot where the search for a key starts: its encoding is as good as random. */
@inline
function slotOf(key: usize): u32 {
  return <u32>((load<u64>(key) * 0x9e3779b97f4a7c15) >> 32) & slotMask;
}

@inline
function sameKey(a: usize, b: usize): bool {
  return (
    load<u64>(a) == load<u64>(b) &&
    load<u64>(a, 8) == load<u64>(b, 8) &&
    load<u64>(a, 16) == load<u64>(b, 16) &&
    load<u64>(a, 24) == load<u64>(b, 24)
  );
}

/** The number of the spend key, or -1. */
export function findSpendKey(key: usize): i32 {
  let slot = slotOf(key);
  // At least half of the slots are free.
  while (true) {
    const entry = load<u32>(slots + ((<usize>slot) << 2));
    if (entry == 0) return -1;
    if (sameKey(keys + ((<usize>(entry - 1)) << 5), key)) return <i32>(entry - 1);
    slot = (slot + 1) & slotMask;
  }
}

/** Wipes the view key. */
export function forgetAccount(): void {
  wipe(VIEW_KEY, 32);
}
