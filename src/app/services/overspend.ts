import type { Balance, WalletView } from '../../wallet/index.ts';
import { writeAmount } from '../language/formats.ts';
import { m } from '../language/messages.ts';
import { unlockText } from './unlocks.ts';

/** What a send form asks to spend, in atomic units. */
export interface RequestedAmount {
  readonly total: bigint;
  /** Whether there is more than one recipient. */
  readonly several: boolean;
  /** undefined while the fee is not known. */
  readonly fee: bigint | undefined;
}

/** Hint under the amount field while the person types: the amount exceeds what can be spent. Undefined when it does not. */
export function overspendHint(
  { total, several, fee = 0n }: RequestedAmount,
  balance: Pick<Balance, 'total' | 'unlocked'>,
): string | undefined {
  const { unlocked } = balance;
  if (total === 0n || total + fee <= unlocked) return undefined;
  if (balance.total === 0n) return m.err_no_coins();
  if (unlocked === 0n) return m.err_nothing_unlocked();
  const amount = writeAmount(unlocked);
  if (total <= unlocked) return m.send_over_fee({ fee: writeAmount(fee), amount });
  return several ? m.send_over_together({ amount }) : m.send_over({ amount });
}

/** Error after the person tried to send: why the amount cannot be spent, and what to do. Undefined when it can. */
export function overspendError(requested: bigint, balance: Balance, { network, accounts }: WalletView): string | undefined {
  const { total, unlocked, unlocks } = balance;
  if (requested <= unlocked) return undefined;
  if (total === 0n) return m.err_no_coins();
  const [next] = unlocks;
  if (requested <= total && unlocked === 0n && next) return m.err_all_locked({ when: unlockText(next, network) });
  if (requested <= total) return m.err_over_unlocked({ amount: writeAmount(unlocked) });
  const amount = writeAmount(total);
  return accounts.length === 1 ? m.err_over_balance({ amount }) : m.err_over_account({ amount });
}
