import { asObject, asText, equalBytes, hexToBytes, type JsonValue, parseJson, stringifyJson } from '../src/base/index.ts';
import { isCanonicalScalar, scalarMulBase } from '../src/crypto/index.ts';
import { decodeAddress, type Network } from '../src/protocol/index.ts';
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

/** The text of a pairing code: JSON with the names that other wallets use. */
export const pairingText = ({ address, viewKey, height }: Pairing): string =>
  stringifyJson({ primaryAddress: address, privateViewKey: viewKey, restoreHeight: height });

/**
 * Reads such a code of ours or of another wallet. What else stands in it is left out.
 * @param now unix seconds
 * @throws HostError `not-a-pairing`; `pairing-spends` where the text holds a spend key, which has no business in a watching wallet;
 *   `pairing-key` for a view key that is not of the address; `pairing-height` for a height from which on nothing could be found yet; the address
 *   decoder's typed error
 */
export function readPairing(text: string, network: Network, now: number): Pairing {
  if (text.length > MOST) throw notOne();
  const read = orNotOne(() => asObject(parseJson(text)));
  if (typeof read.privateSpendKey === 'string' && read.privateSpendKey !== '')
    throw new HostError('pairing-spends', 'expected no spend key');
  const address = orNotOne(() => asText(read.primaryAddress)).trim();
  const viewKey = orNotOne(() => asText(read.privateViewKey))
    .trim()
    .toLowerCase();
  const { kind, viewKey: publicKey } = decodeAddress(address, network);
  if (kind !== 'standard' || !KEY.test(viewKey)) throw notOne();
  requireOwnKey(hexToBytes(viewKey), publicKey);
  const height = heightOf(read.restoreHeight);
  // The chain of the tests is as long as its miners want.
  if (network === 'mainnet' && height > guessedHeight(now, network) + 2 * MARGIN) throw notYet();
  return { address, viewKey, height };
}

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
