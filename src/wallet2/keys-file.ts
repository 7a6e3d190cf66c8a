import {
  asCount,
  asObject,
  asText,
  equalBytes,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  latin1ToBytes,
  parseJsonBytes,
  utf8FromLatin1,
  wipe,
} from '../base/index.ts';
import { secretKeyToPublicKey } from '../crypto/index.ts';
import type { AddressKeys } from '../protocol/address.ts';
import { decodePortableStorage, type StorageObject } from '../protocol/epee.ts';
import { isProtocolError, ProtocolError } from '../protocol/errors.ts';
import type { Height, Network } from '../protocol/index.ts';
import { readAll } from './archive.ts';
import { type ChachaKey, chacha8Xor, chacha20Xor } from './cipher.ts';
import { Wallet2Error } from './errors.ts';
import { type MultisigKeys, readMultisig } from './multisig-keys.ts';
import { backgroundKey, type LockedSecrets, passwordKey, sealedFile, xorSecrets } from './password.ts';

/** Contents of a reference wallet's `.keys` file that other wallets can use. Labels, notes and history are in its cache. */
export interface KeysFile {
  /** Secret, 32 bytes; undefined in view-only wallets and when a device holds it. For a multisig signer, its base secret key. */
  readonly spendKey: Uint8Array | undefined;
  /** Secret, 32 bytes. Zeros when a device holds it: it is in no file. */
  readonly viewKey: Uint8Array;
  /** Public keys of the primary address. */
  readonly account: AddressKeys;
  /** The reference's name for it; empty if there is none. */
  readonly seedLanguage: string;
  /** `refresh_height`: blocks below it are not scanned. */
  readonly restoreHeight: Height;
  /** Undefined in files older than the field. */
  readonly network: Network | undefined;
  /** Unix seconds; 0 if unknown. */
  readonly createdAt: number;
  /** Lookahead set by its owner; undefined means the reference's default. */
  readonly lookahead: Lookahead | undefined;
  /** 1 slow … 4 fastest, 0 automatic: for transfers without one. */
  readonly defaultPriority: number;
  /** Multisig keys; undefined for a wallet of one owner. */
  readonly multisig?: MultisigKeys | undefined;
  /** The device that holds both secret keys, by the reference's name for it. */
  readonly device?: string | undefined;
  /** How the wallet may sync without its spend key; undefined if it may not. */
  readonly background?: BackgroundKeys | undefined;
}

/** Background sync as a `.keys` file has it (wallet2.h, BackgroundSyncType). */
export interface BackgroundKeys {
  readonly type: 'reuse-wallet-password' | 'custom-background-password';
  /** Whether this is the file of the view-only copy `NAME.background`. */
  readonly isCopy: boolean;
  /** Key of the copy's keys file, 32 bytes, secret; undefined if there is no copy. */
  readonly key: Uint8Array | undefined;
}

/** Placeholders in the file for the keys of a device (`get_secret_keys`, device_ledger.cpp): 32 bytes each. */
export const DEVICE_VIEW_KEY: Readonly<Uint8Array> = new Uint8Array(32);
/** As {@link DEVICE_VIEW_KEY}: 32 bytes, all of them set. */
export const DEVICE_SPEND_KEY: Readonly<Uint8Array> = new Uint8Array(32).fill(0xff);

/** `device::device_type`: software, Ledger, Trezor. */
const LEDGER = 1;
/** Its name in files without one. */
const LEDGER_NAME = 'Ledger';

/** Accounts, and addresses in each, that a wallet watches beyond the last created or used one; 1 or more. */
export interface Lookahead {
  readonly major: number;
  readonly minor: number;
}

/** By number; 0 is off. */
const BACKGROUND_TYPES: readonly (BackgroundKeys['type'] | undefined)[] = [
  undefined,
  'reuse-wallet-password',
  'custom-background-password',
];

const NETWORK_NUMBERS: readonly (Network | undefined)[] = ['mainnet', 'testnet', 'stagenet', 'regtest'];

/**
 * Opens the `.keys` file of a wallet of the reference (`load_keys_buf`, wallet2.cpp): ChaCha20, in the oldest files ChaCha8, with
 * CryptoNight of the password as key; it contains JSON, or in even older files the account itself.
 * @param kdfRounds as the reference's `--kdf-rounds`
 * @throws Wallet2Error `wrong-password`, `unsupported-kind`, `keys-do-not-match`; ProtocolError for bytes that are not such a file
 */
export async function openKeysFile(file: Uint8Array, password: string, kdfRounds = 1): Promise<KeysFile> {
  const { nonce, data } = readAll(sealedFile, file, 'the keys file');
  const key = await passwordKey(password, kdfRounds);
  try {
    const found = decryptJson({ key, nonce }, data);
    if (found !== undefined) return await unlocked(keysInJson(found), key);
    return (await copysKeysFile(backgroundKey(key), { nonce, data })) ?? oldKeysFile({ key, nonce }, data);
  } finally {
    wipe(key);
  }
}

/** The file of a background wallet: without a spend key. Undefined if it is none, or has another password. */
async function copysKeysFile(
  key: Uint8Array,
  { nonce, data }: { readonly nonce: Uint8Array; readonly data: Uint8Array },
): Promise<KeysFile | undefined> {
  const found = decryptJson({ key, nonce }, data);
  if (found === undefined) return undefined;
  const keys = await unlocked({ ...keysInJson(found), viewOnly: true }, key);
  return { ...keys, background: { type: 'custom-background-password', isCopy: true, key } };
}

/** The JSON object inside, or undefined: a wrong password, or a file without one. */
function decryptJson(key: ChachaKey, data: Uint8Array): JsonObject | undefined {
  for (const cipher of [chacha20Xor, chacha8Xor]) {
    const plain = cipher(key, data);
    const json = jsonObject(plain);
    wipe(plain);
    if (json !== undefined) return json;
  }
  return undefined;
}

function jsonObject(plain: Uint8Array): JsonObject | undefined {
  try {
    const json = parseJsonBytes(plain);
    return isJsonObject(json) ? json : undefined;
  } catch (error) {
    if (isProtocolError(error)) return undefined;
    throw error;
  }
}

/** Files of 2014 contain the account without JSON, in ChaCha8. */
function oldKeysFile(key: ChachaKey, data: Uint8Array): KeysFile {
  const plain = chacha8Xor(key, data);
  try {
    const keys = accountOf(plain);
    const unsaid = { seedLanguage: '', restoreHeight: 0, network: undefined, lookahead: undefined, defaultPriority: 0 };
    return check({ ...keys, ...unsaid });
  } catch (error) {
    if (!isProtocolError(error) && !(error instanceof Wallet2Error)) throw error;
    throw new Wallet2Error('wrong-password', 'expected the password of this keys file');
  } finally {
    wipe(plain);
  }
}

interface Account extends LockedSecrets {
  readonly account: AddressKeys;
  readonly createdAt: number;
}

/** Contents of the file after decryption with its password. */
interface LockedKeys {
  readonly keys: Account;
  /** Whether the secret keys are encrypted with a separate key. */
  readonly locked: boolean;
  readonly viewOnly: boolean;
  readonly metadata: Pick<
    KeysFile,
    'seedLanguage' | 'restoreHeight' | 'network' | 'lookahead' | 'defaultPriority' | 'multisig' | 'device' | 'background'
  >;
}

/**
 * Reads the contents after decryption with the password, as current programs write them.
 * @throws Wallet2Error `unsupported-kind`; ProtocolError
 */
export const decodeKeys = (plain: Uint8Array): LockedKeys => keysInJson(asObject(parseJsonBytes(plain)));

async function unlocked({ keys, locked, viewOnly, metadata }: LockedKeys, key: Uint8Array): Promise<KeysFile> {
  if (locked) await xorSecrets(keys, key);
  const { spendKey, viewKey, account, createdAt } = keys;
  if (metadata.device !== undefined) requirePlaceholders(keys);
  if (metadata.device !== undefined) return { spendKey: undefined, viewKey, account, createdAt, ...metadata };
  return check({ spendKey: viewOnly ? undefined : spendKey, viewKey, account, createdAt, ...metadata });
}

function keysInJson(json: JsonObject): LockedKeys {
  const data = latin1ToBytes(asText(json.key_data, 'key_data'));
  const keys = accountOf(data);
  wipe(data);
  const seedLanguage = json.seed_language === undefined ? '' : utf8FromLatin1(asText(json.seed_language, 'seed_language'));
  return {
    keys,
    locked: asNumber(json.encrypted_secret_keys) !== 0,
    viewOnly: asNumber(json.watch_only) !== 0,
    metadata: {
      seedLanguage,
      restoreHeight: asNumber(json.refresh_height),
      network: json.nettype === undefined ? undefined : NETWORK_NUMBERS[asNumber(json.nettype)],
      lookahead: lookaheadOf(json),
      defaultPriority: asNumber(json.default_priority),
      device: deviceOf(json),
      background: backgroundOf(json),
      multisig: asNumber(json.multisig) === 0 ? undefined : readMultisig(json, keys.keyShares),
    },
  };
}

function lookaheadOf(json: JsonObject): Lookahead | undefined {
  const lookahead = { major: asNumber(json.subaddress_lookahead_major), minor: asNumber(json.subaddress_lookahead_minor) };
  return lookahead.major > 0 && lookahead.minor > 0 ? lookahead : undefined;
}

const asNumber = (value: JsonValue | undefined): number => (value === undefined ? 0 : asCount(value));

function backgroundOf(json: JsonObject): BackgroundKeys | undefined {
  const type = BACKGROUND_TYPES[asNumber(json.background_sync_type)];
  if (type === undefined) return undefined;
  const text = json.custom_background_key === undefined ? '' : asText(json.custom_background_key, 'custom_background_key');
  return { type, isCopy: false, key: text.length === 32 ? latin1ToBytes(text) : undefined };
}

/** @throws Wallet2Error `unsupported-kind` for a device other than a Ledger */
function deviceOf(json: JsonObject): string | undefined {
  const type = asNumber(json.key_on_device);
  if (type === 0) return undefined;
  if (type !== LEDGER)
    throw new Wallet2Error('unsupported-kind', 'expected a wallet of a Ledger, or of none', { kind: 'device' });
  return json.device_name === undefined ? LEDGER_NAME : utf8FromLatin1(asText(json.device_name, 'device_name'));
}

/** @throws Wallet2Error `keys-do-not-match` for a contradictory file */
function requirePlaceholders({ viewKey, spendKey }: Account): void {
  const stand = equalBytes(viewKey, DEVICE_VIEW_KEY) && equalBytes(spendKey, DEVICE_SPEND_KEY);
  if (!stand) throw new Wallet2Error('keys-do-not-match', 'expected no keys in the file of a wallet on a device');
}

function accountOf(data: Uint8Array): Account {
  const root = decodePortableStorage(data);
  const keys: StorageObject = root.getObject('m_keys');
  const address = keys.getObject('m_account_address');
  const nonce = keys.getBytes('m_encryption_iv', new Uint8Array(8));
  if (nonce.length !== 8) throw new ProtocolError('bad-length', 'expected a nonce of 8 bytes');
  return {
    spendKey: keys.getFixedBytes('m_spend_secret_key', 32).slice(),
    viewKey: keys.getFixedBytes('m_view_secret_key', 32).slice(),
    keyShares: split(keys.getBytes('m_multisig_keys', new Uint8Array())),
    account: {
      spendKey: address.getFixedBytes('m_spend_public_key', 32),
      viewKey: address.getFixedBytes('m_view_public_key', 32),
    },
    nonce,
    createdAt: root.getNumber('m_creation_timestamp', 0),
  };
}

/** Keys of 32 bytes, one after the other. @throws ProtocolError `bad-length` */
function split(bytes: Uint8Array): Uint8Array[] {
  if (bytes.length % 32 !== 0) throw new ProtocolError('bad-length', 'expected keys of 32 bytes each');
  return Array.from({ length: bytes.length / 32 }, (_, i) => bytes.slice(32 * i, 32 * (i + 1)));
}

function check(keys: KeysFile): KeysFile {
  const pairs: readonly (readonly [Uint8Array | undefined, Uint8Array])[] = [
    [keys.viewKey, keys.account.viewKey],
    // A signer's secret does not belong to the group's public key.
    [keys.multisig === undefined ? keys.spendKey : undefined, keys.account.spendKey],
  ];
  for (const [secret, expected] of pairs) {
    const made = secret === undefined ? expected : secretKeyToPublicKey(secret);
    if (made === undefined || !equalBytes(made, expected)) {
      throw new Wallet2Error('keys-do-not-match', 'expected secret keys that belong to the address in the file');
    }
  }
  return keys;
}
