import type { SentTransaction } from '../model.ts';
import type { WalletState } from '../state/state.ts';
import { spendOf } from './coins.ts';

/**
 * Transactions of an account that a daemon refused but may have broadcast anyway: nothing on the chain spends their inputs, and the person
 * has not given them up. A payment that shares no input with one of them could pay twice.
 */
export function refusedButPossible(state: WalletState, account: number): SentTransaction[] {
  return [...state.refused]
    .map((txHash) => state.sent.get(txHash)!.tx)
    .filter((tx) => tx.account === account && mayStillBeMined(state, tx));
}

/** Whether a refused transaction may still be mined. */
export function mayStillBeMined(state: WalletState, { txHash, inputs }: SentTransaction): boolean {
  return (
    state.refused.has(txHash) && !inputs.some((image) => state.unplacedSpends.has(image) || spendOf(state, image) !== undefined)
  );
}
