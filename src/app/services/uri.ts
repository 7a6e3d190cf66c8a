import { formatAmount, parseAmount } from './amount.ts';

/** Contents of a `monero:` URI: one recipient, as the reference wallet writes and reads it. */
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

/** Reads a payment request to one recipient; undefined when the text is not one. */
export function parsePaymentUri(text: string): PaymentRequest | undefined {
  const requests = parsePaymentUris(text);
  return requests?.length === 1 ? requests[0] : undefined;
}

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;
/** Unicode controls of text direction. They are removed from untrusted text, so that it cannot change how the text around it is displayed. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;
const URI = /^(?:web\+)?monero:([1-9A-HJ-NP-Za-km-z;]*)(?:\?(.*))?$/;
const BEGINS = /^(?:web\+)?monero:/;

/**
 * Why a payment request is refused: it names a long payment id, which is no longer supported; it does not give exactly one payable amount for
 * each recipient (amounts are never guessed, nor assigned); it has no address, or has a part that cannot be read.
 */
export type RequestRefusal = 'payment-id' | 'amounts' | 'form';

/**
 * Reads a payment request to one recipient or several, in both proposed forms: addresses and their values separated by `;`, or repeated
 * `address` parameters, each followed by its values. Undefined when the text is no request, or is refused. Unknown fields are ignored.
 */
export function parsePaymentUris(text: string): readonly PaymentRequest[] | undefined {
  const read = readPaymentUris(text);
  return typeof read === 'string' ? undefined : read;
}

/** Why a text that starts as a payment request is refused; undefined for other texts, and when it is accepted. */
export function refusalOf(text: string): RequestRefusal | undefined {
  const read = readPaymentUris(text);
  return typeof read === 'string' ? read : undefined;
}

function readPaymentUris(text: string): readonly PaymentRequest[] | RequestRefusal | undefined {
  if (!BEGINS.test(text.trim())) return undefined;
  const match = URI.exec(text.trim());
  if (!match) return 'form';
  const fields = new URLSearchParams(match[2] ?? '');
  const path = match[1] ?? '';
  const addresses = [...(path === '' ? [] : path.split(';')), ...fields.getAll('address')];
  if (addresses.length === 0 || !addresses.every((address) => BASE58.test(address))) return 'form';
  if (fields.getAll('tx_payment_id').some((id) => id !== '')) return 'payment-id';
  const amounts = valuesOf(fields, 'tx_amount', addresses.length);
  if (amounts === undefined || !amounts.every(isSaid)) return 'amounts';
  const names = valuesOf(fields, 'recipient_name', addresses.length) ?? [];
  return addresses.map((address, at) => ({
    address,
    amount: parseAmount(amounts[at] ?? '').value,
    recipientName: (names[at] ?? '').replace(DIRECTIONS, ''),
    // The description applies to the whole payment.
    description: at === 0 ? (fields.get('tx_description') ?? '').replace(DIRECTIONS, '') : '',
  }));
}

/** An amount that cannot be read must not be dropped: the amount that was in the form before would be paid instead. */
function isSaid(amount: string): boolean {
  const { problem } = parseAmount(amount);
  return problem === undefined || problem === 'amount-missing' || problem === 'amount-zero';
}

/** One value for each recipient, empty when the field is missing; undefined when the counts differ. */
function valuesOf(fields: URLSearchParams, name: string, count: number): readonly string[] | undefined {
  const all = fields.getAll(name);
  if (count === 1) return all.length > 1 ? undefined : [all[0] ?? ''];
  const values = all.length === 1 ? (all[0] ?? '').split(';') : all;
  if (values.length === 0) return Array.from({ length: count }, () => '');
  return values.length === count ? values : undefined;
}

/** Maximum length of a request in a link, in characters: twice what a payment to the most recipients takes. Much longer text in a field would block the page. */
const MOST_LINKED = 10_000;
/** A request without an address, to be refused visibly in the form. */
const UNREADABLE = 'monero:';

/**
 * The payment request in a link or in shared text: `#/pay?uri=monero:…`, `#/pay?address=…&tx_amount=…`, or an address or a request within a
 * text; or the code of a wallet there, never the address in it. Undefined when there is none; an unreadable request when it is too long.
 * @param hash as `#/pay?…` @param search as `?text=…`
 */
export function linkedRequest(hash: string, search: string): string | undefined {
  const request = requestIn(hash, search);
  return request !== undefined && request.length > MOST_LINKED ? UNREADABLE : request;
}

function requestIn(hash: string, search: string): string | undefined {
  const link = /^#\/?pay\?(.*)$/.exec(hash);
  if (link) {
    const fields = new URLSearchParams(link[1]);
    return fields.get('uri') ?? (fields.has('address') ? `monero:?${fields}` : undefined);
  }
  const shared = new URLSearchParams(search);
  const text = ['text', 'url', 'title'].map((name) => shared.get(name) ?? '').join(' ');
  return (
    /monero[-_]wallet:\S+/i.exec(text)?.[0] ??
    /(?:web\+)?monero:\S+/.exec(text)?.[0] ??
    /(?<![1-9A-HJ-NP-Za-km-z])[1-9A-HJ-NP-Za-km-z]{95}(?:[1-9A-HJ-NP-Za-km-z]{11})?(?![1-9A-HJ-NP-Za-km-z])/.exec(text)?.[0]
  );
}
