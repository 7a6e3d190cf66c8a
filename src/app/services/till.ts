import type { HistoryEntry } from '../../wallet/index.ts';

/** How far a payment at the till is. `part`: less than was asked for has come. */
export type TillState = 'waiting' | 'part' | 'seen' | 'in-block' | 'safe' | 'double-spend';

/** What has come of what was asked for. */
export interface TillPayment {
  readonly state: TillState;
  /** Atomic units that have come. */
  readonly paid: bigint;
  /** Of what has the fewest. */
  readonly confirmations: number;
}

/**
 * Payments to the address of a request.
 * @param asked atomic units; 0 where any amount will do
 * @param safeAfter confirmations from which on a payment is taken to stay
 */
export function tillPayment(entries: readonly HistoryEntry[], asked: bigint, safeAfter: number): TillPayment {
  const good = entries.filter(({ state, doubleSpendSeen }) => state !== 'failed' && !doubleSpendSeen);
  const paid = good.reduce((sum, { amount }) => sum + amount, 0n);
  const confirmations = good.reduce(
    (least, entry) => Math.min(least, entry.height === undefined ? 0 : entry.confirmations),
    safeAfter,
  );
  const answer = (state: TillState): TillPayment => ({ state, paid, confirmations });
  if (entries.some(({ doubleSpendSeen }) => doubleSpendSeen)) return answer('double-spend');
  if (good.length === 0) return answer('waiting');
  if (paid < asked) return answer('part');
  if (confirmations === 0) return answer('seen');
  return answer(confirmations < safeAfter ? 'in-block' : 'safe');
}
