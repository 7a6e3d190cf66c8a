import type { BegunPayment } from '../../wallet/index.ts';

/** Characters of a payment that is kept: many more than the longest request has. Each pause in typing writes all of them. */
const MOST_CHARACTERS = 20_000;

/** Whether a wallet is to keep it: no text that was pasted where it does not belong fills the disk. */
export const isKeepable = (payment: BegunPayment): boolean => (wordsOf(payment)?.length ?? 0) <= MOST_CHARACTERS;

/** Whether two values of plain data, amounts among it, say the same. */
export const sameWords = (one: unknown, other: unknown): boolean => wordsOf(one) === wordsOf(other);

const wordsOf = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
