import type { FeeLevel, FeeLevels, Priority } from '../../wallet/index.ts';

/** Above this part of the amount, in percent, a fee is large beside it: a person is asked whether it is worth that. */
const LARGE_PERCENT = 5n;

/**
 * Fee in whole percent of the amount sent, where that is large; undefined where it is not. Beside nothing every fee is large beyond measure: a
 * set from elsewhere may pay nobody, and its fee all the same.
 * @param amount atomic units
 * @param fee atomic units
 */
export function largeFeePercent(amount: bigint, fee: bigint): number | undefined {
  if (fee * 100n <= amount * LARGE_PERCENT) return undefined;
  if (amount === 0n) return Number.POSITIVE_INFINITY;
  return Number((fee * 100n) / amount);
}

/** The level of a priority; of the automatic one, what it takes now. */
export const levelOf = (levels: FeeLevels | undefined, priority: Priority): FeeLevel | undefined =>
  levels?.levels[(priority === 0 ? levels.automatic : priority) - 1];
