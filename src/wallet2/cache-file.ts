import { asciiToBytes, equalBytes, wipe } from '../base/index.ts';
import { sameAddress } from '../protocol/address.ts';
import { readAll } from './archive.ts';
import { decodeCache, type WalletCache } from './cache.ts';
import { chacha8Xor, chacha20Xor } from './cipher.ts';
import { Wallet2Error } from './errors.ts';
import type { KeysFile } from './keys-file.ts';
import { backgroundCacheKey, cacheKey, oldCacheKey, passwordKey, sealedFile } from './password.ts';

/** Start of a boost archive, after a length: caches from before 0.18 are such archives. */
const BOOST = asciiToBytes('serialization::archive');
/** Number of bytes from the start within which it begins. */
const BOOST_WITHIN = 16;

/** No cache is longer, in bytes: an exchange's cache of the whole chain has less than half of it. */
export const MOST_CACHE = 1 << 30;

/**
 * Opens the cache next to a `.keys` file (`load_wallet_cache`, wallet2.cpp): ChaCha20 with a key derived from the password, as written by
 * 0.18 and later. Nothing in the file proves its integrity: what does not parse to its end is refused, and so is another wallet's cache.
 * @param keys contents of the `.keys` file
 * @param kdfRounds as the reference's `--kdf-rounds`
 * @throws Wallet2Error `unsupported-version` for the archives of older releases (`data.form`), `bad-magic` for a file that no key of this
 *   wallet opens, `keys-do-not-match` for another wallet's; ProtocolError for damage
 */
export async function openCacheFile(file: Uint8Array, keys: KeysFile, password: string, kdfRounds = 1): Promise<WalletCache> {
  if (isBoost(file)) throw older('boost archive, in clear');
  const { nonce, data } = readAll(sealedFile, file, 'the cache file');
  const key = await keyOfCache(keys, password, kdfRounds);
  const plain = chacha20Xor({ key, nonce }, data);
  wipe(key);
  try {
    return requireSameAccount(decodeCache(plain), keys);
  } catch (error) {
    if (error instanceof Wallet2Error && error.code === 'bad-magic') await refuseOlder(plain, { nonce, data }, keys, kdfRounds);
    throw error;
  } finally {
    wipe(plain);
  }
}

async function keyOfCache({ background }: KeysFile, password: string, kdfRounds: number): Promise<Uint8Array> {
  if (background?.isCopy && background.key !== undefined) return backgroundCacheKey(background.key);
  const fileKey = await passwordKey(password, kdfRounds);
  const key = cacheKey(fileKey);
  wipe(fileKey);
  return key;
}

/** @throws Wallet2Error `unsupported-version` when it is a cache of an older release */
async function refuseOlder(
  plain: Uint8Array,
  { nonce, data }: { readonly nonce: Uint8Array; readonly data: Uint8Array },
  { viewKey, spendKey }: KeysFile,
  kdfRounds: number,
): Promise<void> {
  if (isBoost(plain)) throw older('boost archive, by password');
  const key = await oldCacheKey(viewKey, spendKey, kdfRounds);
  const start = data.subarray(0, BOOST_WITHIN + BOOST.length);
  const forms = [
    ['boost archive, by secret keys', chacha20Xor],
    ['boost archive, by secret keys, ChaCha8', chacha8Xor],
  ] as const;
  const found = forms.find(([, cipher]) => isBoost(cipher({ key, nonce }, start)));
  wipe(key);
  if (found !== undefined) throw older(found[0]);
}

function older(form: string): Wallet2Error {
  return new Wallet2Error('unsupported-version', `expected the cache of release 0.18 or later, this is a ${form}`, { form });
}

function isBoost(bytes: Uint8Array): boolean {
  for (let at = 0; at <= BOOST_WITHIN; at++) if (equalBytes(bytes.subarray(at, at + BOOST.length), BOOST)) return true;
  return false;
}

function requireSameAccount(cache: WalletCache, { account }: KeysFile): WalletCache {
  if (sameAddress(cache.account, account)) return cache;
  throw new Wallet2Error('keys-do-not-match', 'expected the cache of the wallet whose keys lie beside it');
}
