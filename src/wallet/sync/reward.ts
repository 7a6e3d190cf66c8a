import { parseTransaction, totalOf } from '../../protocol/index.ts';
import { type AtomicAmount, toAtomicAmount } from '../../protocol/model.ts';
import type { ScannedBlock } from '../../scan/contract.ts';

/** What the coinbase of a scanned block pays, the sum of its clear amounts. @param bytes the reply that the block was scanned from */
export function rewardOf(bytes: Uint8Array, { coinbaseOffset, coinbaseLength }: ScannedBlock): AtomicAmount {
  const { outputs } = parseTransaction(bytes.subarray(coinbaseOffset, coinbaseOffset + coinbaseLength));
  return toAtomicAmount(totalOf(outputs));
}
