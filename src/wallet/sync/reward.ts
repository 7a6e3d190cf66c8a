import { type AtomicAmount, parseTransaction, toAtomicAmount, totalOf } from '../../protocol/index.ts';
import type { ScannedBlock } from '../../scan/index.ts';

/** Reward of a scanned block: the sum of its coinbase's clear amounts. @param bytes the reply that contained the block */
export function rewardOf(bytes: Uint8Array, { coinbaseOffset, coinbaseLength }: ScannedBlock): AtomicAmount {
  const { outputs } = parseTransaction(bytes.subarray(coinbaseOffset, coinbaseOffset + coinbaseLength));
  return toAtomicAmount(totalOf(outputs));
}
