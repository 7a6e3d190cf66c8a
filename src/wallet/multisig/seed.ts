import { bytesToHex, compareBytes, concatBytes, equalBytes, hexToBytes, u32ToBytes, wipe } from '../../base/index.ts';
import { cnSlowHash, type Random, reduce32 } from '../../crypto/index.ts';
import { ByteReader } from '../../protocol/bytes.ts';
import { decryptWithSecret, encryptWithSecret, Wallet2Error } from '../../wallet2/index.ts';
import { isReady, MOST_SIGNERS, type MultisigAccount, setupRounds, sharesOfEach } from './account.ts';
import { requirePublic } from './aggregate.ts';
import { MultisigError } from './errors.ts';
import { requireAccount } from './kex.ts';

/** Bytes of a seed: threshold and number of signers, four keys, our shares, the signers. */
const sizeOf = (signers: number, threshold: number): number => 8 + 32 * (4 + sharesOfEach(signers, threshold) + signers);

/**
 * The seed of a signer, hex: all results of the key exchange (`get_multisig_seed`, wallet2.cpp). It has no form in words.
 * @param passphrase encrypts it; empty for none
 * @throws MultisigError `not-ready`
 */
export async function multisigSeed(account: MultisigAccount, passphrase: string, random: Random): Promise<string> {
  if (!isReady(account)) throw new MultisigError('not-ready', 'expected a group whose key exchange is over');
  const { threshold, signers, baseSecret, groupKey, commonSecret, commonKey, keyShares } = account;
  const counts = [u32ToBytes(threshold), u32ToBytes(signers.length)];
  const plain = concatBytes(...counts, baseSecret, groupKey, commonSecret, commonKey, ...keyShares, ...signers);
  const seed = passphrase === '' ? plain : await withKey(passphrase, (key) => encryptWithSecret(plain, key, random));
  const text = bytesToHex(seed);
  wipe(plain);
  return text;
}

/**
 * The account of a seed.
 * @param seed hex @param passphrase that it was encrypted with; empty for none
 * @throws MultisigError `bad-seed`: also for a wrong passphrase
 */
export async function accountFromSeed(seed: string, passphrase = ''): Promise<MultisigAccount> {
  const bytes = seedBytes(seed);
  const plain = passphrase === '' ? bytes : await decrypted(bytes, passphrase);
  try {
    return readSeed(plain);
  } finally {
    wipe(plain);
  }
}

function seedBytes(seed: string): Uint8Array {
  try {
    return hexToBytes(seed);
  } catch {
    throw new MultisigError('bad-seed', 'expected a seed in hex digits', { hex: false });
  }
}

async function decrypted(bytes: Uint8Array, passphrase: string): Promise<Uint8Array> {
  try {
    return await withKey(passphrase, (key) => decryptWithSecret(bytes, key));
  } catch (error) {
    if (error instanceof Wallet2Error) throw new MultisigError('bad-seed', 'expected the passphrase of this seed');
    throw error;
  }
}

async function withKey<T>(passphrase: string, work: (key: Uint8Array) => Promise<T>): Promise<T> {
  const hash = await cnSlowHash(new TextEncoder().encode(passphrase));
  const key = reduce32(hash);
  try {
    return await work(key);
  } finally {
    wipe(hash, key);
  }
}

function readSeed(plain: Uint8Array): MultisigAccount {
  const reader = new ByteReader(plain);
  const bad = (what: string) => new MultisigError('bad-seed', `expected ${what}`);
  if (plain.length < 32) throw bad('a whole seed');
  const [threshold, count] = [reader.u32(), reader.u32()];
  if (threshold < 1 || count < threshold || count < 2 || count > MOST_SIGNERS) throw bad('the numbers of a group');
  if (plain.length !== sizeOf(count, threshold)) throw bad('as many keys as such a group has');
  const [baseSecret, groupKey, commonSecret, commonKey] = [key(reader), key(reader), key(reader), key(reader)];
  const keyShares = Array.from({ length: sharesOfEach(count, threshold) }, () => key(reader));
  const signers = Array.from({ length: count }, () => key(reader)).sort(compareBytes);
  const account: MultisigAccount = {
    ...{ threshold, signers, baseSecret, keyShares, commonSecret, commonKey, groupKey },
    ...{ roundsComplete: setupRounds(count, threshold), origins: new Map() },
  };
  requireWhole(account);
  return account;
}

const key = (reader: ByteReader): Uint8Array => reader.bytes(32);

/** @throws MultisigError `bad-seed` */
function requireWhole(account: MultisigAccount): void {
  try {
    requireAccount(account);
    const ours = account.keyShares.map(requirePublic);
    // With a threshold of 1 the only share is the group's key.
    if (account.threshold === 1 && !ours.every((share) => equalBytes(share, account.groupKey)))
      throw new MultisigError('bad-account', 'expected a share that makes the key');
  } catch (error) {
    if (error instanceof MultisigError) throw new MultisigError('bad-seed', error.message);
    throw error;
  }
}
