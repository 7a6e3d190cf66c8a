import { asObject, asText, equalBytes, hexToBytes, type JsonValue, parseJson, stringifyJson } from '../src/base/index.ts';
import { isCanonicalScalar, scalarMulBase } from '../src/crypto/index.ts';
import {
  decodeAddress,
  isProtocolError,
  isWalletUri,
  type Network,
  parseWalletUri,
  type WalletUri,
  type WalletUriStart,
} from '../src/protocol/index.ts';
import type { Pairing } from './host.ts';
import { HostError } from './host-error.ts';

/** The code by which one device shows a wallet's view key to another one, in the form that other wallets show and read. */

/**
 * The block of the main chain from which on blocks come every two minutes, and no longer every minute, and its second: enough to guess a
 * height without a daemon.
 */
const KNOWN = { height: 1_009_827, second: 1_458_748_658, before: 60, since: 120 } as const;
/** Blocks that a guess stays below: six weeks, for blocks come later than planned. */
const MARGIN = 30_000;
/** No chain is as long. */
const MOST_HEIGHT = 500_000_000;
/** 32 bytes in hex. */
const KEY = /^[0-9a-f]{64}$/;
/** Characters of the longest text that is looked at. */
const MOST = 4_000;

/**
 * Height to scan from, guessed where the wallet knows a day alone, because no daemon was ever asked.
 * @param date unix seconds
 */
export function guessedHeight(date: number | undefined, network: Network): number {
  if (date === undefined || network !== 'mainnet') return 0;
  const { height, second, before, since } = KNOWN;
  const spacing = date < second ? before : since;
  return Math.max(0, height + Math.floor((date - second) / spacing) - MARGIN);
}

/** Whether the main chain cannot have a height yet. Other chains are as long as their miners want. @param now unix seconds */
export const isHeightToCome = (height: number, network: Network, now: number): boolean =>
  network === 'mainnet' && height > guessedHeight(now, network) + 2 * MARGIN;

/** The text of a pairing code: JSON with the names that other wallets use. */
export const pairingText = ({ address, viewKey, height }: Pairing): string =>
  stringifyJson({ primaryAddress: address, privateViewKey: viewKey, restoreHeight: height });

/** Fields of a code as they stand in it. */
interface Written {
  readonly spends: boolean;
  readonly address: string;
  readonly viewKey: string;
  readonly height: number;
}

/**
 * Reads such a code of ours or of another wallet, or a wallet URI with a view key alone. What else stands in it is left out.
 * @param now unix seconds
 * @throws HostError `not-a-pairing`; `pairing-spends` where the text holds a spend key or a seed, which has no business in a watching wallet;
 *   `pairing-key` for a view key that is not of the address; `pairing-height` for a height from which on nothing could be found yet; the address
 *   decoder's typed error
 */
export function readPairing(text: string, network: Network, now: number): Pairing {
  if (text.length > MOST) throw notOne();
  const { spends, address, viewKey, height } = isWalletUri(text) ? writtenInUri(text, network) : writtenInJson(text);
  if (spends) throw new HostError('pairing-spends', 'expected neither a spend key nor a seed');
  const { kind, viewKey: publicKey } = decodeAddress(address, network);
  if (kind !== 'standard' || !KEY.test(viewKey)) throw notOne();
  requireOwnKey(hexToBytes(viewKey), publicKey);
  if (isHeightToCome(height, network, now)) throw notYet();
  return { address, viewKey, height };
}

function writtenInJson(text: string): Written {
  const read = orNotOne(() => asObject(parseJson(text)));
  if (typeof read.privateSpendKey === 'string' && read.privateSpendKey !== '')
    return { spends: true, address: '', viewKey: '', height: 0 };
  const textOf = (value: JsonValue | undefined): string => orNotOne(() => asText(value)).trim();
  const viewKey = textOf(read.privateViewKey).toLowerCase();
  return { spends: false, address: textOf(read.primaryAddress), viewKey, height: heightOf(read.restoreHeight) };
}

function writtenInUri(text: string, network: Network): Written {
  const { address = '', viewKey = '', spendKey, seed, start } = walletOf(text, network);
  return { spends: (spendKey ?? seed) !== undefined, address, viewKey, height: start ? heightAt(start, network) : 0 };
}

/** A URI of another network is told from what is none. */
function walletOf(text: string, network: Network): WalletUri {
  try {
    return parseWalletUri(text, network);
  } catch (error) {
    throw isProtocolError(error, 'bad-uri') ? notOne() : error;
  }
}

const heightAt = (start: WalletUriStart, network: Network): number =>
  'height' in start ? start.height : guessedHeight(Date.parse(start.date) / 1000, network);

const notOne = (): HostError => new HostError('not-a-pairing', 'expected an address, its view key and a height');

const notYet = (): HostError => new HostError('pairing-height', 'expected the height of a block that there is by now');

function requireOwnKey(viewKey: Uint8Array, publicKey: Uint8Array): void {
  if (!isCanonicalScalar(viewKey) || !equalBytes(scalarMulBase(viewKey), publicKey))
    throw new HostError('pairing-key', 'expected the view key of the address');
}

/** Turns every reading error into "not a pairing code". */
function orNotOne<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw notOne();
  }
}

/** Some write the number as text; without one the whole chain is looked through. */
function heightOf(value: JsonValue | undefined): number {
  const height = typeof value === 'string' ? Number(/^\s*\d+\s*$/.exec(value)?.[0]) : (value ?? 0);
  if (typeof height !== 'number' || !Number.isSafeInteger(height) || height < 0 || height > MOST_HEIGHT) throw notYet();
  return height;
}
