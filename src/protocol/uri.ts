import { type Address, decodeAddress } from './address.ts';
import { formatAmount, parseAmount } from './amount.ts';
import { ProtocolError } from './errors.ts';
import type { Network } from './model.ts';

/** Payment URIs, `monero:address?tx_amount=…`, as the reference makes and reads them (wallet2.cpp, make_uri and parse_uri). */

const SCHEME = 'monero:';

/** One payment as a `monero:` URI asks for it. Texts are decoded. */
export interface PaymentUri {
  readonly address: string;
  /** Atomic units; undefined when the URI names none. */
  readonly amount?: bigint | undefined;
  readonly recipientName?: string | undefined;
  readonly description?: string | undefined;
}

/** A payment URI, read and checked. */
export interface ParsedPaymentUri extends PaymentUri {
  readonly decoded: Address;
  /** 64 hex digits as they stand, in URIs of old. */
  readonly paymentId: string | undefined;
  /** Parameters with names that are not known, as they stand. */
  readonly unknownParameters: readonly string[];
}

const UNSAFE = new Set('"<>%\\^[]`+$,@:;!#&');
const UTF8 = new TextEncoder();

/** Percent-encodes as the reference does: everything that may mean something in a URI, upper-case digits. */
function encodeText(text: string): string {
  let encoded = '';
  for (const byte of UTF8.encode(text)) {
    const letter = String.fromCharCode(byte);
    const plain = byte > 32 && byte < 123 && !UNSAFE.has(letter);
    encoded += plain ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/** Bytes behind good percent signs, anything else as it stands; bytes that are not UTF-8 become U+FFFD. */
function decodeText(text: string): string {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; ) {
    const digits = text[i] === '%' ? text.slice(i + 1, i + 3) : '';
    if (/^[0-9a-fA-F]{2}$/.test(digits)) {
      bytes.push(Number.parseInt(digits, 16));
      i += 3;
      continue;
    }
    const letter = String.fromCodePoint(text.codePointAt(i)!);
    bytes.push(...UTF8.encode(letter));
    i += letter.length;
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/**
 * The URI that asks for a payment; no amount where it is zero.
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
  // In their order, as the reference: it names the first that is at fault.
  for (const { name, value, parameter } of parametersOf(mark < 0 ? '' : rest.slice(mark + 1))) {
    if (name === 'tx_amount') amount = parseAmount(value);
    else if (name === 'tx_payment_id') paymentId = checkedPaymentId(value, decoded);
    else if (name === 'recipient_name') recipientName = decodeText(value);
    else if (name === 'tx_description') description = decodeText(value);
    else unknownParameters.push(parameter);
  }
  return { address, decoded, amount, recipientName, description, paymentId, unknownParameters };
}

interface Parameter {
  readonly name: string;
  readonly value: string;
  /** Name and value as they stand in the URI. */
  readonly parameter: string;
}

function* parametersOf(query: string): Generator<Parameter> {
  const seen = new Set<string>();
  for (const parameter of query === '' ? [] : query.split('&')) {
    // The reference leaves "=" in texts as it is and then cannot read them; what follows the first one is the value here.
    const equals = parameter.indexOf('=');
    if (equals < 0) throw new ProtocolError('bad-uri', 'expected parameters of the form name=value', { parameter });
    const name = parameter.slice(0, equals);
    if (seen.has(name))
      throw new ProtocolError('bad-uri', `expected each parameter once, ${JSON.stringify(name)} is repeated`, { repeated: name });
    seen.add(name);
    yield { name, value: parameter.slice(equals + 1), parameter };
  }
}

function checkedPaymentId(paymentId: string, address: Address): string {
  if (address.paymentId !== undefined) throw new ProtocolError('bad-uri', 'expected no payment id beside an integrated address');
  if (!/^[0-9a-fA-F]{64}$/.test(paymentId))
    throw new ProtocolError('bad-uri', 'expected a payment id of 64 hex digits', { paymentId });
  return paymentId;
}
