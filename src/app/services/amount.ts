/** One coin is 10^12 atomic units. */
const DECIMALS = 12;
const COIN = 10n ** 12n;
const U64_MAX = 0xffff_ffff_ffff_ffffn;
/** Of money there may be more than of coins: a thousand of them cost billions in some currencies. */
const MOST_MONEY = 10n ** 18n * COIN;

/** An amount cut where the eye wants it cut: the part that matters, and the tail that is dimmed. */
export interface AmountParts {
  /** Digits before the point, grouped by thin spaces. */
  readonly whole: string;
  /** The first digits after the point: two at least, four as a rule, more where the number begins later than that. */
  readonly fraction: string;
  /** The remaining digits, trailing zeros dropped. */
  readonly tail: string;
}

/** @param amount atomic units, not negative */
export function amountParts(amount: bigint): AmountParts {
  const whole = group((amount / COIN).toString());
  const digits = (amount % COIN).toString().padStart(DECIMALS, '0').replace(/0+$/, '');
  const leadingZeros = whole === '0' ? digits.length - digits.replace(/^0+/, '').length : 0;
  const cut = Math.max(4, leadingZeros + 4);
  return { whole, fraction: digits.slice(0, cut).padEnd(2, '0'), tail: digits.slice(cut) };
}

/** Decimals of the longest of some amounts, two at least: as many as a column of them needs. */
export const decimalsOf = (amounts: readonly bigint[]): number =>
  amounts.reduce((most, amount) => {
    const { fraction, tail } = amountParts(amount);
    return Math.max(most, fraction.length + tail.length);
  }, 2);

/** Characters before the decimal sign of the longest of some amounts. */
export const wholesOf = (amounts: readonly bigint[]): number =>
  amounts.reduce((most, amount) => Math.max(most, amountParts(amount).whole.length), 1);

/** As {@link formatAmount}, the part before the point in groups: for the eye. */
export function groupedAmount(amount: bigint): string {
  const [whole = '', ...fraction] = formatAmount(amount).split('.');
  return [group(whole), ...fraction].join('.');
}

/** Plain digits, no grouping, no trailing zeros: for fields, addresses and the clipboard. */
export function formatAmount(amount: bigint): string {
  const digits = (amount % COIN).toString().padStart(DECIMALS, '0').replace(/0+$/, '');
  return digits === '' ? (amount / COIN).toString() : `${amount / COIN}.${digits}`;
}

/** Why a text is no amount that can be paid. */
export type AmountProblem =
  | 'amount-missing'
  | 'amount-format'
  | 'amount-marks'
  | 'amount-two-ways'
  | 'amount-decimals'
  | 'amount-zero'
  | 'amount-overflow';

/** Atomic units, above 0, or what is wrong with the text. */
export type ParsedAmount =
  | { readonly value: bigint; readonly problem?: never }
  | { readonly value?: never; readonly problem: AmountProblem };

/** A point and a comma, or one of them more than once: some of them stand between thousands. */
const MARKED = /^\d[\d.,]*$/;
/** A thousand and more, or decimals: a comma before just three digits means the one or the other in different places. */
const TWO_WAYS = /^[1-9]\d{0,2},\d{3}$/;

/**
 * Reads what a person typed. The decimal sign is a point or a comma, whichever the keypad has; marks between thousands are refused, and
 * so is the one comma that could be either: a factor of a thousand is not guessed at.
 */
export function readAmount(text: string, most = U64_MAX): ParsedAmount {
  const trimmed = inLatinDigits(text).trim();
  if (TWO_WAYS.test(trimmed)) return { problem: 'amount-two-ways' };
  const signs = trimmed.match(/[.,]/g)?.length ?? 0;
  if (signs > 1) return { problem: MARKED.test(trimmed) ? 'amount-marks' : 'amount-format' };
  return parseAmount(trimmed.replace(',', '.'), most);
}

/**
 * Arabic, Persian and full-width digits and decimal signs, as keypads have them, in those that amounts have everywhere. Nothing else is read
 * as a digit: what stands raised, or is a digit and a point in one sign, would be another number.
 */
const inLatinDigits = (text: string): string =>
  text
    .replace(/[٠-٩۰-۹０-９]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/[٫．]/g, '.')
    .replace(/，/g, ',');

/** As {@link readAmount}, of money: a price, or what is to be paid. @returns in 10^-12 of it */
export const readMoney = (text: string): ParsedAmount => readAmount(text, MOST_MONEY);

/** Reads an amount as {@link formatAmount} writes it. */
export function parseAmount(text: string, most = U64_MAX): ParsedAmount {
  const trimmed = text.trim();
  if (trimmed === '') return { problem: 'amount-missing' };
  const match = /^(\d*)(?:\.(\d*))?$/.exec(trimmed);
  if (!match || trimmed === '.') return { problem: 'amount-format' };
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > DECIMALS) return { problem: 'amount-decimals' };
  const value = BigInt(whole === '' ? '0' : whole) * COIN + BigInt(fraction.padEnd(DECIMALS, '0'));
  if (value === 0n) return { problem: 'amount-zero' };
  if (value > most) return { problem: 'amount-overflow' };
  return { value };
}

const group = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, '\u202f');
