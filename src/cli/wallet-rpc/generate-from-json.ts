import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { hexToBytes, type JsonValue, parseJson } from '../../base/index.ts';
import { loadCrypto } from '../../crypto/index.ts';
import { decodeAddress } from '../../protocol/address.ts';
import type { Network } from '../../protocol/index.ts';
import { loadAllWordLists, wordsToSeed } from '../../protocol/mnemonic.ts';
import { isHex } from '../../rpc/hex-params.ts';
import { isDeprecated } from '../../rpc/methods/files.ts';
import {
  type Birth,
  DEFAULT_LANGUAGE,
  type NewWallet,
  walletFromKeys,
  walletFromSeed,
  walletFromViewKey,
  withoutOffset,
} from '../../wallet/index.ts';
import { CliError } from '../errors.ts';

/** The file of `--generate-from-json` (wallet2.cpp, generate_from_json): other fields are ignored. */
export interface WalletDescriptionFile {
  /** Folder and name that the wallet is to have. */
  readonly folder: string;
  readonly name: string;
  readonly password: string;
  readonly scanFromHeight: number;
  readonly viewKey: string | undefined;
  readonly spendKey: string | undefined;
  readonly seed: string | undefined;
  readonly seedPassphrase: string;
  readonly address: string | undefined;
}

const VERSION = 1n;

/** @throws CliError that says what is wrong with the file */
export async function readDescription(path: string): Promise<WalletDescriptionFile> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CliError(`Failed to load file ${path}`);
  });
  const fields = fieldsOf(text);
  const version = BigInt(numberField(fields, 'version') ?? missing('version'));
  if (version > VERSION) throw new CliError(`Version ${version} too new, we can only grok up to ${VERSION}`);
  const filename = textField(fields, 'filename') ?? missing('filename');
  const described = {
    folder: dirname(resolve(filename)),
    name: basename(filename),
    password: textField(fields, 'password') ?? '',
    scanFromHeight: Number(numberField(fields, 'scan_from_height') ?? 0),
    viewKey: keyField(fields, 'viewkey', 'view'),
    spendKey: keyField(fields, 'spendkey', 'spend'),
    seed: textField(fields, 'seed'),
    seedPassphrase: textField(fields, 'seed_passphrase') ?? '',
    address: textField(fields, 'address'),
  };
  requireOneWay(described);
  return described;
}

/** Requires either words or keys, and an address if there is no spend key. */
function requireOneWay({ seed, viewKey, spendKey, address }: WalletDescriptionFile): void {
  const keys = viewKey !== undefined || spendKey !== undefined;
  if (seed === undefined && !keys) {
    throw new CliError(
      'At least one of either an Electrum-style word list, private view key, or private spend key must be specified',
    );
  }
  if (seed !== undefined && keys) throw new CliError('Both Electrum-style word list and private key(s) specified');
  if (viewKey !== undefined && spendKey === undefined && address === undefined)
    throw new CliError('Address must be specified in order to create watch-only wallet');
}

/** @param now unix seconds @throws CliError when words, keys and address do not belong to one wallet */
export async function walletFromDescription(file: WalletDescriptionFile, network: Network, now: number): Promise<NewWallet> {
  await loadCrypto();
  if (file.address !== undefined) requireAddress(file.address, network);
  const made = await madeOf(file, { network, from: { height: file.scanFromHeight }, now });
  const [created] = made.first;
  if (file.address !== undefined && created?.type === 'Created' && created.wallet.primaryAddress !== file.address)
    throw new CliError('the keys do not match the address');
  return made;
}

async function madeOf(file: WalletDescriptionFile, birth: Birth): Promise<NewWallet> {
  const { seed, viewKey, spendKey, address } = file;
  if (seed !== undefined) return madeOfWords(seed, file.seedPassphrase, birth);
  try {
    if (spendKey === undefined) return await walletFromViewKey(address!, viewKey!, birth);
    if (viewKey === undefined) return await walletFromSeed(hexToBytes(spendKey), birth, DEFAULT_LANGUAGE);
    return await walletFromKeys(spendKey, viewKey, birth);
  } catch {
    throw new CliError('view key or spend key does not match standard address');
  }
}

async function madeOfWords(words: string, passphrase: string, birth: Birth): Promise<NewWallet> {
  const lists = await loadAllWordLists();
  const { seed, list } = orRefuse('Electrum-style word list failed verification', () => wordsToSeed(words, lists));
  if (isDeprecated(words, list)) throw new CliError('Cannot generate deprecated wallets from JSON');
  const spendSeed = await withoutOffset(seed, passphrase);
  return walletFromSeed(spendSeed, birth, list.englishName);
}

function requireAddress(address: string, network: Network): void {
  orRefuse('invalid address', () => decodeAddress(address, network));
}

function orRefuse<T>(message: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new CliError(message);
  }
}

type Fields = ReadonlyMap<string, JsonValue>;

function fieldsOf(text: string): Fields {
  const value = orRefuse('Failed to parse JSON', () => parseJson(text));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new CliError('Failed to parse JSON');
  return new Map(Object.entries(value));
}

function textField(fields: Fields, name: string): string | undefined {
  const value = fields.get(name);
  if (value === undefined || typeof value === 'string') return value;
  throw new CliError(`Field ${name} found in JSON, but not String`);
}

function numberField(fields: Fields, name: string): number | bigint | undefined {
  const value = fields.get(name);
  if (value === undefined) return undefined;
  if ((typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) || (typeof value === 'bigint' && value >= 0n))
    return value;
  throw new CliError(`Field ${name} found in JSON, but not Uint64`);
}

function keyField(fields: Fields, name: string, which: string): string | undefined {
  const key = textField(fields, name);
  if (key === undefined) return undefined;
  if (!isHex(key, 32)) throw new CliError(`failed to parse ${which} key secret key`);
  if (/^0+$/.test(key)) throw new CliError(`${which} secret key may not be all zeroes`);
  return key.toLowerCase();
}

function missing(name: string): never {
  throw new CliError(`Field ${name} not found in JSON`);
}
