import type { Balance, WalletView } from '../../wallet/index.ts';
import { writeAmount } from '../language/formats.ts';
import { m } from '../language/messages.ts';
import { unlockText } from './unlocks.ts';

/** Amounts that a form asks for. Atomic units. */
export interface Asked {
  readonly total: bigint;
  /** It goes to more than one. */
  readonly several: boolean;
  /** Fee, where it is known. */
  readonly fee: bigint | undefined;
}

/** Said under the field while it is typed in: that it is more than can be spent, and what can be. Undefined where it is not. */
export function overText({ total, several, fee = 0n }: Asked, balance: Pick<Balance, 'total' | 'unlocked'>): string | undefined {
  const { unlocked } = balance;
  if (total === 0n || total + fee <= unlocked) return undefined;
  if (balance.total === 0n) return m.err_no_coins();
  if (unlocked === 0n) return m.err_nothing_unlocked();
  const amount = writeAmount(unlocked);
  if (total <= unlocked) return m.send_over_fee({ fee: writeAmount(fee), amount });
  return several ? m.send_over_together({ amount }) : m.send_over({ amount });
}

/** Said when it is to be sent all the same: why it cannot be, and what to do. Undefined where it can. */
export function tooMuchText(asked: bigint, balance: Balance, { network, accounts }: WalletView): string | undefined {
  const { total, unlocked, unlocks } = balance;
  if (asked <= unlocked) return undefined;
  if (total === 0n) return m.err_no_coins();
  const [next] = unlocks;
  if (asked <= total && unlocked === 0n && next) return m.err_all_locked({ when: unlockText(next, network) });
  if (asked <= total) return m.err_over_unlocked({ amount: writeAmount(unlocked) });
  const amount = writeAmount(total);
  return accounts.length === 1 ? m.err_over_balance({ amount }) : m.err_over_account({ amount });
}
