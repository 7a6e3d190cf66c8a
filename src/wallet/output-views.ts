import type { OutputView } from './api.ts';
import { byChainOrder, holdOf, isSpendableAt } from './outputs.ts';
import type { OutputEntry, WalletState } from './state.ts';
import { isUnderWay } from './unmined.ts';

/**
 * Every output the chain gave to the wallet, spent ones included, in chain order; burnt copies are not among them (T7).
 * @param account one account's; all when absent
 * @param now unix seconds
 */
export function outputViews(state: WalletState, now: number, account?: number): readonly OutputView[] {
  const entries = [...state.outputs.values()].filter(
    ({ output }) => (account ?? output.subaddress.major) === output.subaddress.major,
  );
  return entries.sort((a, b) => byChainOrder(a.output, b.output)).map((entry) => outputView(state, entry, now));
}

function outputView(state: WalletState, entry: OutputEntry, now: number): OutputView {
  const { output } = entry;
  return {
    key: output.key,
    keyImage: output.keyImage,
    txHash: output.txHash,
    outputIndex: output.outputIndex,
    globalIndex: output.globalIndex,
    amount: output.amount,
    height: output.height,
    timestamp: output.timestamp,
    subaddress: output.subaddress,
    coinbase: output.coinbase,
    unlockTime: output.unlockTime,
    unlocked: isSpendableAt(output, state.height, now),
    frozen: state.frozen.has(output.key),
    hold: holdOf(state, entry, now),
    spentBy: spenderOf(state, entry),
  };
}

function spenderOf(state: WalletState, { output, spend }: OutputEntry): string | undefined {
  if (spend !== undefined) return spend.txHash;
  const txHash = output.keyImage === undefined ? undefined : state.committed.get(output.keyImage);
  const sent = txHash === undefined ? undefined : state.sent.get(txHash);
  if (sent !== undefined && isUnderWay(state, sent)) return txHash;
  return output.keyImage === undefined ? undefined : state.pool.spends.get(output.keyImage);
}
