import { toBlockHash } from '../protocol/index.ts';
import { release } from '../protocol/release.ts';
import type { BlockColumns, Items, OutputColumns, ScanFindings, ScannedBlock, ScannedOutput, ScanResult } from './types.ts';

/**
 * Scan results as columns: a reply's thousands of objects would have to be copied between threads, kept until the reply has been applied,
 * and garbage-collected one by one. Each is created when it is read.
 */

/** Count of a block's numbers, and the positions of its offsets among them. */
const BLOCK_NUMBERS = 8;
const [COINBASE, TX_HASHES] = [5, 7];
/** Count of an output's numbers, and the positions of its block index and its offset among them. */
const OUTPUT_NUMBERS = 7;
const [BLOCK_INDEX, OFFSET] = [0, 2];

/** The fields of a block that are in the column of numbers. */
export type BlockNumbers = Omit<ScannedBlock, 'id' | 'prevId'>;
/** The fields of an output that are in the column of numbers. */
export type OutputNumbers = Omit<ScannedOutput, 'globalIndex' | 'txHash' | 'derivation'>;

/** Empty columns for `count` blocks. */
export const blockColumns = (count: number): BlockColumns => ({
  numbers: new Float64Array(BLOCK_NUMBERS * count),
  ids: new Uint8Array(32 * count),
  prevIds: new Uint8Array(32 * count),
});

/** Empty columns for `count` outputs. */
export const outputColumns = (count: number): OutputColumns => ({
  numbers: new Float64Array(OUTPUT_NUMBERS * count),
  globalIndices: new BigUint64Array(count),
  txHashes: new Uint8Array(32 * count),
  derivations: new Uint8Array(32 * count),
});

/** Writes the numbers of the block at a position. */
export function putBlock({ numbers }: BlockColumns, position: number, block: BlockNumbers): void {
  const at = BLOCK_NUMBERS * position;
  numbers[at] = block.height;
  numbers[at + 1] = block.majorVersion;
  numbers[at + 2] = block.minorVersion;
  numbers[at + 3] = block.timestamp;
  numbers[at + 4] = block.txCount;
  numbers[at + COINBASE] = block.coinbaseOffset;
  numbers[at + 6] = block.coinbaseLength;
  numbers[at + TX_HASHES] = block.txHashesOffset;
}

/** Converts a column's number to a small integer, which engines store in place; as a double, it would be a heap object of its own. */
const whole = (value: number | undefined): number => (value === (value! | 0) ? value! | 0 : value!);

function blockAt({ numbers, ids, prevIds }: BlockColumns, position: number): ScannedBlock {
  const at = BLOCK_NUMBERS * position;
  return {
    height: whole(numbers[at]),
    id: hexAt(ids, position),
    prevId: hexAt(prevIds, position),
    majorVersion: whole(numbers[at + 1]),
    minorVersion: whole(numbers[at + 2]),
    timestamp: whole(numbers[at + 3]),
    txCount: whole(numbers[at + 4]),
    coinbaseOffset: whole(numbers[at + COINBASE]),
    coinbaseLength: whole(numbers[at + 6]),
    txHashesOffset: whole(numbers[at + TX_HASHES]),
  };
}

const hexAt = (ids: Uint8Array, position: number) => toBlockHash(ids.subarray(32 * position, 32 * position + 32));

/** Writes the numbers of the output at a position. */
export function putOutput({ numbers }: OutputColumns, position: number, output: OutputNumbers): void {
  const at = OUTPUT_NUMBERS * position;
  numbers[at + BLOCK_INDEX] = output.blockIndex;
  numbers[at + 1] = output.ordinal;
  numbers[at + OFFSET] = output.offset;
  numbers[at + 3] = output.length;
  numbers[at + 4] = output.outputIndex;
  numbers[at + 5] = output.spendKeyIndex;
  numbers[at + 6] = output.keySource;
}

function outputAt({ numbers, globalIndices, txHashes, derivations }: OutputColumns, position: number): ScannedOutput {
  const at = OUTPUT_NUMBERS * position;
  return {
    blockIndex: whole(numbers[at + BLOCK_INDEX]),
    ordinal: whole(numbers[at + 1]),
    offset: whole(numbers[at + OFFSET]),
    length: whole(numbers[at + 3]),
    outputIndex: whole(numbers[at + 4]),
    spendKeyIndex: whole(numbers[at + 5]),
    keySource: whole(numbers[at + 6]),
    globalIndex: globalIndices[position]!,
    txHash: txHashes.subarray(32 * position, 32 * position + 32),
    derivation: derivations.subarray(32 * position, 32 * position + 32),
  };
}

/** A list whose items are created anew each time one is read. */
class Made<T> implements Items<T> {
  readonly length: number;
  readonly #make: (position: number) => T;

  constructor(length: number, make: (position: number) => T) {
    this.length = length;
    this.#make = make;
  }

  at(position: number): T | undefined {
    const from = position < 0 ? this.length + position : position;
    return from >= 0 && from < this.length ? this.#make(from) : undefined;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let i = 0; i < this.length; i++) yield this.#make(i);
  }
}

/** Number of scanned blocks. */
export const blockCount = ({ blocks }: Pick<ScanFindings, 'blocks'>): number => blocks.ids.length / 32;
const outputCount = ({ outputs }: Pick<ScanFindings, 'outputs'>): number => outputs.globalIndices.length;

/** Turns offsets in a slice into offsets in its reply, by adding `shift`. */
export function shiftOffsets({ blocks, outputs, keyImageTx }: ScanFindings, shift: number): void {
  for (let at = 0; at < blocks.numbers.length; at += BLOCK_NUMBERS) {
    blocks.numbers[at + COINBASE]! += shift;
    blocks.numbers[at + TX_HASHES]! += shift;
  }
  for (let at = OFFSET; at < outputs.numbers.length; at += OUTPUT_NUMBERS) outputs.numbers[at]! += shift;
  for (let at = 1; at < keyImageTx.length; at += 4) keyImageTx[at]! += shift;
}

/** Merges the findings of consecutive slices into those of their reply, and releases the slices' memory. */
export function mergeFindings(parts: readonly ScanFindings[]): ScanFindings {
  const [first] = parts;
  if (parts.length === 1) return first!;
  const total = (count: (part: ScanFindings) => number): number => parts.reduce((sum, part) => sum + count(part), 0);
  const images = total(({ keyImageTx }) => keyImageTx.length / 4);
  const joined = {
    ...first!,
    blocks: blockColumns(total(blockCount)),
    outputs: outputColumns(total(outputCount)),
    keyImages: new Uint8Array(32 * images),
    keyImageTx: new Uint32Array(4 * images),
  };
  const into = buffersOf(joined).map((buffer) => new Uint8Array(buffer));
  const at = into.map(() => 0);
  let blocksBefore = 0;
  for (const part of parts) {
    const { outputs, keyImageTx } = part;
    for (let i = BLOCK_INDEX; i < outputs.numbers.length; i += OUTPUT_NUMBERS) outputs.numbers[i]! += blocksBefore;
    for (let i = 0; i < keyImageTx.length; i += 4) keyImageTx[i]! += blocksBefore;
    blocksBefore += blockCount(part);
    buffersOf(part).forEach((buffer, i) => {
      into[i]!.set(new Uint8Array(buffer), at[i]);
      at[i]! += buffer.byteLength;
      release(buffer);
    });
  }
  return joined;
}

/** Buffers of the findings, one per column: transferred to another thread rather than copied, and released after use. */
export function buffersOf({ blocks, outputs, keyImages, keyImageTx }: ScanFindings): ArrayBuffer[] {
  const columns: readonly ArrayBufferView[] = [...Object.values(blocks), ...Object.values(outputs), keyImages, keyImageTx];
  return columns.map(({ buffer }) => buffer as ArrayBuffer);
}

/** Releases the memory of a reply and its findings. They cannot be read afterwards. */
export function releaseResult({ buffer, columns }: ScanResult): void {
  for (const memory of [buffer, ...columns]) release(memory);
}

/** The findings in readable form, and the reply in which they were found. */
export function resultOf(findings: ScanFindings, buffer: ArrayBuffer): ScanResult {
  const { startHeight, currentHeight, keyImages, keyImageTx } = findings;
  const blocks = new Made(blockCount(findings), (position) => blockAt(findings.blocks, position));
  const outputs = new Made(outputCount(findings), (position) => outputAt(findings.outputs, position));
  return { buffer, startHeight, currentHeight, blocks, outputs, keyImages, keyImageTx, columns: buffersOf(findings) };
}
