import { concatBytes, stringifyJson, wipe } from '../base/index.ts';
import type { Random } from '../crypto/index.ts';
import { encodePortableStorage, type Network, storage } from '../protocol/index.ts';
import { writeAll } from './archive.ts';
import { chacha20Xor } from './cipher.ts';
import { DEVICE_SPEND_KEY, DEVICE_VIEW_KEY, type KeysFile } from './keys-file.ts';
import { multisigBytes } from './multisig-keys.ts';
import { passwordKey, sealedFile, xorSecrets } from './password.ts';

const { bytes, nested, object, u64 } = storage;

const NONCE = 8;

/** Regtest wallets are marked as mainnet. */
const NETWORK_NUMBERS: Readonly<Record<Network, number>> = { mainnet: 0, testnet: 1, stagenet: 2, regtest: 0 };

/**
 * Writes the `.keys` file of a wallet as the reference writes it (`get_keys_file_data`, wallet2.cpp): what its programs need to open it
 * with this password. Anything else has the reference's defaults.
 * @param keys seed language by its native name; no network means mainnet
 * @param kdfRounds as the reference's `--kdf-rounds`, 1 or more
 */
export async function sealKeysFile(
  keys: KeysFile,
  password: string,
  random: Random,
  kdfRounds = 1,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await passwordKey(password, kdfRounds);
  const account = await accountData(keys, key, random);
  const json = jsonOf(keys, account);
  const nonce = random.bytes(NONCE);
  const file = writeAll(sealedFile, { nonce, data: chacha20Xor({ key, nonce }, json) });
  wipe(key, account, json);
  return file;
}

/** The account in portable storage (account.h), its secret keys encrypted with a separate key. */
async function accountData(
  { viewKey, spendKey, account, createdAt, multisig, device }: KeysFile,
  fileKey: Uint8Array,
  random: Random,
): Promise<Uint8Array> {
  const nonce = random.bytes(NONCE);
  const keyShares = (multisig?.keyShares ?? []).map((share) => share.slice());
  const secrets =
    device === undefined
      ? { viewKey: viewKey.slice(), spendKey: spendKey?.slice() ?? new Uint8Array(32), keyShares, nonce }
      : { viewKey: DEVICE_VIEW_KEY.slice(), spendKey: DEVICE_SPEND_KEY.slice(), keyShares, nonce };
  await xorSecrets(secrets, fileKey);
  const address = object({ m_spend_public_key: bytes(account.spendKey), m_view_public_key: bytes(account.viewKey) });
  const keys = object({
    m_account_address: nested(address),
    m_spend_secret_key: bytes(secrets.spendKey),
    m_view_secret_key: bytes(secrets.viewKey),
    ...(keyShares.length === 0 ? {} : { m_multisig_keys: bytes(concatBytes(...keyShares)) }),
    m_encryption_iv: bytes(nonce),
  });
  return encodePortableStorage(object({ m_keys: nested(keys), m_creation_timestamp: u64(createdAt) }));
}

/**
 * One object. Its first fields contain arbitrary bytes, which a JSON writer for text cannot write; the field after them is read as a number
 * only with a decimal point: without it, readers would mine to pay a daemon.
 */
function jsonOf(keys: KeysFile, account: Uint8Array): Uint8Array {
  const { seedLanguage, restoreHeight, network, lookahead, defaultPriority, multisig, device } = keys;
  const rest = stringifyJson({
    ...(seedLanguage === '' ? {} : { seed_language: seedLanguage }),
    key_on_device: device === undefined ? 0 : 1,
    watch_only: keys.spendKey === undefined && device === undefined ? 1 : 0,
    multisig: multisig === undefined ? 0 : 1,
    multisig_threshold: multisig?.threshold ?? 0,
    ...(multisig === undefined ? {} : { multisig_rounds_passed: multisig.roundsPassed }),
    ...(multisig?.enabled ? { enable_multisig: 1 } : {}),
    default_priority: defaultPriority,
    refresh_height: restoreHeight,
    nettype: NETWORK_NUMBERS[network ?? 'mainnet'],
    ...(lookahead === undefined
      ? {}
      : { subaddress_lookahead_major: lookahead.major, subaddress_lookahead_minor: lookahead.minor }),
    encrypted_secret_keys: 1,
    ...(device === undefined ? {} : { device_name: device, device_derivation_path: '' }),
  });
  const text = new TextEncoder();
  const fields = [['key_data', account] as const, ...(multisig === undefined ? [] : multisigBytes(multisig))];
  return concatBytes(
    text.encode('{'),
    ...fields.flatMap(([name, data]) => [text.encode(`"${name}":"`), escaped(data), text.encode('",')]),
    text.encode(`"auto_mine_for_rpc_payment":-1.0,${rest.slice(1)}`),
  );
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

/** Raw bytes as a JSON string without any text encoding. */
function escaped(data: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (const byte of data) {
    if (byte === QUOTE || byte === BACKSLASH) out.push(BACKSLASH, byte);
    else if (byte >= SPACE) out.push(byte);
    else out.push(...new TextEncoder().encode(`\\u00${byte.toString(16).padStart(2, '0')}`));
  }
  const bytes = Uint8Array.from(out);
  out.fill(0);
  return bytes;
}
