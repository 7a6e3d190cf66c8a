import * as v from 'valibot';
import type { FormatError } from '../../base/index.ts';
import { isProtocolError, makeUri, type ProtocolError, parseUri, readAddress } from '../../protocol/index.ts';
import { type Contact, paymentIdOf, type Wallet, withPaymentId } from '../../wallet/index.ts';
import { RpcError, withErrorsMapped } from '../errors.ts';
import { bool, params, result, text, u64, u64s } from '../fields.ts';
import { isHex } from '../hex-params.ts';
import { MethodGroup, READS, WRITES } from '../method.ts';
import { requireResolvedAddress } from '../openalias.ts';

export const uriAndContactMethods = new MethodGroup('Payment URIs and address book');

uriAndContactMethods.define({
  name: 'make_uri',
  summary: 'A payment URI of an address, and of what else is given.',
  params: params({ address: text(), payment_id: text(), amount: u64(), tx_description: text(), recipient_name: text() }),
  result: v.object({ uri: result.text }),
  ...READS,
  errors: ['wrongUri'],
  handler({ wallet }, { address, payment_id, amount, tx_description, recipient_name }) {
    const { network } = wallet.description;
    const kind = readAddress(address, network)?.kind;
    if (kind === undefined) throw notMade(`wrong address: ${address}`);
    if (payment_id !== '' && kind === 'integrated') throw notMade('A single payment id is allowed');
    if (payment_id !== '') throw notMade('Standalone payment id deprecated, use integrated address instead');
    return { uri: makeUri({ address, amount, description: tx_description, recipientName: recipient_name }, network) };
  },
});

const notMade = (reason: string): RpcError => new RpcError('wrongUri', `Cannot make URI from supplied parameters: ${reason}`);

uriAndContactMethods.define({
  name: 'parse_uri',
  summary: 'What a payment URI says.',
  params: params({ uri: text() }),
  result: v.object({
    uri: v.object({
      address: result.text,
      payment_id: result.text,
      amount: result.u64,
      tx_description: result.text,
      recipient_name: result.text,
    }),
    unknown_parameters: v.array(result.text),
  }),
  ...READS,
  errors: ['wrongUri'],
  async handler({ wallet }, { uri }) {
    const { address, paymentId, amount, description, recipientName, unknownParameters } = await withErrorsMapped(
      () => parseUri(uri, wallet.description.network),
      (error) => (isProtocolError(error) ? new RpcError('wrongUri', `Error parsing URI: ${faultOf(uri, error)}`) : undefined),
    );
    return {
      uri: {
        address,
        payment_id: paymentId ?? '',
        amount: amount ?? 0n,
        tx_description: description ?? '',
        recipient_name: recipientName ?? '',
      },
      unknown_parameters: [...unknownParameters],
    };
  },
});

function faultOf(uri: string, { code, data }: ProtocolError | FormatError): string {
  if (!uri.startsWith('monero:')) return `URI has wrong scheme (expected "monero:"): ${uri}`;
  if (code === 'bad-amount') return `URI has invalid amount: ${/[?&]tx_amount=([^&]*)/.exec(uri)?.[1] ?? ''}`;
  if (code !== 'bad-uri') return `URI has wrong address: ${uri.slice('monero:'.length).replace(/\?.*$/s, '')}`;
  if (data.repeated !== undefined) return `URI has more than one instance of ${data.repeated}`;
  if (data.parameter !== undefined) return `URI has wrong parameter: ${data.parameter}`;
  if (data.paymentId !== undefined) return `Invalid payment id: ${data.paymentId}`;
  return 'Separate payment id given with an integrated address';
}

uriAndContactMethods.define({
  name: 'get_address_book',
  summary: 'Entries of the address book: all, or some by index.',
  params: params({ entries: u64s() }),
  result: v.object({
    entries: v.array(
      v.object({
        index: result.u32,
        address: result.text,
        description: result.text,
        payment_id: v.optional(result.text),
      }),
    ),
  }),
  ...READS,
  errors: ['wrongIndex'],
  async handler({ wallet }, { entries }) {
    const all = await wallet.contacts();
    if (entries.length === 0) return { entries: all.map(shown) };
    return { entries: entries.map((index) => shown(contactAt(all, index), Number(index))) };
  },
});

function shown({ address, description }: Contact, index: number) {
  const payment_id = paymentIdOf(address);
  return { index, address, description, ...(payment_id === undefined ? {} : { payment_id }) };
}

/** @throws RpcError `wrongIndex` */
function contactAt(all: readonly Contact[], index: bigint): Contact {
  const contact = all[Number(index)];
  if (contact === undefined) throw new RpcError('wrongIndex', `Index out of range: ${index}`);
  return contact;
}

uriAndContactMethods.define({
  name: 'add_address_book',
  summary: 'A new entry of the address book: an address or an OpenAlias name, with a payment id when one is given.',
  params: params({ address: text(), payment_id: text(), description: text() }),
  result: v.object({ index: result.u32 }),
  ...WRITES,
  errors: ['wrongAddress', 'wrongPaymentId'],
  async handler({ host, wallet }, { address, payment_id, description }) {
    const resolved = await requireResolvedAddress(host, wallet.description.network, address);
    await wallet.saveContact({ address: isNone(payment_id) ? resolved : identified(resolved, payment_id), description });
    return { index: (await wallet.contacts()).length - 1 };
  },
});

uriAndContactMethods.define({
  name: 'edit_address_book',
  summary: 'Changes an entry of the address book: what is marked to be set.',
  params: params({
    index: u64(),
    set_address: bool(),
    address: text(),
    set_description: bool(),
    description: text(),
    set_payment_id: bool(),
    payment_id: text(),
  }),
  ...WRITES,
  errors: ['wrongIndex', 'wrongAddress', 'wrongPaymentId'],
  async handler({ host, wallet }, params) {
    const before = await entryAt(wallet, params.index);
    const resolved = params.set_address
      ? await requireResolvedAddress(host, wallet.description.network, params.address)
      : before.address;
    const address = params.set_payment_id ? identified(resolved, isNone(params.payment_id) ? '' : params.payment_id) : resolved;
    const description = params.set_description ? params.description : before.description;
    await wallet.saveContact({ id: before.id, address, description });
  },
});

uriAndContactMethods.define({
  name: 'delete_address_book',
  summary: 'Takes an entry out of the address book; those behind it move up.',
  params: params({ index: u64() }),
  ...WRITES,
  errors: ['wrongIndex'],
  async handler({ wallet }, { index }) {
    await wallet.removeContact((await entryAt(wallet, index)).id);
  },
});

const entryAt = async (wallet: Wallet, index: bigint): Promise<Contact> => contactAt(await wallet.contacts(), index);

/** Old clients write an id of zeros for none. */
const isNone = (paymentId: string): boolean => /^0*$/.test(paymentId);

/** @throws RpcError `wrongPaymentId` */
function identified(address: string, paymentId: string): string {
  if (paymentId !== '' && !isHex(paymentId, 8)) throw new RpcError('wrongPaymentId', 'Payment ID has invalid format');
  try {
    return withPaymentId(address, paymentId.toLowerCase());
  } catch {
    throw new RpcError('wrongPaymentId', 'Payment ID and subaddress do not go together');
  }
}
