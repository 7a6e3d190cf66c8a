import { type Address, decodeAddress } from './address.ts';
import { formatAmount, parseAmount } from './amount.ts';
import { ProtocolError } from './errors.ts';
import type { Network } from './model.ts';
import { decodeText, encodeText, parametersOf } from './uri-text.ts';

/** Payment URIs, `monero:address?tx_amount=…`, as the reference makes and reads them (wallet2.cpp, make_uri and parse_uri). */

const SCHEME = 'monero:';

/** A payment requested by a `monero:` URI. Texts are decoded. */
export interface PaymentUri {
  readonly address: string;
  /** Atomic units; undefined when the URI names none. */
  readonly amount?: bigint | undefined;
  readonly recipientName?: string | undefined;
  readonly description?: string | undefined;
}

/** A parsed and checked payment URI. */
export interface ParsedPaymentUri extends PaymentUri {
  readonly decoded: Address;
  /** 64 hex digits as written, in old URIs. */
  readonly paymentId: string | undefined;
  /** Parameters with unknown names, as written. */
  readonly unknownParameters: readonly string[];
}

/**
 * Makes a URI that requests a payment; an amount of zero is omitted.
 * @throws ProtocolError as {@link decodeAddress} for an address that is not of the network
 *
 * @example
 * ```ts
 * import { createWallet, formatAmount, makeUri, MemoryJournalStore, parseAmount, parseUri } from 'nightjar';
 *
 * const place = { store: new MemoryJournalStore(), name: 'till', password: 'correct horse' };
 * const wallet = await createWallet({ ...place, network: 'regtest' });
 * const [{ address }] = await wallet.addresses.make(0, 'table 4');
 * const uri = makeUri({ address, amount: parseAmount('0.25'), description: 'two coffees' }, 'regtest');
 * const asked = parseUri(uri, 'regtest');
 * console.log(asked.address === address, formatAmount(asked.amount ?? 0n), asked.description);
 * await wallet.close();
 * ```
 */
export function makeUri(request: PaymentUri, network: Network): string {
  decodeAddress(request.address, network);
  const parameters: string[] = [];
  if (request.amount !== undefined && request.amount > 0n) parameters.push(`tx_amount=${formatAmount(request.amount)}`);
  if (request.recipientName) parameters.push(`recipient_name=${encodeText(request.recipientName)}`);
  if (request.description) parameters.push(`tx_description=${encodeText(request.description)}`);
  return SCHEME + request.address + (parameters.length > 0 ? `?${parameters.join('&')}` : '');
}

/**
 * Reads a payment URI of a network. Names and descriptions are text from a stranger (T12).
 * @throws ProtocolError `bad-uri` (`data` names the `parameter`, the name `repeated` or the `paymentId` at fault), `bad-amount`, or as
 * {@link decodeAddress}
 */
export function parseUri(uri: string, network: Network): ParsedPaymentUri {
  if (!uri.startsWith(SCHEME)) throw new ProtocolError('bad-uri', `expected a URI that starts with "${SCHEME}"`);
  const rest = uri.slice(SCHEME.length);
  const mark = rest.indexOf('?');
  const address = mark < 0 ? rest : rest.slice(0, mark);
  const decoded = decodeAddress(address, network);
  let amount: bigint | undefined;
  let paymentId: string | undefined;
  let recipientName: string | undefined;
  let description: string | undefined;
  const unknownParameters: string[] = [];
  // Checked in the order of the URI, so that the error names the first wrong one, as the reference's does.
  for (const { name, value, parameter } of parametersOf(mark < 0 ? '' : rest.slice(mark + 1))) {
    if (name === 'tx_amount') amount = parseAmount(value);
    else if (name === 'tx_payment_id') paymentId = checkedPaymentId(value, decoded);
    else if (name === 'recipient_name') recipientName = decodeText(value);
    else if (name === 'tx_description') description = decodeText(value);
    else unknownParameters.push(parameter);
  }
  return { address, decoded, amount, recipientName, description, paymentId, unknownParameters };
}

function checkedPaymentId(paymentId: string, address: Address): string {
  if (address.paymentId !== undefined) throw new ProtocolError('bad-uri', 'expected no payment id beside an integrated address');
  if (!/^[0-9a-fA-F]{64}$/.test(paymentId))
    throw new ProtocolError('bad-uri', 'expected a payment id of 64 hex digits', { paymentId });
  return paymentId;
}
