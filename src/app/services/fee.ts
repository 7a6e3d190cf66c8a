/** From this part of the amount on, in percent, a fee is large beside it: a person is asked whether it is worth that. */
const LARGE_PERCENT = 10n;

/**
 * What a fee is of the amount that it sends, in whole percent, where that is much; undefined where it is not, or nothing goes to others.
 * @param amount atomic units
 * @param fee atomic units
 */
export function largeFeePercent(amount: bigint, fee: bigint): number | undefined {
  if (amount === 0n) return undefined;
  const percent = (fee * 100n) / amount;
  return percent < LARGE_PERCENT ? undefined : Number(percent);
}
