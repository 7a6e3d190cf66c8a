import type { PaymentReview } from '../../wallet/index.ts';

/** Characters of an amount that the Monero app has room for. */
const MOST_CHARACTERS = 14;
const DECIMALS = 12;

/** An amount as the Monero app writes it: `1. XMR`, `0.5 XMR`, `0 XMR`, cut off where it is too long. @param amount atomic units */
export function amountOnLedger(amount: bigint): string {
  const digits = amount.toString().padStart(DECIMALS + 1, '0');
  const text = `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS).replace(/0+$/, '')}`;
  return `${amount === 0n ? '0' : text.slice(0, MOST_CHARACTERS)} XMR`;
}

/** One of the transactions of a payment, as the page reviews it. */
export type ReviewedTransaction = PaymentReview['transactions'][number];

/** It makes an output that returns to the wallet; of a sweep, one that is worth nothing. */
export const hasChange = ({ outputs, destinations }: ReviewedTransaction): boolean => outputs > destinations.length;

/** About how many questions are put to a Ledger to sign a transaction: what its progress is measured by. */
export const questionsToSign = ({ inputs, outputs, destinations }: ReviewedTransaction): number =>
  12 + 45 * inputs + 5 * outputs + 2 * destinations.length;

/** Whether a model shows a payment on one touch screen; the others show it page by page. @param label as the browser calls it */
export const hasTouchScreen = (label: string): boolean => /stax|flex|apex/i.test(label);

/** A fingerprint as it is read out: two groups of four. */
export const readableFingerprint = (fingerprint: string): string => fingerprint.toUpperCase().replace(/^(.{4})(.+)$/, '$1 $2');

/** Whether this browser has a way to a Ledger. */
export const hasWebHid = (): boolean => 'hid' in navigator;
