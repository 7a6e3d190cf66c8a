import { decodeAddress } from './address.ts';
import { ProtocolError } from './errors.ts';
import type { Network } from './model.ts';
import { decodeText, encodeText, parametersOf } from './uri-text.ts';

/** Wallet URIs, `monero-wallet:address?seed=…`: what is needed to restore a wallet, in one QR code (monero, docs/URI_SCHEME.md). */

const SCHEME = 'monero-wallet:';
/** The scheme's name until 2026, and in programs of that time. */
const OLD_SCHEME = 'monero_wallet:';
const HEX_32 = /^[0-9a-f]{64}$/;
const DAY = /^\d{4}-\d{2}-\d{2}(?=$|T)/;

/** Where the scan of a restored wallet begins: a block height, or a day (`YYYY-MM-DD`). */
export type WalletUriStart = { readonly height: number } | { readonly date: string };

/**
 * A wallet described by a URI: by its seed, its keys, or the address and secret view key of a view-only wallet. Anyone who reads the URI
 * can spend from the wallet, or sees what it receives.
 */
export interface WalletUri {
  /** Primary address. Required for a view key without a spend key. */
  readonly address?: string | undefined;
  /** Seed words, separated by single spaces. Never together with keys. */
  readonly seed?: string | undefined;
  /** Secret spend key, 64 hex digits. */
  readonly spendKey?: string | undefined;
  /** Secret view key, 64 hex digits. */
  readonly viewKey?: string | undefined;
  readonly start?: WalletUriStart | undefined;
  /** Transactions to scan, 64 hex digits each, which gift cards name instead of a height. */
  readonly txids?: readonly string[] | undefined;
  /** Name for the wallet. */
  readonly label?: string | undefined;
}

/** Whether a text is a wallet URI, of the scheme's present or former name. */
export const isWalletUri = (text: string): boolean => restOf(text) !== undefined;

/**
 * The URI of a wallet. It is as secret as its contents.
 * @throws ProtocolError `bad-uri` where neither seed nor keys are given, or both; as {@link decodeAddress} for an address of another network
 */
export function makeWalletUri(wallet: WalletUri, network: Network): string {
  requireOneWallet(wallet, network);
  const { start } = wallet;
  const height = start && ('height' in start ? String(start.height) : start.date);
  const parameters: readonly (readonly [name: string, value: string | undefined])[] = [
    ['seed', wallet.seed],
    ['spend_key', wallet.spendKey],
    ['view_key', wallet.viewKey],
    ['height', height],
    ['txid', wallet.txids?.join(';')],
    ['label', wallet.label],
  ];
  const query = parameters.filter(([, value]) => value).map(([name, value = '']) => `${name}=${encodeText(value)}`);
  return `${SCHEME}${wallet.address ?? ''}?${query.join('&')}`;
}

/**
 * Reads a wallet URI. Unknown parameters are ignored; a seed's words are not checked.
 * @throws ProtocolError `bad-uri` for invalid keys, heights or transaction ids, or unless either a seed or keys are given;
 * as {@link decodeAddress} for an address of another network
 */
export function parseWalletUri(uri: string, network: Network): WalletUri {
  const rest = restOf(uri);
  if (rest === undefined) throw new ProtocolError('bad-uri', `expected a URI that starts with "${SCHEME}"`);
  const { path, query } = partsOf(rest);
  const values = new Map<string, string>();
  for (const { name, value } of parametersOf(query)) values.set(name, decodeText(value.replaceAll('+', ' ')).trim());
  const text = (name: string): string | undefined => values.get(name) || undefined;
  const wallet: WalletUri = {
    address: decodeText(path).trim() || text('address'),
    seed: (text('seed') ?? text('mnemonic_seed'))?.split(/\s+/u).join(' '),
    spendKey: hexOf('spend_key', text('spend_key')),
    viewKey: hexOf('view_key', text('view_key')),
    start: startOf(text('height')),
    txids: text('txid')?.split(';').map(txidOf),
    label: text('label'),
  };
  requireOneWallet(wallet, network);
  return wallet;
}

/** The text after the scheme, whose case is ignored. */
function restOf(uri: string): string | undefined {
  const text = uri.trim();
  const scheme = text.slice(0, SCHEME.length).toLowerCase();
  return scheme === SCHEME || scheme === OLD_SCHEME ? text.slice(SCHEME.length) : undefined;
}

/** Some programs write the address as a parameter, without a question mark. */
function partsOf(rest: string): { readonly path: string; readonly query: string } {
  const mark = rest.search(/[?&]/u);
  const path = mark < 0 ? rest : rest.slice(0, mark);
  const query = mark < 0 ? '' : rest.slice(mark + 1);
  if (!path.includes('=')) return { path, query };
  return { path: '', query: query === '' ? path : `${path}&${query}` };
}

function requireOneWallet({ address, seed, spendKey, viewKey }: WalletUri, network: Network): void {
  const byKeys = spendKey !== undefined || viewKey !== undefined;
  if ((seed !== undefined) === byKeys) throw new ProtocolError('bad-uri', 'expected either a seed or keys of a wallet');
  if (byKeys && spendKey === undefined && address === undefined)
    throw new ProtocolError('bad-uri', 'expected an address beside a view key');
  if (address !== undefined && decodeAddress(address, network).kind !== 'standard')
    throw new ProtocolError('bad-uri', 'expected the primary address of a wallet');
}

const hexOf = (parameter: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : requireHex(parameter, text);

const txidOf = (text: string): string => requireHex('txid', text.trim());

function requireHex(parameter: string, text: string): string {
  const hex = text.toLowerCase();
  if (!HEX_32.test(hex)) throw new ProtocolError('bad-uri', 'expected 64 hex digits', { parameter });
  return hex;
}

function startOf(text: string | undefined): WalletUriStart | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return { height: Number(text) };
  const [date] = DAY.exec(text) ?? [];
  if (date === undefined || Number.isNaN(Date.parse(date)))
    throw new ProtocolError('bad-uri', 'expected a block height or a day as YYYY-MM-DD', { parameter: 'height' });
  return { date };
}
