/**
 * Scans a reply of get_blocks.bin in place: storage format, blocks, transactions, tx_extra, in one pass, after a first look at the outermost
 * fields.
 *
 * Total: for any bytes, the scan ends with a code of `errors.ts`, in time and memory that grow no faster than the reply.
 */
import { prepareBase } from '../curve/base';
import {
  BAD_BLOCK,
  BAD_STATUS,
  BAD_STORAGE,
  BAD_TRANSACTION,
  COUNT_MISMATCH,
  HEIGHT_MISMATCH,
  ID_MISMATCH,
  OK,
  OUT_OF_MEMORY,
  TOO_LARGE,
  UNKNOWN_VERSION,
  clear,
  code,
  place,
  stop,
} from './errors';
import * as block from './block';
import * as extra from './extra';
import { append, reset } from './log';
import { JOB_COUNT, JOB_FIRST_INDEX, JOB_KEY, JOB_OUTPUTS, closeQueues, nextJob, openQueues } from './match';
import * as reader from './reader';
import {
  BLOCK_COINBASE,
  BLOCK_COINBASE_ID,
  BLOCK_COINBASE_SIZE,
  BLOCK_HASHES,
  BLOCK_HEIGHT,
  BLOCK_ID,
  BLOCK_MAJOR_VERSION,
  BLOCK_MINOR_VERSION,
  BLOCK_PREVIOUS_ID,
  BLOCK_SIZE,
  BLOCK_TIMESTAMP,
  BLOCK_TRANSACTIONS,
  IMAGE_BLOCK,
  IMAGE_KEY,
  IMAGE_ORDINAL,
  IMAGE_SIZE,
  IMAGE_TX,
  IMAGE_TX_SIZE,
  MATCH_ADDITIONAL,
  MATCH_BLOCK,
  MATCH_INDEX_COUNT,
  MATCH_INDICES,
  MATCH_ORDINAL,
  MATCH_RANK,
  MATCH_SIZE,
  MATCH_TX,
  MATCH_TX_SIZE,
  RESULT_BLOCKS,
  RESULT_CODE,
  RESULT_CURRENT_HEIGHT,
  RESULT_KEY_IMAGES,
  RESULT_MATCHES,
  RESULT_START_HEIGHT,
  RESULT_STOPPED_AT,
} from './records';
import * as storage from './storage';
import * as tx from './transaction';

/** The newest protocol version whose blocks are scanned, from the host's eras (src/protocol/eras). */
let newestVersion: u32 = 0;
/** A daemon sends at most 1,000 blocks and stops after 20,000 transactions; the limits are twice that. */
const MAX_BLOCKS: u64 = 2000;
const MAX_TRANSACTIONS: u32 = 40000;
/** Sections of a reply are nested three deep. */
const DEPTH: i32 = 8;

/** Results of a scan for the host: `records.ts`. */
const RESULT: usize = memory.data(72, 16);
const BLOCKS: usize = RESULT + RESULT_BLOCKS;
const KEY_IMAGES: usize = RESULT + RESULT_KEY_IMAGES;
const MATCHES: usize = RESULT + RESULT_MATCHES;

let end: usize = 0;
let startHeight: u64 = 0;
let currentHeight: u64 = 0;
let blockCount: u64 = 0;
let blocksAt: usize = 0;
let indexCount: u64 = 0;
let indicesAt: usize = 0;
let transactions: u32 = 0;

/** Scans the `size` bytes at `at`, up to the first block of a version above `newest`, and returns the address of the result. */
export function scanReply(at: usize, size: usize, newest: u32): usize {
  clear();
  newestVersion = newest;
  reset(BLOCKS, <u32>BLOCK_SIZE);
  reset(KEY_IMAGES, <u32>IMAGE_SIZE);
  reset(MATCHES, <u32>MATCH_SIZE);
  openQueues(MATCHES);
  end = at + size;
  transactions = 0;
  readOutermost(at);
  if (!prepareBase()) stop(OUT_OF_MEMORY, at);
  if (code == OK && blockCount != indexCount) stop(COUNT_MISMATCH, at);
  if (code == OK && blockCount > MAX_BLOCKS) stop(TOO_LARGE, at);
  for (let i: u32 = 0; code == OK && i < <u32>blockCount; i++) if (!scanEntry(i)) break;
  closeQueues();
  store<i32>(RESULT, code, RESULT_CODE);
  store<u32>(RESULT, place >= at && place <= end ? <u32>(place - at) : 0, RESULT_STOPPED_AT);
  store<u64>(RESULT, startHeight, RESULT_START_HEIGHT);
  store<u64>(RESULT, currentHeight, RESULT_CURRENT_HEIGHT);
  return RESULT;
}

/** Finds the outermost fields. */
function readOutermost(at: usize): void {
  startHeight = 0;
  currentHeight = 0;
  blockCount = 0;
  indexCount = 0;
  reader.open(at, end);
  storage.readHeader();
  const count = storage.readSize();
  for (let i: u64 = 0; i < count && !reader.failed; i++) {
    storage.readField();
    const type = storage.type;
    if (storage.named('blocks')) {
      blockCount = openObjects(type);
      blocksAt = reader.cursor;
      skipObjects(blockCount);
    } else if (storage.named('output_indices')) {
      indexCount = openObjects(type);
      indicesAt = reader.cursor;
      skipObjects(indexCount);
    } else if (storage.named('start_height') && type == storage.TYPE_U64) startHeight = reader.readU64();
    else if (storage.named('current_height') && type == storage.TYPE_U64) currentHeight = reader.readU64();
    else if (storage.named('status') && type == storage.TYPE_STRING) readStatus();
    else storage.skipValue(type, DEPTH);
  }
  if (reader.failed || reader.remaining() != 0) stop(BAD_STORAGE, reader.cursor);
}

function readStatus(): void {
  const size = storage.readSize();
  const text = reader.skip(size);
  if (!reader.failed && (size != 2 || load<u8>(text) != 0x4f || load<u8>(text, 1) != 0x4b)) stop(BAD_STATUS, text);
}

/** The count of an array of sections; the sections follow. */
function openObjects(type: u32): u64 {
  if (type != (storage.ARRAY | storage.TYPE_OBJECT)) reader.fail();
  const count = storage.readSize();
  if (count > <u64>reader.remaining()) reader.fail();
  return reader.failed ? 0 : count;
}

function skipObjects(count: u64): void {
  for (let i: u64 = 0; i < count && !reader.failed; i++) storage.skipSection(DEPTH);
}

// The current block's entry: its blob, its transactions, their output indices.
let blob: usize = 0;
let blobSize: usize = 0;
let pruned: bool = false;
let entries: u64 = 0;
let entriesAt: usize = 0;
let entryType: u32 = 0;
let indexEntries: u64 = 0;
let indexEntriesAt: usize = 0;

/** Reads a block's section of `blocks`. */
function readEntry(): void {
  blob = 0;
  blobSize = 0;
  pruned = false;
  entries = 0;
  reader.open(blocksAt, end);
  const count = storage.readSize();
  for (let i: u64 = 0; i < count && !reader.failed; i++) {
    storage.readField();
    const type = storage.type;
    if (storage.named('block') && type == storage.TYPE_STRING) {
      blobSize = <usize>storage.readSize();
      blob = reader.skip(blobSize);
    } else if (storage.named('pruned') && type == storage.TYPE_BOOL) pruned = reader.readU8() != 0;
    else if (storage.named('txs')) {
      entryType = type & ~storage.ARRAY;
      if (!(type & storage.ARRAY) || (entryType != storage.TYPE_STRING && entryType != storage.TYPE_OBJECT)) reader.fail();
      entries = storage.readSize();
      entriesAt = reader.cursor;
      for (let k: u64 = 0; k < entries && !reader.failed; k++) storage.skipValue(entryType, DEPTH);
    } else storage.skipValue(type, DEPTH);
  }
  if (reader.failed) stop(BAD_STORAGE, blocksAt);
  blocksAt = reader.cursor;
}

/** Reads a block's section of `output_indices`. */
function readIndexEntry(): void {
  indexEntries = 0;
  reader.open(indicesAt, end);
  const count = storage.readSize();
  for (let i: u64 = 0; i < count && !reader.failed; i++) {
    storage.readField();
    const type = storage.type;
    if (storage.named('indices')) {
      indexEntries = openObjects(type);
      indexEntriesAt = reader.cursor;
      skipObjects(indexEntries);
    } else storage.skipValue(type, DEPTH);
  }
  if (reader.failed) stop(BAD_STORAGE, indicesAt);
  indicesAt = reader.cursor;
}

/** Scans the next block. Returns false if the scan ends before it, without an error. */
function scanEntry(position: u32): bool {
  readEntry();
  readIndexEntry();
  if (code != OK) return false;
  if (block.peekVersion(blob, blobSize) > newestVersion && !reader.failed) {
    // The first block of a reply is already known and the second is the first new one: before it there is no result to return.
    if (position < 2) stop(UNKNOWN_VERSION, blob);
    return false;
  }
  if (!block.readBlock(blob, blobSize)) stop(BAD_BLOCK, blob);
  else if (tx.coinbaseHeight != startHeight + position || tx.coinbaseHeight > 0xffffffff) stop(HEIGHT_MISMATCH, blob);
  else if (entries != <u64>block.hashCount || indexEntries != <u64>block.hashCount + 1) stop(COUNT_MISMATCH, blob);
  transactions += block.hashCount + 1;
  if (transactions > MAX_TRANSACTIONS) stop(TOO_LARGE, blob);
  if (code != OK) return false;
  logBlock();
  scanTransaction(position, 0, block.coinbase, block.coinbaseEnd);
  for (let i: u32 = 0; code == OK && i < block.hashCount; i++) scanBlob(position, i);
  return code == OK;
}

function logBlock(): void {
  const record = append(BLOCKS);
  if (record == 0) return;
  block.identify(record + BLOCK_ID, record + BLOCK_COINBASE_ID);
  memory.copy(record + BLOCK_PREVIOUS_ID, block.previousId, 32);
  store<u32>(record, <u32>tx.coinbaseHeight, BLOCK_HEIGHT);
  store<u32>(record, block.majorVersion, BLOCK_MAJOR_VERSION);
  store<u32>(record, block.minorVersion, BLOCK_MINOR_VERSION);
  store<u32>(record, block.hashCount + 1, BLOCK_TRANSACTIONS);
  store<u32>(record, <u32>block.hashes, BLOCK_HASHES);
  store<u32>(record, <u32>block.coinbase, BLOCK_COINBASE);
  store<u32>(record, <u32>(block.coinbaseEnd - block.coinbase), BLOCK_COINBASE_SIZE);
  store<u64>(record, block.timestamp, BLOCK_TIMESTAMP);
}

// The blob of a transaction other than a coinbase.
let txBlob: usize = 0;
let txSize: usize = 0;

/** Finds the next transaction's blob: a string, or a section with a string named blob. */
function readTxEntry(): void {
  reader.open(entriesAt, end);
  txBlob = 0;
  txSize = 0;
  if (entryType == storage.TYPE_STRING) {
    txSize = <usize>storage.readSize();
    txBlob = reader.skip(txSize);
  } else {
    const count = storage.readSize();
    for (let i: u64 = 0; i < count && !reader.failed; i++) {
      storage.readField();
      const type = storage.type;
      if (storage.named('blob') && type == storage.TYPE_STRING) {
        txSize = <usize>storage.readSize();
        txBlob = reader.skip(txSize);
      } else storage.skipValue(type, DEPTH);
    }
  }
  entriesAt = reader.cursor;
}

const ID: usize = memory.data(32, 16);

/** Scans transaction `number` of the block's list. */
function scanBlob(position: u32, number: u32): void {
  readTxEntry();
  reader.open(txBlob, txBlob + txSize);
  tx.readTransaction();
  const left = <u64>reader.remaining();
  const tail: u64 = pruned ? 0 : tx.version == 1 ? tx.ringMembers * 64 : left;
  if (reader.failed || left != tail) {
    stop(BAD_TRANSACTION, txBlob);
    return;
  }
  if (!pruned) {
    tx.hashTransaction(ID, txBlob, txBlob + txSize);
    if (memory.compare(ID, block.hashes + ((<usize>number) << 5), 32) != 0) {
      stop(ID_MISMATCH, txBlob);
      return;
    }
  }
  scanTransaction(position, number + 1, txBlob, txBlob + txSize);
}

let outputIndices: usize = 0;

/** Finds the next transaction's output indices and returns their number. */
function readOutputIndices(): u64 {
  let found: u64 = 0;
  reader.open(indexEntriesAt, end);
  const count = storage.readSize();
  for (let i: u64 = 0; i < count && !reader.failed; i++) {
    storage.readField();
    const type = storage.type;
    if (storage.named('indices') && type == (storage.ARRAY | storage.TYPE_U64)) {
      found = storage.readSize();
      outputIndices = reader.skipMany(found, 8);
    } else storage.skipValue(type, DEPTH);
  }
  indexEntriesAt = reader.cursor;
  return found;
}

/** Logs key images and queues keys of the transaction that `transaction.ts` holds. */
function scanTransaction(position: u32, ordinal: u32, at: usize, until: usize): void {
  if (readOutputIndices() != <u64>tx.outputCount) {
    stop(COUNT_MISMATCH, at);
    return;
  }
  logKeyImages(position, ordinal, at, until);
  if (tx.outputCount == 0) return;
  const most = mostKeys(until - at);
  let keys: u32 = 0;
  extra.openExtra(tx.extra, tx.extraSize);
  while (extra.nextPublicKey()) {
    if (keys++ >= most) continue;
    // If several keys match an output, wallet2 takes the first transaction key, then the additional key, then the others.
    const job = queueJob(position, ordinal, at, until, extra.publicKey, keys == 1 ? 0 : keys, -1);
    store<u32>(job, <u32>tx.outputs, JOB_OUTPUTS);
    store<u32>(job, tx.outputCount, JOB_COUNT);
    store<u32>(job, 0, JOB_FIRST_INDEX);
  }
  if (keys) queueAdditional(position, ordinal, at, until);
}

/**
 * How many transaction keys are tried with all outputs: keys times outputs must not outgrow the transaction's bytes, or a reply could cause days of
 * work. No honest transaction comes near.
 */
function mostKeys(size: usize): u32 {
  const checks = max<u32>(2048, <u32>size >> 2);
  return max<u32>(1, checks / tx.outputCount);
}

function queueJob(position: u32, ordinal: u32, at: usize, until: usize, key: usize, rank: u32, additional: i32): usize {
  const job = nextJob();
  store<u32>(job, <u32>key, JOB_KEY);
  store<u32>(job, rank, MATCH_RANK);
  store<i32>(job, additional, MATCH_ADDITIONAL);
  store<u32>(job, position, MATCH_BLOCK);
  store<u32>(job, ordinal, MATCH_ORDINAL);
  store<u32>(job, <u32>at, MATCH_TX);
  store<u32>(job, <u32>(until - at), MATCH_TX_SIZE);
  store<u32>(job, <u32>outputIndices, MATCH_INDICES);
  store<u32>(job, tx.outputCount, MATCH_INDEX_COUNT);
  return job;
}

/** Additional key k applies only to output k; there may be too few, and surplus keys are ignored. */
function queueAdditional(position: u32, ordinal: u32, at: usize, until: usize): void {
  const count = min<u32>(extra.additionalCount, tx.outputCount);
  reader.open(tx.outputs, until);
  for (let k: u32 = 0; k < count; k++) {
    const output = reader.cursor;
    tx.nextOutput();
    const job = queueJob(position, ordinal, at, until, extra.additionalKeys + ((<usize>k) << 5), 1, <i32>k);
    store<u32>(job, <u32>output, JOB_OUTPUTS);
    store<u32>(job, 1, JOB_COUNT);
    store<u32>(job, k, JOB_FIRST_INDEX);
  }
}

function logKeyImages(position: u32, ordinal: u32, at: usize, until: usize): void {
  reader.open(tx.inputs, until);
  for (let i: u32 = 0; i < tx.inputCount; i++) {
    const image = tx.nextKeyImage();
    if (image == 0) continue;
    const record = append(KEY_IMAGES);
    if (record == 0) return;
    memory.copy(record + IMAGE_KEY, image, 32);
    store<u32>(record, position, IMAGE_BLOCK);
    store<u32>(record, <u32>at, IMAGE_TX);
    store<u32>(record, <u32>(until - at), IMAGE_TX_SIZE);
    store<u32>(record, ordinal, IMAGE_ORDINAL);
  }
}
