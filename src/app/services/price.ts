import { formatAmount, type ParsedAmount, readAmount, readMoney } from './amount.ts';

/** One coin is 10^12 atomic units. */
const COIN = 10n ** 12n;
/** Atomic units: an amount converted from fiat is rounded up to 10^-6 XMR. */
const STEP = 10n ** 6n;
/** One hundredth of a currency unit, in 10^-12 units. */
const HUNDREDTH = 10n ** 10n;

/** Last known price of a coin. */
export interface Rate {
  /** Currency code. */
  readonly currency: string;
  /** Price of 1 XMR in 10^-12 currency units; not 0. */
  readonly price: bigint;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The previous price, if this one is far from it: not used until the person confirms it. */
  readonly before?: Omit<Rate, 'currency' | 'before'>;
}

/** In milliseconds. */
const WEEK = 7 * 86_400_000;

/**
 * Whether a price differs suspiciously from an earlier one: by more than a third, plus a third for each week between them.
 * @param at milliseconds since the epoch
 */
export function isPriceJump(price: bigint, from: Omit<Rate, 'currency' | 'before'>, at: number): boolean {
  const [less, more] = price < from.price ? [price, from.price] : [from.price, price];
  const weeks = Math.max(0, Math.floor((at - from.at) / WEEK));
  return more * 3n > less * BigInt(4 + weeks);
}

/**
 * Converts a fiat amount to XMR, rounded up.
 * @param price in 10^-12 currency units @param rate price of 1 XMR in 10^-12 currency units; not 0
 * @returns atomic units
 */
export function priceInCoins(price: bigint, rate: bigint): bigint {
  const exact = (price * COIN + rate - 1n) / rate;
  return ((exact + STEP - 1n) / STEP) * STEP;
}

/** Parses a typed fiat amount and converts it to XMR. @param rate price of 1 XMR in 10^-12 currency units; not 0 */
export function parseMoneyAsCoins(text: string, rate: bigint): ParsedAmount {
  const { value, problem } = readMoney(text);
  return problem ? { problem } : readAmount(formatAmount(priceInCoins(value, rate)));
}

/** Value of an amount in fiat, rounded down. @param amount atomic units @param rate price of 1 XMR in 10^-12 currency units @returns 10^-12 currency units */
export const fiatValue = (amount: bigint, rate: bigint): bigint => (amount * rate) / COIN;

/** Rounds down to hundredths. @param money in 10^-12 currency units */
export const toHundredths = (money: bigint): bigint => money - (money % HUNDREDTH);
