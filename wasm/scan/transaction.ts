/**
 * Parses transactions in place: finds the parts of a blob without copying any. Formats: cryptonote_basic.h, rctTypes.h.
 *
 * One transaction at a time; the results stay in this file's variables until the next is read.
 */
import { keccak256 } from '../keccak';
import * as reader from './reader';

export let version: u64 = 0;
export let inputCount: u32 = 0;
/** Address of the first input, for `nextKeyImage`. */
export let inputs: usize = 0;
/** The height in a sole coinbase input; only if `isCoinbase`. */
export let coinbaseHeight: u64 = 0;
export let isCoinbase: bool = false;
export let outputCount: u32 = 0;
/** Address of the first output, for `nextOutput`. */
export let outputs: usize = 0;
export let extra: usize = 0;
export let extraSize: usize = 0;
/** One past the prefix. */
export let prefixEnd: usize = 0;
/** One past the end of a pruned transaction; the prefix's end in version 1. */
export let baseEnd: usize = 0;
/** Ring members of all inputs. */
export let ringMembers: u64 = 0;
/** RingCT type; 0 in version 1. */
export let rctType: u32 = 0;

const INPUT_GEN: u32 = 0xff;
const INPUT_KEY: u32 = 2;
const OUTPUT_KEY: u32 = 2;
const OUTPUT_TAGGED_KEY: u32 = 3;

/** Reads a transaction up to its prunable part from the open reader. `reader.failed` says whether that failed. */
export function readTransaction(): void {
  version = reader.readVarint(64);
  if (version < 1 || version > 2) reader.fail();
  reader.readVarint(64); // unlock time
  readInputs();
  readOutputs();
  extraSize = reader.readCount(1);
  extra = reader.skip(extraSize);
  prefixEnd = reader.cursor;
  rctType = 0;
  if (version == 2 && !reader.failed) readRctBase();
  baseEnd = reader.cursor;
}

function readInputs(): void {
  isCoinbase = false;
  ringMembers = 0;
  inputCount = reader.readCount(2);
  inputs = reader.cursor;
  for (let i: u32 = 0; i < inputCount && !reader.failed; i++) {
    const type = reader.readU8();
    if (type == INPUT_GEN) {
      coinbaseHeight = reader.readVarint(64);
      isCoinbase = inputCount == 1;
    } else if (type == INPUT_KEY) readKeyInput();
    else reader.fail();
  }
}

/** Returns the address of the key image. */
function readKeyInput(): usize {
  reader.readVarint(64); // amount
  const members = reader.readCount(1);
  for (let k: u32 = 0; k < members; k++) reader.readVarint(64);
  ringMembers += members;
  return reader.skip(32);
}

function readOutputs(): void {
  outputCount = reader.readCount(34);
  outputs = reader.cursor;
  for (let i: u32 = 0; i < outputCount && !reader.failed; i++) readOutput();
}

/** The output last read: the address of its key, and its view tag or -1. */
export let outputKey: usize = 0;
export let viewTag: i32 = -1;

function readOutput(): void {
  reader.readVarint(64); // amount
  const type = reader.readU8();
  if (type != OUTPUT_KEY && type != OUTPUT_TAGGED_KEY) reader.fail();
  outputKey = reader.skip(32);
  viewTag = type == OUTPUT_TAGGED_KEY ? <i32>reader.readU8() : -1;
}

/** Reads the next output; the reader is at a transaction's `outputs`. Already validated. */
export function nextOutput(): void {
  readOutput();
}

/** Reads the next input: the address of its key image, or 0 for a gen input. Already validated. */
export function nextKeyImage(): usize {
  if (reader.readU8() == INPUT_GEN) {
    reader.readVarint(64);
    return 0;
  }
  return readKeyInput();
}

/** Type, fee, pseudo outputs (type 2), encrypted amounts, commitments. */
function readRctBase(): void {
  rctType = reader.readU8();
  if (rctType == 0) return;
  if (rctType > 6) reader.fail();
  reader.readVarint(64); // fee
  if (rctType == 2) reader.skipMany(inputCount, 32);
  reader.skipMany(outputCount, rctType <= 3 ? 64 : 8);
  reader.skipMany(outputCount, 32);
}

const HASHES: usize = memory.data(96, 16);

/**
 * out = the id of the transaction last read, from `start` to `end`, unpruned.
 * Version 1: Keccak of the blob. Version 2: Keccak of the hashes of prefix, base and prunable part; for type 0 the last is 32 zeros.
 */
export function hashTransaction(out: usize, start: usize, end: usize): void {
  if (version == 1) {
    keccak256(out, start, end - start);
    return;
  }
  keccak256(HASHES, start, prefixEnd - start);
  keccak256(HASHES + 32, prefixEnd, baseEnd - prefixEnd);
  if (rctType == 0) memory.fill(HASHES + 64, 0, 32);
  else keccak256(HASHES + 64, baseEnd, end - baseEnd);
  keccak256(out, HASHES, 96);
}
