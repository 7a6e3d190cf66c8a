import { formatAmount, type ParsedAmount, readAmount, readMoney } from './amount.ts';

/** One coin is 10^12 atomic units. */
const COIN = 10n ** 12n;
/** Atomic units: an amount worked out from a price is rounded up to a millionth of a coin. */
const STEP = 10n ** 6n;
/** 10^-12 of the money in its hundredth. */
const HUNDREDTH = 10n ** 10n;

/** Last known price of a coin. */
export interface Rate {
  /** Money that it is in. */
  readonly currency: string;
  /** 10^-12 of the money for a whole coin; not 0. */
  readonly price: bigint;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The price before it, where it is far from that: nothing is worked out with it until the person has said yes. */
  readonly before?: Omit<Rate, 'currency' | 'before'>;
}

/** Milliseconds. */
const WEEK = 7 * 86_400_000;

/**
 * Whether a price is further from an earlier one than time explains: by more than a third, and by a third more for each week between them.
 * @param at milliseconds since the epoch
 */
export function isFar(price: bigint, from: Omit<Rate, 'currency' | 'before'>, at: number): boolean {
  const [less, more] = price < from.price ? [price, from.price] : [from.price, price];
  const weeks = Math.max(0, Math.floor((at - from.at) / WEEK));
  return more * 3n > less * BigInt(4 + weeks);
}

/**
 * A price in money as Monero, rounded up.
 * @param price in 10^-12 of the money @param rate 10^-12 of the money for a whole coin; not 0
 * @returns atomic units
 */
export function priceInCoins(price: bigint, rate: bigint): bigint {
  const exact = (price * COIN + rate - 1n) / rate;
  return ((exact + STEP - 1n) / STEP) * STEP;
}

/** Amount in coins for what a person typed in money. @param rate 10^-12 of the money for a whole coin; not 0 */
export function coinsFor(text: string, rate: bigint): ParsedAmount {
  const { value, problem } = readMoney(text);
  return problem ? { problem } : readAmount(formatAmount(priceInCoins(value, rate)));
}

/** What an amount is worth, rounded down. @param amount atomic units @param rate 10^-12 of the money for a whole coin @returns 10^-12 of the money */
export const worthAt = (amount: bigint, rate: bigint): bigint => (amount * rate) / COIN;

/** As it is paid in cash: to the hundredth, rounded down. @param money 10^-12 of it */
export const inHundredths = (money: bigint): bigint => money - (money % HUNDREDTH);
