import { formatAmount, parseAmount } from './amount.ts';

/** What a `monero:` address says: one recipient, as the reference wallet writes and reads it. */
export interface PaymentRequest {
  readonly address: string;
  readonly amount: bigint | undefined;
  readonly recipientName: string;
  readonly description: string;
}

/** Writes a payment request; empty fields are left out. */
export function paymentUri({ address, amount, recipientName, description }: PaymentRequest): string {
  const fields: string[] = [];
  if (amount !== undefined && amount > 0n) fields.push(`tx_amount=${formatAmount(amount)}`);
  if (recipientName !== '') fields.push(`recipient_name=${encodeURIComponent(recipientName)}`);
  if (description !== '') fields.push(`tx_description=${encodeURIComponent(description)}`);
  return `monero:${address}${fields.length > 0 ? `?${fields.join('&')}` : ''}`;
}

/** Reads a payment request; undefined when the text is not one. Unknown fields are ignored. */
export function parsePaymentUri(text: string): PaymentRequest | undefined {
  const match = /^monero:([1-9A-HJ-NP-Za-km-z]+)(?:\?(.*))?$/.exec(text.trim());
  if (!match) return undefined;
  const fields = new URLSearchParams(match[2] ?? '');
  return {
    address: match[1] ?? '',
    amount: parseAmount(fields.get('tx_amount') ?? '').value,
    recipientName: fields.get('recipient_name') ?? '',
    description: fields.get('tx_description') ?? '',
  };
}
