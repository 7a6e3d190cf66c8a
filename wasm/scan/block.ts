/**
 * Parses block blobs in place: header, coinbase, ids of the other transactions; and computes the block's id (cryptonote_format_utils.cpp,
 * calculate_block_hash; crypto/tree-hash.c).
 */
import { keccak256 } from '../keccak';
import { alloc, mark, release } from '../memory';
import { BAD_BLOCK, OUT_OF_MEMORY, stop } from './errors';
import * as reader from './reader';
import * as tx from './transaction';

export let majorVersion: u32 = 0;
export let minorVersion: u32 = 0;
export let timestamp: u64 = 0;
export let previousId: usize = 0;
/** Address of the coinbase. */
export let coinbase: usize = 0;
export let coinbaseEnd: usize = 0;
/** Number of transactions without the coinbase, and the address of their ids. */
export let hashCount: u32 = 0;
export let hashes: usize = 0;
let headerEnd: usize = 0;
let blob: usize = 0;
let blobEnd: usize = 0;

/** Reads only major and minor version, with which blocks of every era begin. */
export function peekVersion(at: usize, size: usize): u32 {
  reader.open(at, at + size);
  return <u32>reader.readVarint(8);
}

/** Reads a block; afterwards `transaction.ts` has its coinbase. Returns false if the blob is not a block. */
export function readBlock(at: usize, size: usize): bool {
  reader.open(at, at + size);
  blob = at;
  blobEnd = at + size;
  majorVersion = <u32>reader.readVarint(8);
  minorVersion = <u32>reader.readVarint(8);
  timestamp = reader.readVarint(64);
  previousId = reader.skip(32);
  reader.skip(4); // nonce
  headerEnd = reader.cursor;
  coinbase = reader.cursor;
  tx.readTransaction();
  // A coinbase has no signatures: in version 1 it ends with its prefix, in version 2 with type 0.
  if (!tx.isCoinbase || tx.rctType != 0) reader.fail();
  coinbaseEnd = reader.cursor;
  hashCount = reader.readCount(32);
  hashes = reader.skip((<u64>hashCount) << 5);
  return !reader.failed && reader.remaining() == 0;
}

/** out = the hash of a binary tree over `count` leaves of 32 bytes; the leaves are overwritten. */
function treeHash(out: usize, leaves: usize, count: u32): void {
  if (count > 1) {
    let width: u32 = 1;
    while (width * 2 < count) width *= 2;
    // Leaves beyond the power of two are paired at the end first.
    const alone = 2 * width - count;
    for (let i: u32 = alone; i < width; i++) {
      keccak256(leaves + ((<usize>i) << 5), leaves + ((<usize>(2 * i - alone)) << 5), 64);
    }
    for (; width > 1; width >>= 1) {
      for (let i: u32 = 0; i < width / 2; i++) keccak256(leaves + ((<usize>i) << 5), leaves + ((<usize>i) << 6), 64);
    }
  }
  memory.copy(out, leaves, 32);
}

/** The bytes hashed to the id: a length, then header ‖ tree hash ‖ count. */
const HASHING_BLOB: usize = memory.data(128, 16);

const ODD_HEIGHT: u64 = 202612;
/** 3a8a2b3a…37903966 and bbd604d2…17962698. */
const ODD_BLOB_HASH: usize = memory.data<u64>([0xc80fb5293a2b8a3a, 0xc643ea87d03df76f, 0x1949c836f9b8d6f0, 0x66399037c7845c4d]);
const ODD_ID: usize = memory.data<u64>([0x27ba11bad204d6bb, 0xfd9b9cd36e005e93, 0x4b65504abf769bd9, 0x9826961712e6e1c1]);

function equal32(a: usize, b: usize): bool {
  return memory.compare(a, b, 32) == 0;
}

/** Writes a varint and returns the address after it. */
function writeVarint(at: usize, value: u64): usize {
  while (value >= 0x80) {
    store<u8>(at++, <u8>(value & 0x7f) | 0x80);
    value >>= 7;
  }
  store<u8>(at++, <u8>value);
  return at;
}

/** id = the id of the block last read, coinbaseId = that of its coinbase, 32 bytes each. Stops the scan on failure. */
export function identify(id: usize, coinbaseId: usize): void {
  tx.hashTransaction(coinbaseId, coinbase, coinbaseEnd);
  const back = mark();
  const leaves = alloc((<usize>hashCount + 1) << 5);
  if (leaves == 0) {
    stop(OUT_OF_MEMORY, blob);
    return;
  }
  memory.copy(leaves, coinbaseId, 32);
  memory.copy(leaves + 32, hashes, (<usize>hashCount) << 5);
  // The length before the blob takes one byte: a header is at most 51 bytes long.
  let at = HASHING_BLOB + 1;
  memory.copy(at, blob, headerEnd - blob);
  at += headerEnd - blob;
  treeHash(at, leaves, hashCount + 1);
  at = writeVarint(at + 32, <u64>hashCount + 1);
  store<u8>(HASHING_BLOB, <u8>(at - HASHING_BLOB - 1));
  release(back);
  keccak256(id, HASHING_BLOB, at - HASHING_BLOB);
  if (tx.coinbaseHeight == ODD_HEIGHT) identifyOdd(id);
}

/** Block 202612 was hashed by a tree hash with a bug; its id is kept, tied to its exact bytes. */
function identifyOdd(id: usize): void {
  keccak256(HASHING_BLOB, blob, blobEnd - blob);
  if (equal32(HASHING_BLOB, ODD_BLOB_HASH)) memory.copy(id, ODD_ID, 32);
  else if (equal32(id, ODD_ID)) stop(BAD_BLOCK, blob);
}
