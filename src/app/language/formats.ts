import { formatAmount, groupedAmount } from '../services/amount.ts';
import { MAX_DATE_MS } from '../services/iso-time.ts';
import { language } from './language.svelte.ts';
import { isolate, writeNumber } from './say.ts';

/** Numbers, dates and amounts as the language that is shown writes them, in the digits that amounts have everywhere. */

const STYLES = {
  /** Hour and minute, as `moment` shows them for today. */
  clock: { timeStyle: 'short' },
  day: { day: 'numeric', month: 'short' },
  dayWithYear: { day: 'numeric', month: 'short', year: 'numeric' },
  date: { dateStyle: 'long' },
  month: { month: 'long', year: 'numeric' },
  moment: { dateStyle: 'long', timeStyle: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;
/** How much of a date is written. */
export type DateStyle = keyof typeof STYLES;

const dates = new Map<string, Intl.DateTimeFormat>();

/** @param at milliseconds since the epoch; what lies beyond all dates is told as the last of them */
export function writeDate(at: number, style: DateStyle): string {
  const { locale } = language.writing;
  const key = `${locale} ${style}`;
  const format = dates.get(key) ?? new Intl.DateTimeFormat(locale, { numberingSystem: 'latn', ...STYLES[style] });
  dates.set(key, format);
  return format.format(Math.min(at, MAX_DATE_MS));
}

/** Digits in groups, as the language writes them. */
export const formatNumber = (value: number): string => writeNumber(value, language.writing);

/** Which of two texts comes first where the language sorts them, numbers in them by their value. */
export const compareTexts = (a: string, b: string): number => a.localeCompare(b, language.writing.locale, { numeric: true });

/** Decimal sign of the language. */
export const decimalSign = (): string => writeNumber(0.5, language.writing).charAt(1);

/** What stands in the field of an amount before anything is typed. */
export const emptyAmount = (): string => `0${decimalSign()}00`;

/** An amount in whole coins within a sentence, in groups as amounts have them everywhere, with the language's decimal sign. @param amount atomic units */
export const writeAmount = (amount: bigint): string => groupedAmount(amount).replace('.', decimalSign());

/** As {@link writeAmount}, in one group: for screen readers, which would read each group as a number of its own. @param amount atomic units */
export const spokenAmount = (amount: bigint): string => formatAmount(amount).replace('.', decimalSign());

/** An amount as it stands in a field. A comma before just three digits could be read two ways, and is refused: a fourth one follows. @param amount atomic units */
export const typedAmount = (amount: bigint): string => spokenAmount(amount).replace(/^[1-9]\d{0,2},\d{3}$/, (text) => `${text}0`);

/** A name where no element can keep its direction for it: in an option. */
export const inOption = (name: string): string => isolate(name, language.writing);

/** Short facts in one line, those that are empty left out. A line breaks behind the dot between them, never before it. */
export const writeFacts = (...facts: readonly string[]): string => facts.filter((fact) => fact !== '').join('\u00a0· ');

/** Several names in one sentence: “a, b and c”. Each keeps its own order, and what joins them that of the language. */
export const writeList = (names: readonly string[]): string =>
  new Intl.ListFormat(language.writing.locale, { type: 'conjunction' }).format(
    names.map((name) => isolate(name, language.writing)),
  );

/** Letters of a currency's code. */
const CODE = /^[A-Za-z]{3}$/;

/** A currency as it is written: a code in capitals, or whatever a person calls it. */
export const writeCurrency = (currency: string): string => (CODE.test(currency) ? currency.toUpperCase() : currency);

/** Currencies that most people count in. */
const CURRENCIES =
  'EUR USD GBP CHF JPY CNY INR BRL RUB TRY PLN UAH CZK SEK NOK DKK CAD AUD NZD MXN ARS KRW SGD HKD SAR AED EGP ZAR NGN'.split(
    ' ',
  );

/** Codes and names of many currencies in the language that is shown: of one and of several, since that is how people type them. */
export const currencyNames = (): readonly string[] =>
  CURRENCIES.flatMap((currency) => {
    const name = new Intl.NumberFormat(language.writing.locale, { style: 'currency', currency, currencyDisplay: 'name' });
    const of = (count: number) => name.formatToParts(count).find(({ type }) => type === 'currency')?.value ?? '';
    return [currency, of(1), of(2)];
  });

/** An amount of money with two decimals, as the language writes that currency. @param amount 10^-12 of the money @param currency its code, or whatever a person calls it */
export function writeMoney(amount: bigint, currency: string): string {
  // Digits, not a number: what is large keeps its cents.
  const value = formatAmount(amount) as `${number}`;
  const { locale } = language.writing;
  const fraction = { minimumFractionDigits: 2, maximumFractionDigits: 2, numberingSystem: 'latn' } as const;
  if (CODE.test(currency)) return new Intl.NumberFormat(locale, { style: 'currency', currency, ...fraction }).format(value);
  return `${new Intl.NumberFormat(locale, fraction).format(value)} ${currency}`;
}
