/**
 * tx_extra: the keys in it, found as wallet2 finds them (cryptonote_format_utils.cpp, parse_tx_extra): field after field until one is malformed;
 * the fields before it count.
 */
import { limit, cursor, failed, open, readCount, readU8, readVarint, remaining, skip } from './reader';

const PUBLIC_KEY: u32 = 0x01;
const NONCE: u32 = 0x02;
const MERGE_MINING: u32 = 0x03;
const ADDITIONAL_KEYS: u32 = 0x04;
const MINERGATE: u32 = 0xde;
const MAX_NONCE: u32 = 255;

/** Address of the public key in the last PUBLIC_KEY field; 0 after the last field. */
export let publicKey: usize = 0;
/** Keys of the first ADDITIONAL_KEYS field read so far, and their number. */
export let additionalKeys: usize = 0;
export let additionalCount: u32 = 0;
let additionalSeen: bool = false;

/** Starts reading. */
export function openExtra(at: usize, size: usize): void {
  open(at, at + size);
  additionalKeys = 0;
  additionalCount = 0;
  additionalSeen = false;
}

/** Reads on to the next public key. Returns false if there is none: then all additional keys have been seen too. */
export function nextPublicKey(): bool {
  while (remaining() > 0) {
    const tag = readU8();
    if (tag == PUBLIC_KEY) {
      publicKey = skip(32);
      return !failed;
    }
    if (tag == NONCE) {
      const size = readCount(1);
      if (size > MAX_NONCE) return false;
      skip(size);
    } else if (tag == MERGE_MINING) {
      if (!skipMergeMining()) return false;
    } else if (tag == ADDITIONAL_KEYS) {
      const count = readCount(32);
      const at = skip((<u64>count) << 5);
      if (!failed && !additionalSeen) {
        additionalSeen = true;
        additionalKeys = at;
        additionalCount = count;
      }
    } else if (tag == MINERGATE) {
      skip(readCount(1));
    } else {
      // Padding extends to the end, and other tags are unknown: no field follows either.
      return false;
    }
  }
  return false;
}

/** A length, containing exactly a varint and a hash. */
function skipMergeMining(): bool {
  const size = readCount(1);
  const outer = limit;
  const at = cursor;
  if (failed) return false;
  open(at, at + size);
  readVarint(64);
  skip(32);
  const good = !failed && remaining() == 0;
  open(at + size, outer);
  return good;
}
