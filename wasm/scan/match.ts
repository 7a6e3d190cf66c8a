/**
 * From transaction keys to outputs that are ours, in two queues that are processed a batch at a time:
 *
 * - **jobs**: a public key R and the outputs that it may pay. A batch of jobs is derived, 8·a·R, and compared with the outputs' view tags. Outputs
 *   that match, and outputs without a tag, become candidates;
 * - **candidates**: an output key P and a derivation D. P - Hs(D ‖ index)·G is looked up among the spend keys.
 *
 * As in wallet2: a key that is not a point derives the identity and its outputs are still tried; an output key that is not a point belongs to nobody.
 */
import { multiplyBase } from '../curve/base';
import { ENCODINGS, compress, decompress2 } from '../curve/encoding';
import { RECODED, recode } from '../curve/multiply';
import { deriveBatch } from '../curve/ops';
import { POINT, subCachedT, toCached } from '../curve/point';
import { LANES } from '../field/index';
import { keccak256 } from '../keccak';
import { wipe } from '../memory';
import { scalarReduce32 } from '../scalar';
import { VIEW_KEY, findSpendKey } from './account';
import { append } from './log';
import * as reader from './reader';
import {
  MATCH_DERIVATION,
  MATCH_OUTPUT_INDEX,
  MATCH_OUTPUT_KEY,
  MATCH_RANK,
  MATCH_SIZE,
  MATCH_SPEND_KEY,
  MATCH_TX,
  MATCH_TX_SIZE,
} from './records';
import * as tx from './transaction';

/** Vectors in a batch; even. */
const VECTORS: i32 = 32;
const BATCH: i32 = VECTORS * LANES;

/**
 * A job: key, first output, outputs, index of the first, u32 each; from COMMON on the fields common to job, candidate and match. A candidate is a
 * match not yet known to be ours (`records.ts`).
 */
export const JOB_KEY: usize = 0;
export const JOB_OUTPUTS: usize = 4;
export const JOB_COUNT: usize = 8;
export const JOB_FIRST_INDEX: usize = 12;
const COMMON: usize = MATCH_RANK;
const COMMON_SIZE: usize = 32;

const JOBS: usize = memory.data(32 * LANES * 80, 16);
const CANDIDATES: usize = memory.data(32 * LANES * 80, 16);
const KEYS: usize = memory.data(32 * LANES * 32, 16);
const DERIVATIONS: usize = memory.data(32 * LANES * 32, 16);
const GOOD: usize = memory.data(32 * LANES, 16);
const POINTS: usize = memory.data(32 * POINT, 16);
const SHARED: usize = memory.data(POINT, 16);
const SCALARS: usize = memory.data(RECODED, 16);
const SCALAR: usize = memory.data(32, 16);
const MESSAGE: usize = memory.data(64, 16);

let jobs: i32 = 0;
let candidates: i32 = 0;
/** The matches: a log of MATCH_SIZE. */
let found: usize = 0;

/** Starts a scan. */
export function openQueues(matches: usize): void {
  jobs = 0;
  candidates = 0;
  found = matches;
  // "view_tag", eight bytes.
  store<u64>(MESSAGE, 0x6761745f77656976);
}

/** Processes the queued work and wipes it. */
export function closeQueues(): void {
  if (jobs) deriveJobs();
  if (candidates) tryCandidates();
  wipe(CANDIDATES, 32 * LANES * 80);
  wipe(DERIVATIONS, 32 * LANES * 32);
  wipe(SAVED, 32);
  wipe(POINTS, 32 * POINT);
  wipe(SHARED, POINT);
  wipe(SCALARS, RECODED);
  wipe(SCALAR, 32);
  wipe(MESSAGE, 64);
}

/** Room for a job; the caller fills it before requesting another. */
export function nextJob(): usize {
  if (jobs == BATCH) deriveJobs();
  jobs += 1;
  return JOBS + <usize>(jobs - 1) * MATCH_SIZE;
}

/** Derives the queued jobs and queues their outputs. Leaves the reader unchanged. */
function deriveJobs(): void {
  const at = reader.cursor,
    end = reader.limit;
  for (let i = 0; i < jobs; i++) memory.copy(KEYS + ((<usize>i) << 5), load<u32>(JOBS + <usize>i * MATCH_SIZE, JOB_KEY), 32);
  deriveBatch(DERIVATIONS, GOOD, VIEW_KEY, KEYS, jobs);
  for (let i = 0; i < jobs; i++) queueOutputs(JOBS + <usize>i * MATCH_SIZE, DERIVATIONS + ((<usize>i) << 5));
  jobs = 0;
  reader.open(at, end);
}

/** Compares the outputs of a job with its derivation. */
function queueOutputs(job: usize, derivation: usize): void {
  const first = load<u32>(job, JOB_FIRST_INDEX);
  const count = load<u32>(job, JOB_COUNT);
  const transaction = load<u32>(job, MATCH_TX);
  reader.open(load<u32>(job, JOB_OUTPUTS), transaction + load<u32>(job, MATCH_TX_SIZE));
  memory.copy(MESSAGE + 8, derivation, 32);
  for (let i: u32 = 0; i < count; i++) {
    tx.nextOutput();
    const index = first + i;
    if (tx.viewTag >= 0 && viewTag(index) != tx.viewTag) continue;
    if (candidates == BATCH) tryCandidates();
    const candidate = CANDIDATES + <usize>candidates * MATCH_SIZE;
    candidates += 1;
    memory.copy(candidate + MATCH_DERIVATION, derivation, 32);
    store<u32>(candidate, <u32>tx.outputKey, MATCH_OUTPUT_KEY);
    store<u32>(candidate, index, MATCH_OUTPUT_INDEX);
    memory.copy(candidate + COMMON, job + COMMON, COMMON_SIZE);
  }
}

/** Appends the output index to a derivation in MESSAGE and returns the address after it. */
function appendIndex(index: u32): usize {
  let at = MESSAGE + 40;
  for (; index >= 0x80; index >>= 7) store<u8>(at++, <u8>(index & 0x7f) | 0x80);
  store<u8>(at, <u8>index);
  return at + 1;
}

/** First byte of Keccak("view_tag" ‖ D ‖ index), D in MESSAGE. */
function viewTag(index: u32): i32 {
  const end = appendIndex(index);
  keccak256(SCALAR, MESSAGE, end - MESSAGE);
  return load<u8>(SCALAR);
}

/** SCALAR = Hs(D ‖ index). */
function sharedScalar(derivation: usize, index: u32): void {
  memory.copy(MESSAGE + 8, derivation, 32);
  const end = appendIndex(index);
  keccak256(SCALAR, MESSAGE + 8, end - MESSAGE - 8);
  scalarReduce32(SCALAR, SCALAR);
}

/** Recovers the spend keys paid by the queued candidates, and logs those that are ours. */
function tryCandidates(): void {
  const derivation = SAVED;
  memory.copy(derivation, MESSAGE + 8, 32);
  const vectors = (candidates + LANES - 1) / LANES;
  for (let i = 0; i < 2 * LANES * ((vectors + 1) >> 1); i++) {
    const candidate = CANDIDATES + <usize>(i < candidates ? i : 0) * MATCH_SIZE;
    memory.copy(KEYS + ((<usize>i) << 5), load<u32>(candidate, MATCH_OUTPUT_KEY), 32);
  }
  for (let v = 0; v < vectors; v += 2) {
    const good = decompress2(POINTS + <usize>v * POINT, KEYS + <usize>v * ENCODINGS);
    for (let i = 0; i < 2 * LANES; i++) store<u8>(GOOD + <usize>(v * LANES + i), <u8>((good >> i) & 1));
  }
  for (let v = 0; v < vectors; v++) {
    for (let lane = 0; lane < LANES; lane++) {
      const i = v * LANES + lane;
      const candidate = CANDIDATES + <usize>(i < candidates ? i : 0) * MATCH_SIZE;
      sharedScalar(candidate + MATCH_DERIVATION, load<u32>(candidate, MATCH_OUTPUT_INDEX));
      recode(SCALARS, lane, SCALAR);
    }
    const p = POINTS + <usize>v * POINT;
    multiplyBase(SHARED, SCALARS);
    toCached(SHARED, SHARED);
    subCachedT(p, p, SHARED);
  }
  compress(KEYS, POINTS, vectors);
  for (let i = 0; i < candidates; i++)
    if (load<u8>(GOOD + i)) logIfOurs(CANDIDATES + <usize>i * MATCH_SIZE, KEYS + ((<usize>i) << 5));
  candidates = 0;
  memory.copy(MESSAGE + 8, derivation, 32);
}

/** The derivation whose outputs were being tried when the queue was full. */
const SAVED: usize = memory.data(32, 16);

function logIfOurs(candidate: usize, spendKey: usize): void {
  const number = findSpendKey(spendKey);
  if (number < 0) return;
  const match = append(found);
  if (match == 0) return;
  memory.copy(match, candidate, MATCH_SPEND_KEY);
  store<i32>(match, number, MATCH_SPEND_KEY);
}
