import type { OwnedOutput } from './model.ts';
import type { PoolSpend } from './pool.ts';
import type { SentEntry, WalletState } from './state.ts';

/** What of the wallet's money is on its way: by transactions of its own, and by those that the pool shows. */

/** Sent and neither failed nor seen in a block. */
export function isUnderWay(state: WalletState, entry: SentEntry): boolean {
  if (entry.phase === 'built' || entry.phase === 'failed') return false;
  return !isOnChain(state, entry);
}

/** Whether the chain holds this transaction of ours. */
export function isOnChain(state: WalletState, entry: SentEntry): boolean {
  const facts = state.transactions.get(entry.tx.txHash);
  return facts !== undefined && facts.spends.length + facts.outputs.length > 0;
}

/** Transactions of ours whose change is to be counted on: under way, with none of their inputs in another one that waits in the pool. */
export function bringingBack(state: WalletState): SentEntry[] {
  const { spends } = state.pool;
  const isOutrun = ({ tx }: SentEntry) => tx.inputs.some((image) => (spends.get(image) ?? tx.txHash) !== tx.txHash);
  return [...state.sent.values()].filter((entry) => isUnderWay(state, entry) && !isOutrun(entry));
}

/**
 * Transactions in the pool that take outputs of ours and that this wallet does not follow as its own: of another wallet of the same seed, or
 * made here and sent by somebody else (wallet2.cpp, process_new_transaction with `pool`).
 */
export function foreignSpends(state: WalletState): PoolSpend[] {
  return state.pool.outgoing.filter(({ txHash }) => {
    const sent = state.sent.get(txHash);
    return !state.transactions.has(txHash) && (sent === undefined || !isUnderWay(state, sent));
  });
}

/** Whether a transaction that was sent, or one in the pool, takes an output. */
export function isTaken(state: WalletState, { keyImage }: OwnedOutput): boolean {
  if (keyImage === undefined) return false;
  if (state.pool.spends.has(keyImage)) return true;
  const txHash = state.committed.get(keyImage);
  return txHash !== undefined && state.sent.get(txHash)?.phase !== 'built';
}
