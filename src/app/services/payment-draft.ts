import type { PaymentDraft } from '../../wallet/index.ts';

/** Longest draft that is saved, in characters of JSON; far more than any payment request needs. The whole draft is written after each pause in typing. */
const MOST_CHARACTERS = 20_000;

/** Whether a draft is short enough to be saved: text pasted by mistake must not fill the disk. */
export const isSavableDraft = (payment: PaymentDraft): boolean => (serialized(payment)?.length ?? 0) <= MOST_CHARACTERS;

/** Deep equality of plain data, which may contain bigints. */
export const isSameData = (one: unknown, other: unknown): boolean => serialized(one) === serialized(other);

const serialized = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
