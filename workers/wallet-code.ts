import {
  isProtocolError,
  isWalletUri,
  makeWalletUri,
  type Network,
  parseWalletUri,
  type WalletUriStart,
} from '../src/protocol/index.ts';
import type { RestorePointView } from '../src/wallet/index.ts';
import type { RestorePoint, WalletCode } from './host.ts';
import { HostError } from './host-error.ts';
import { isHeightToCome } from './pairing.ts';

/** Codes that transfer a wallet from one program to another. */

/** Maximum length of the text, in characters. */
const MOST = 4_000;
/** Twelve to thirty words of any script. The form checks them against the word lists. */
const WORDS = /^[\p{L}\p{M}]+(\s+[\p{L}\p{M}]+){11,29}$/u;

/**
 * Reads a wallet code. A height or day in the future is left out, so that the person is asked for one: a wallet that scanned from there would find
 * nothing.
 * @param now unix seconds
 * @throws HostError `not-a-wallet-code`; the address decoder's typed error
 */
export function readWalletCode(text: string, network: Network, now: number): WalletCode {
  const trimmed = text.trim();
  if (trimmed.length > MOST) throw notOne();
  if (isWalletUri(trimmed)) return readUri(trimmed, network, now);
  if (trimmed.startsWith('{')) return { kind: 'pairing' };
  if (!WORDS.test(trimmed)) throw notOne();
  return { kind: 'words', words: trimmed, from: undefined, label: '' };
}

function readUri(uri: string, network: Network, now: number): WalletCode {
  try {
    const { seed, spendKey, viewKey, address, start, txids: txHashes, label = '' } = parseWalletUri(uri, network);
    const from = start && !isToCome(start, network, now) ? pointOf(start) : undefined;
    if (seed !== undefined) return { kind: 'words', words: seed, from, txHashes, label };
    if (spendKey !== undefined) return { kind: 'keys', keys: { spendKey, viewKey, address }, from, txHashes, label };
    return { kind: 'pairing' };
  } catch (error) {
    throw isProtocolError(error, 'bad-uri') ? notOne() : error;
  }
}

const isToCome = (start: WalletUriStart, network: Network, now: number): boolean =>
  'height' in start ? isHeightToCome(start.height, network, now) : Date.parse(start.date) / 1000 > now;

const pointOf = (start: WalletUriStart): RestorePoint =>
  'height' in start ? { kind: 'height', ...start } : { kind: 'date', ...start };

const notOne = (): HostError => new HostError('not-a-wallet-code', 'expected seed words or a wallet URI');

/**
 * The wallet URI of a seed, without the address, which can be derived from it: a code of fewer squares is easier to scan.
 * @param restore its height is used if known, otherwise its day
 */
export function seedCode(seed: string, { height, date }: RestorePointView, network: Network): string {
  const day = date === undefined ? undefined : { date: new Date(date * 1000).toISOString().slice(0, 10) };
  return makeWalletUri({ seed, start: height === undefined ? day : { height } }, network);
}
