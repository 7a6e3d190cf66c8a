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

/** The pairing code, by which one device shows a wallet's view key to another, in the format that other wallets write and read. */

/**
 * The main chain's block from which on blocks come every two minutes instead of every minute, with its time: enough to estimate a height without a
 * daemon.
 */
const KNOWN = { height: 1_009_827, second: 1_458_748_658, before: 60, since: 120 } as const;
/** Blocks by which an estimate is lowered: six weeks, because blocks come later than planned. */
const MARGIN = 30_000;
/** More blocks than any chain has. */
const MOST_HEIGHT = 500_000_000;
/** 32 bytes in hex. */
const KEY = /^[0-9a-f]{64}$/;
/** Maximum length of the text, in characters. */
const MOST = 4_000;

/**
 * Height to scan from, estimated from a day for a wallet that has never asked a daemon.
 * @param date unix seconds
 */
export function guessedHeight(date: number | undefined, network: Network): number {
  if (date === undefined || network !== 'mainnet') return 0;
  const { height, second, before, since } = KNOWN;
  const spacing = date < second ? before : since;
  return Math.max(0, height + Math.floor((date - second) / spacing) - MARGIN);
}

/** Whether the main chain cannot have reached a height yet. Other chains have any length. @param now unix seconds */
export const isHeightToCome = (height: number, network: Network, now: number): boolean =>
  network === 'mainnet' && height > guessedHeight(now, network) + 2 * MARGIN;

/** The text of a pairing code: JSON with the field names that other wallets use. */
export const pairingText = ({ address, viewKey, height }: Pairing): string =>
  stringifyJson({ primaryAddress: address, privateViewKey: viewKey, restoreHeight: height });

/** Fields of a code as read. */
interface Written {
  readonly spends: boolean;
  readonly address: string;
  readonly viewKey: string;
  readonly height: number;
}

/**
 * Reads a pairing code of ours or of another wallet, or a wallet URI with only a view key. Other fields are ignored.
 * @param now unix seconds
 * @throws HostError `not-a-pairing`; `pairing-spends` if the text contains a spend key or a seed, which a view-only wallet must not have;
 *   `pairing-key` for a view key that does not belong to the address; `pairing-height` for a height that the chain has not reached; the address
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

/** A URI of another network gets a different error than an invalid one. */
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

/** Some wallets write the number as a string; without it the whole chain is scanned. */
function heightOf(value: JsonValue | undefined): number {
  const height = typeof value === 'string' ? Number(/^\s*\d+\s*$/.exec(value)?.[0]) : (value ?? 0);
  if (typeof height !== 'number' || !Number.isSafeInteger(height) || height < 0 || height > MOST_HEIGHT) throw notYet();
  return height;
}
