import { bytesToHex, U64_MAX } from '../../base/index.ts';
import type { Random } from '../../crypto/index.ts';
import { isProtocolError, type Network, type OutputKey, type TxHash, toAtomicAmount } from '../../protocol/index.ts';
import {
  type CachedSend,
  type KeysFile,
  openCacheFile,
  type TxDestination,
  Wallet2Error,
  type WalletCache,
} from '../../wallet2/index.ts';
import { accountTagsSet } from '../account-tags.ts';
import { addressesUnknown, type UnknownAddresses } from '../addresses-unknown.ts';
import { clientAttribute } from '../client-attributes.ts';
import { contactAdded } from '../contacts.ts';
import { bearableLookahead } from '../lookahead.ts';
import type { KeyedImage, RecordedTransaction, SubaddressIndex } from '../model.ts';
import type { WalletEvent } from '../state/events.ts';
import { indexKey } from '../state/state.ts';
import { addressOf } from './address-of.ts';

/** Value of an unknown change in the reference's files. */
const UNKNOWN_CHANGE = U64_MAX;

/** The cache file beside a `.keys` file. */
export interface CacheFile {
  /** undefined where there is none. */
  readonly bytes: Uint8Array | undefined;
  readonly password: string;
  readonly kdfRounds: number;
}

/**
 * Imports what a reference wallet's cache knows beyond its keys and the chain, as the first events of a journal: accounts and labels, and
 * with them the addresses given out; transaction keys and destinations; notes, contacts, attributes, tags; frozen outputs; key images of
 * view-only wallets. Without a readable cache, the wallet records that the addresses given out are unknown.
 */
export async function importCache(keys: KeysFile, cache: CacheFile, network: Network, random: Random): Promise<WalletEvent[]> {
  const lookahead = (accounts: number): WalletEvent[] =>
    keys.lookahead === undefined ? [] : [{ type: 'LookaheadSet', lookahead: bearableLookahead(keys.lookahead, accounts) }];
  if (cache.bytes === undefined) return [...lookahead(1), addressesUnknown('missing')];
  try {
    const contents = await openCacheFile(cache.bytes, keys, cache.password, cache.kdfRounds);
    const viewOnly = keys.spendKey === undefined && keys.device === undefined;
    return [...lookahead(contents.labels.length), ...eventsOf(contents, viewOnly, network, random)];
  } catch (error) {
    return [...lookahead(1), addressesUnknown(whyUnknown(error))];
  }
}

function whyUnknown(error: unknown): UnknownAddresses {
  if (isProtocolError(error)) return 'damaged';
  if (!(error instanceof Wallet2Error)) throw error;
  if (error.code === 'unsupported-version') return 'too-old';
  return error.code === 'keys-do-not-match' ? 'other-wallet' : 'damaged';
}

function* eventsOf(cache: WalletCache, viewOnly: boolean, network: Network, random: Random): Generator<WalletEvent> {
  const used = cache.outputs.map(({ subaddress }) => subaddress);
  if (cache.labels.length > 0) yield { type: 'AccountsSet', accounts: cache.labels.map(atLeastOne), used: distinct(used) };
  if (cache.tags.tags.some((tag) => tag !== '')) yield accountTagsSet(cache.tags.tags, cache.tags.descriptions);
  for (const { frozen, key } of cache.outputs) if (frozen && key !== undefined) yield { type: 'Frozen', key: key as OutputKey };
  if (viewOnly) yield* keyImages(cache);
  for (const [key, value] of cache.attributes) yield clientAttribute(key, value);
  for (const contact of cache.contacts)
    yield contactAdded(random, addressOf(contact, network, contact.paymentId), contact.description);
  for (const [txHash, note] of cache.notes) if (note !== '') yield { type: 'Noted', txHash: txHash as TxHash, note };
  const transactions = toldTransactions(cache, network);
  if (transactions.length > 0) yield { type: 'TransactionsTold', transactions };
}

const atLeastOne = (labels: readonly string[]): readonly string[] => (labels.length > 0 ? labels : ['']);

function distinct(indices: readonly SubaddressIndex[]): SubaddressIndex[] {
  return [...new Map(indices.map((index) => [indexKey(index), index])).values()];
}

/** Key images from the cold half, of known outputs and of later ones. */
function* keyImages({ outputs, coldKeyImages }: WalletCache): Generator<WalletEvent> {
  const keyed = (key: string, keyImage: string) => ({ key, keyImage }) as KeyedImage;
  const known = outputs.flatMap(({ key, keyImage }) =>
    key === undefined || keyImage === undefined ? [] : [keyed(key, keyImage)],
  );
  const found = new Set<string>(known.map(({ key }) => key));
  const predicted = [...coldKeyImages].filter(([key]) => !found.has(key));
  if (known.length > 0) yield { type: 'KeyImagesImported', images: known };
  if (predicted.length > 0) yield { type: 'KeyImagesForetold', images: predicted.map(([key, image]) => keyed(key, image)) };
}

/** Records of all transactions whose keys or destinations the cache holds. */
function toldTransactions({ txKeys, sends }: WalletCache, network: Network): RecordedTransaction[] {
  const records = new Map<string, RecordedTransaction>();
  const of = (txHash: string, txKeys: readonly string[]): RecordedTransaction => ({
    ...{ txHash: txHash as TxHash, txKeys, destinations: [], change: undefined, paymentId: undefined },
  });
  for (const [txHash, keys] of txKeys) records.set(txHash, of(txHash, keys));
  for (const send of sends) {
    const before = records.get(send.txHash);
    if (before === undefined && send.destinations.length === 0) continue;
    records.set(send.txHash, { ...(before ?? of(send.txHash, [])), ...sendTold(send, network) });
  }
  return [...records.values()];
}

function sendTold(send: CachedSend, network: Network): Pick<RecordedTransaction, 'destinations' | 'change' | 'paymentId'> {
  const { destinations, change, paymentId } = send;
  const short = paymentId.subarray(0, 8);
  const isShort = paymentId.subarray(8).every((byte) => byte === 0);
  return {
    destinations: destinations.map((one) => ({
      address: destinationAddress(one, short, network),
      amount: toAtomicAmount(one.amount),
    })),
    change: change === UNKNOWN_CHANGE ? undefined : toAtomicAmount(change),
    paymentId: paymentId.every((byte) => byte === 0) ? undefined : bytesToHex(isShort ? short : paymentId),
  };
}

/** The address as entered; if that was not stored, made from its keys (`tx_destination_entry::address`). */
function destinationAddress(destination: TxDestination, paymentId: Uint8Array, network: Network): string {
  if (destination.original !== '') return destination.original;
  return addressOf(destination, network, destination.isIntegrated ? paymentId : undefined);
}
