import type { FeeLevel, FeeLevels, Priority } from '../../wallet/index.ts';

/** Above this part of the amount, in percent, a fee is large beside it: a person is asked whether it is worth that. */
const LARGE_PERCENT = 5n;

/**
 * Fee in whole percent of the amount sent, where that is large; undefined where it is not, or nothing goes to others.
 * @param amount atomic units
 * @param fee atomic units
 */
export function largeFeePercent(amount: bigint, fee: bigint): number | undefined {
  if (amount === 0n || fee * 100n <= amount * LARGE_PERCENT) return undefined;
  return Number((fee * 100n) / amount);
}

/** The level of a priority; of the automatic one, what it takes now. */
export const levelOf = (levels: FeeLevels | undefined, priority: Priority): FeeLevel | undefined =>
  levels?.levels[(priority === 0 ? levels.automatic : priority) - 1];
