import { U64_MAX } from '../base/index.ts';
import { ProtocolError } from './errors.ts';
import { type AtomicAmount, toAtomicAmount } from './model.ts';

/** Decimals of one coin: 1 coin = 10^12 atomic units. */
const DECIMALS = 12;
/** Atomic units of one coin. */
const COIN = 10n ** BigInt(DECIMALS);

/** All twelve decimals, as the reference prints: `1.500000000000`. */
export function formatAmount(amount: bigint): string {
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(DECIMALS + 1, '0');
  return `${sign}${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
}

/** Without trailing zeros: `1.5`, `20`, `0`. */
export function formatAmountShort(amount: bigint): string {
  return formatAmount(amount).replace(/\.?0+$/, '');
}

/**
 * Parses an amount of coins as people write it: digits, and up to twelve decimals after a point (further zeros are ignored). `data.reason`
 * says what is wrong: `empty`, `negative`, `decimals`, `number` or `large`.
 * @throws ProtocolError `bad-amount`
 */
export function parseAmount(text: string): AtomicAmount {
  const trimmed = text.trim();
  if (trimmed === '') throw badAmount('empty', 'expected an amount');
  if (/^-/.test(trimmed)) throw badAmount('negative', 'expected an amount that is not negative');
  const match = /^([0-9]*)(?:\.([0-9]*))?$/.exec(trimmed);
  if (match === null || trimmed === '.')
    throw badAmount('number', 'expected an amount in digits with at most one point, such as 1.5');
  const whole = match[1] ?? '';
  const decimals = (match[2] ?? '').replace(/0+$/, '');
  if (decimals.length > DECIMALS) throw badAmount('decimals', `expected at most ${DECIMALS} decimals, got ${decimals.length}`);
  if (whole.replace(/^0+/, '').length > 20) throw tooLarge();
  const amount = BigInt(whole) * COIN + BigInt(decimals.padEnd(DECIMALS, '0'));
  if (amount > U64_MAX) throw tooLarge();
  return toAtomicAmount(amount);
}

function tooLarge(): ProtocolError {
  return badAmount('large', `expected at most ${formatAmountShort(U64_MAX)}, the largest amount there can be`);
}

function badAmount(reason: string, message: string): ProtocolError {
  return new ProtocolError('bad-amount', message, { reason });
}

/**
 * Splits an amount into its nonzero decimal digits, lowest first: 1020 is 20 and 1000 (`decompose_amount_into_digits`,
 * cryptonote_format_utils.h, without dust). Clear outputs have such amounts, so that many are equal.
 */
export function digitsOfAmount(amount: bigint): bigint[] {
  const digits: bigint[] = [];
  for (let rest = amount, order = 1n; rest > 0n; rest /= 10n, order *= 10n) {
    const digit = rest % 10n;
    if (digit > 0n) digits.push(digit * order);
  }
  return digits;
}

/** Whether an amount has a single nonzero digit (`is_valid_decomposed_amount`, cryptonote_format_utils.cpp). */
export function isOneDigit(amount: bigint): boolean {
  return digitsOfAmount(amount).length === 1;
}

/** The sum of the amounts of outputs, destinations or anything else that has one. */
export function totalOf(parts: readonly { readonly amount: bigint }[]): bigint {
  return parts.reduce((sum, { amount }) => sum + amount, 0n);
}
