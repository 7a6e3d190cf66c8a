import { hexToBytes } from '../../base/index.ts';
import { parseTransaction } from '../../protocol/index.ts';
import { type AtomicAmount, toAtomicAmount } from '../../protocol/model.ts';
import type { ScannedBlock } from '../../scan/contract.ts';

/** Between the id of the block before and the coinbase stands the nonce. */
const NONCE_BYTES = 4;
/** Header and coinbase together are shorter. */
const MAX_COINBASE = 1024 * 1024;

/**
 * What the coinbase of a scanned block pays, the sum of its clear amounts. The scan tells where a block's list of ids
 * begins; before it stand the header with the id of the block before, the coinbase, and the number of ids.
 * @param bytes the reply the block was scanned from
 * @returns undefined when the reply holds no header there
 */
export function rewardOf(bytes: Uint8Array, block: ScannedBlock): AtomicAmount | undefined {
  const prevId = hexToBytes(block.prevId);
  const before = lastPlaceOf(prevId, bytes, block.txHashesOffset);
  if (before < 0) return undefined;
  const start = before + prevId.length + NONCE_BYTES;
  const end = block.txHashesOffset - varintLength(block.txCount - 1);
  const { outputs } = parseTransaction(bytes.subarray(start, end));
  return toAtomicAmount(outputs.reduce((sum, { amount }) => sum + amount, 0n));
}

/** Where `pattern` begins for the last time before `end`; -1 when it does not. */
function lastPlaceOf(pattern: Uint8Array, bytes: Uint8Array, end: number): number {
  for (let at = end - pattern.length; at >= Math.max(0, end - MAX_COINBASE); at--) {
    let same = 0;
    while (same < pattern.length && bytes[at + same] === pattern[same]) same += 1;
    if (same === pattern.length) return at;
  }
  return -1;
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length += 1;
  return length;
}
