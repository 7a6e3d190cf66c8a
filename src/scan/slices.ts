import { asciiToBytes, concatBytes, u32ToBytes, u64ToBytes } from '../base/index.ts';
import { ARRAY_FLAG, STORAGE_HEADER, TYPE_CODES } from '../protocol/epee/wire.ts';
import { blockCount, mergeFindings, resultOf, shiftOffsets } from './columns.ts';
import { ScanError } from './errors.ts';
import { type ReplyLayout, readReplyLayout } from './layout.ts';
import type { ScanFindings, ScanResult } from './types.ts';

/** As in the kernel (`wasm/scan/reply.ts`): twice what a daemon sends. The kernel counts transactions itself. */
const LIMITS = { blocks: 2000, transactions: Number.POSITIVE_INFINITY, pooled: Number.POSITIVE_INFINITY };

const SECTIONS = TYPE_CODES.object | ARRAY_FLAG;

/** Scans a slice, which is made when its turn comes and then belongs to the scan. */
export type ScanSlice = (make: () => ArrayBuffer) => Promise<ScanFindings>;

/**
 * Scans a reply of any length some blocks at a time: workers share one reply between them, and the memory of a kernel, which never shrinks,
 * does not grow with it.
 * @param sliceBytes maximum bytes of a slice; a larger block is a slice of its own
 * @param scan called for all slices at once, in order
 * @param known the reply's layout, if it was walked before
 * @throws ScanError `bad-storage`, `count-mismatch`, `too-large`, and what `scan` throws
 */
export async function scanInSlices(
  buffer: ArrayBuffer,
  sliceBytes: number,
  scan: ScanSlice,
  known?: ReplyLayout,
): Promise<ScanResult> {
  const bytes = new Uint8Array(buffer);
  if (bytes.length <= sliceBytes) return resultOf(await scan(() => buffer.slice(0)), buffer);
  const reply = { bytes, layout: known ?? readReplyLayout(bytes, { bytes: bytes.length, ...LIMITS }) };
  const ranges = rangesOf(reply, sliceBytes);
  const scans = ranges.map((range) => scanRange(reply, range, scan));
  // A slice that fails is reported in its turn, or not at all when an earlier one failed.
  for (const one of scans) one.catch(() => undefined);
  const parts: ScanFindings[] = [];
  for (const [i, { from, to }] of ranges.entries()) {
    const part = await scans[i];
    if (part !== undefined) parts.push(part);
    // A slice that ends early has reached a protocol version that the kernel does not know.
    if (part === undefined || blockCount(part) < to - from) break;
  }
  return resultOf(mergeFindings(parts), buffer);
}

/** A reply and its layout. */
interface Reply {
  readonly bytes: Uint8Array;
  readonly layout: ReplyLayout;
}

const countOf = ({ layout }: Reply): number => layout.blocks.length - 1;

/** Some of a reply's blocks; the end is exclusive. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** The blocks of a reply in slices, at least one. */
function rangesOf(reply: Reply, sliceBytes: number): Range[] {
  const ranges: Range[] = [];
  let from = 0;
  do {
    const to = endOfSlice(reply.layout, from, sliceBytes);
    ranges.push({ from, to });
    from = to;
  } while (from < countOf(reply));
  return ranges;
}

/** End of a slice from `from` on: as many blocks as fit, at least one if there is one. */
function endOfSlice({ blocks, indices }: ReplyLayout, from: number, sliceBytes: number): number {
  let to = Math.min(from + 1, blocks.length - 1);
  while (to < blocks.length - 1 && blocks[to + 1]! - blocks[from]! + indices[to + 1]! - indices[from]! <= sliceBytes) to += 1;
  return to;
}

/**
 * The kernel refuses a reply whose first or second block has an unknown version; later in a long reply, the blocks before it still count.
 */
async function scanRange(reply: Reply, range: Range, scan: ScanSlice): Promise<ScanFindings | undefined> {
  const { from, to } = range;
  try {
    const slice = sliceOf(reply, range);
    const found = await scan(() => concatBytes(...slice.pieces).buffer);
    shiftOffsets(found, slice.shift);
    return found;
  } catch (error) {
    if (!(error instanceof ScanError) || error.code !== 'unknown-version' || from === 0) throw error;
    if (to > from + 1) return scanRange(reply, { from, to: from + 1 }, scan);
    if (from === 1) throw error;
    return undefined;
  }
}

/** Some of a reply's blocks with their output indices, as a separate reply. */
interface Slice {
  /** Its bytes, in consecutive pieces. */
  readonly pieces: readonly Uint8Array[];
  /** Offset to add to get from positions in the slice to those in the reply. */
  readonly shift: number;
}

/** The first slice also has the reply's other fields, except those about the pool. */
function sliceOf({ bytes, layout }: Reply, { from, to }: Range): Slice {
  const { blocks, indices, startHeight = 0n } = layout;
  const height = u64ToBytes(BigInt.asUintN(64, startHeight + BigInt(from)));
  const others =
    from === 0
      ? layout.others.map(([start, end]) => bytes.subarray(start, end))
      : [fieldHead('start_height', TYPE_CODES.uint64), height];
  const fields = 2 + (from === 0 ? layout.otherFields : 1);
  const before = [STORAGE_HEADER, sizeBytes(fields), ...others, fieldHead('blocks', SECTIONS), sizeBytes(to - from)];
  const theirs = bytes.subarray(blocks[from]!, blocks[to]!);
  const between = [fieldHead('output_indices', SECTIONS), sizeBytes(to - from)];
  return {
    pieces: [...before, theirs, ...between, bytes.subarray(indices[from]!, indices[to]!)],
    shift: blocks[from]! - lengthOf(before),
  };
}

const lengthOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, { length }) => sum + length, 0);

const fieldHead = (name: string, type: number): Uint8Array => Uint8Array.of(name.length, ...asciiToBytes(name), type);

/** A portable storage size in its four-byte form. */
const sizeBytes = (size: number): Uint8Array => u32ToBytes(size * 4 + 2);
