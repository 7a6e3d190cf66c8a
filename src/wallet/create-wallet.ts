import { bytesToHex, hexToBytes, wipe } from '../base/index.ts';
import {
  cnSlowHash,
  keysFromMyMoneroSeed,
  keysFromSeed,
  loadCrypto,
  type Random,
  randomScalar,
  reduce32,
  scalarIsZero,
} from '../crypto/index.ts';
import { decodeAddress } from '../protocol/address.ts';
import { isProtocolError, ProtocolError } from '../protocol/errors.ts';
import type { Height, Network } from '../protocol/index.ts';
import {
  isMyMoneroCount,
  loadAllWordLists,
  loadWordList,
  myMoneroSeedToWords,
  type ReadSeed,
  removeSeedOffset,
  SEED_LANGUAGES,
  seedToWords,
  type WordList,
  wordsToMyMoneroSeed,
  wordsToSeed,
} from '../protocol/mnemonic.ts';
import {
  loadAllPolyseedWordLists,
  loadPolyseed,
  loadPolyseedWordList,
  needsPassphrase,
  newPolyseed,
  POLYSEED_LANGUAGES,
  POLYSEED_WORDS,
  type Polyseed,
  polyseedBirthday,
  polyseedKey,
  polyseedToWords,
  storePolyseed,
  togglePassphrase,
  wordsToPolyseed,
} from '../protocol/polyseed.ts';
import { WalletError } from './errors.ts';
import { primaryAddressOf, WalletKeys } from './keys.ts';
import type { WalletKind } from './model.ts';
import type { WalletEvent } from './state/events.ts';
import type { WalletSecrets } from './wallet-secrets.ts';

/** Where to begin scanning: a height, or a date in unix seconds that the first daemon converts to a height. */
export type RestoreFrom = { readonly height: Height } | { readonly date: number };

/** A wallet to be stored: its journal's header and first record. @internal */
export interface NewWallet {
  readonly secrets: WalletSecrets;
  readonly first: readonly WalletEvent[];
  /** 32 bytes that seal the journal, in place of random ones. */
  readonly key?: Uint8Array | undefined;
}

/** Circumstances of a new wallet. `now` in unix seconds. @internal */
export interface Birth {
  readonly network: Network;
  readonly from: RestoreFrom;
  readonly now: number;
}

/** A {@link Birth} without a start of the scan, which is then derived from the seed. @internal */
export type OpenBirth = Omit<Birth, 'from'> & { readonly from?: RestoreFrom | undefined };

/** Language of seed words when none is named, as in the reference. */
export const DEFAULT_LANGUAGE = 'English';

/** Attribute that stores a date which is yet to be converted to a height. */
export const RESTORE_DATE = 'restore-date';

/** Attribute of a wallet whose seed words have not been confirmed as written down. */
export const SEED_TO_WRITE = 'seed-to-write';

/** Attribute of a wallet whose network is determined by its first daemon: mainnet, or regtest, which has the same addresses. */
export const NETWORK_OPEN = 'network-open';

/** Attribute that stores a date and the height it was converted to: two numbers separated by a space. */
export const RESTORED_FROM = 'restored-from';

/** Seconds before its creation from which a new wallet scans: clocks differ. */
const CREATION_MARGIN = 2 * 60 * 60;

/**
 * A new random wallet; scanned from now on by default.
 * @param language English name of a language that the form has words in
 * @throws CryptoError `no-randomness`, `weak-randomness`; ProtocolError `unknown-language`
 */
export async function newWallet(random: Random, birth: OpenBirth, language = DEFAULT_LANGUAGE): Promise<NewWallet> {
  requireLanguage(language, SEED_LANGUAGES);
  await loadCrypto();
  return fromSeedBytes(randomScalar(random), fresh(birth), language);
}

/** A wallet in a language without words could not show its seed later. */
function requireLanguage(language: string, known: readonly string[]): void {
  if (!known.includes(language))
    throw new ProtocolError('unknown-language', `expected the English name of a seed language: ${known.join(', ')}`);
}

const fresh = ({ network, from, now }: OpenBirth): Birth => ({ network, from: from ?? { date: now - CREATION_MARGIN }, now });

/** Form of a seed: 16 Polyseed words, which include the month, or 25 words, which every Monero program reads. */
export type SeedForm = 'polyseed' | '25-words';

/**
 * A new wallet with a Polyseed. See {@link newWallet}.
 * @param passphrase without which the words open no wallet; empty for none. It is not stored.
 */
export async function newPolyseedWallet(
  random: Random,
  birth: OpenBirth,
  language = DEFAULT_LANGUAGE,
  passphrase = '',
): Promise<NewWallet> {
  requireLanguage(language, POLYSEED_LANGUAGES);
  await loadCrypto();
  const plain = newPolyseed(random, birth.now);
  if (passphrase === '') return fromPolyseed(plain, '', fresh(birth), language);
  const covered = await togglePassphrase(plain, passphrase);
  wipe(plain.secret);
  return fromPolyseed(covered, passphrase, fresh(birth), language);
}

/**
 * A wallet from its words: 25 (24 without checksum), 16 of Polyseed, or 13 (12 without checksum) of an old MyMonero wallet, in any of their
 * languages.
 * @param birth start of the scan; by default the month of a Polyseed, if it is in the past, or the whole chain for other words
 * @param passphrase with which the words were encrypted; empty for none, and for MyMonero's. A wrong one gives another wallet, which cannot
 *   be detected.
 * @throws ProtocolError `bad-word-count`, `unknown-word`, `bad-checksum-word`, `bad-structure`; of a Polyseed also `passphrase-needed`,
 *   `ambiguous-words`, `unsupported-seed`; WalletError `bad-seed`
 */
export async function walletFromWords(words: string, birth: OpenBirth, passphrase = ''): Promise<NewWallet> {
  await loadCrypto();
  const { network, from, now } = birth;
  if (countWords(words) === POLYSEED_WORDS) {
    const { seed, list } = wordsToPolyseed(words, await loadAllPolyseedWordLists());
    const born = polyseedBirthday(seed);
    // A birthday in the future comes from a wrong clock. A scan from the tip would miss every coin, so this begins at block 0.
    const start = from ?? (born > now ? { height: 0 } : { date: born - CREATION_MARGIN });
    return fromPolyseed(seed, passphrase, { network, from: start, now }, list.englishName);
  }
  const undated: Birth = { network, from: from ?? { height: 0 }, now };
  if (isMyMoneroCount(countWords(words))) {
    if (passphrase !== '') throw noPassphrase();
    const { seed, list } = await readWords(words, wordsToMyMoneroSeed);
    return fromMyMoneroSeed(seed, undated, list.englishName);
  }
  const { seed, list } = await readWords(words, wordsToSeed);
  const spendSeed = await withoutOffset(seed, passphrase);
  return fromSeedBytes(spendSeed, undated, list.englishName);
}

/** Number of words in a text. */
export const countWords = (text: string): number => text.split(/\s+/u).filter((word) => word !== '').length;

async function fromPolyseed(seed: Polyseed, passphrase: string, birth: Birth, seedLanguage: string): Promise<NewWallet> {
  let open = seed;
  try {
    if (passphrase !== '') open = await uncovered(seed, passphrase);
    const key = await polyseedKey(open);
    const made = fromSeedBytes(reduce32(key), birth, seedLanguage);
    wipe(key);
    return { ...made, secrets: { ...made.secrets, polyseed: storePolyseed(seed) } };
  } finally {
    wipe(seed.secret, open.secret);
  }
}

/** @throws ProtocolError `bad-structure` if a passphrase is given but not allowed */
async function uncovered(seed: Polyseed, passphrase: string): Promise<Polyseed> {
  if (!needsPassphrase(seed)) throw noPassphrase();
  return togglePassphrase(seed, passphrase);
}

const noPassphrase = (): ProtocolError =>
  new ProtocolError('bad-structure', 'expected no passphrase: no passphrase goes with these words');

/**
 * Decrypts a seed with a passphrase and wipes the given one. Without a passphrase it is returned unchanged.
 * @param seed 32 bytes
 * @param passphrase empty for none
 */
export async function withoutOffset(seed: Uint8Array, passphrase: string): Promise<Uint8Array> {
  if (passphrase === '') return seed;
  const hash = await cnSlowHash(new TextEncoder().encode(passphrase));
  const spendSeed = removeSeedOffset(seed, hash);
  wipe(seed, hash);
  return spendSeed;
}

/** The English list is included; the others are fetched when the words are not English. */
async function readWords(words: string, read: (words: string, lists?: readonly WordList[]) => ReadSeed): Promise<ReadSeed> {
  try {
    return read(words);
  } catch (error) {
    if (!isProtocolError(error, 'unknown-word')) throw error;
    try {
      return read(words, await loadAllWordLists());
    } catch (all) {
      throw isProtocolError(all, 'unknown-word') ? error : all;
    }
  }
}

/**
 * A wallet from the 32 bytes of its seed, which are wiped.
 * @param seedLanguage English name of the language to show the words in
 * @throws WalletError `bad-seed`
 */
export async function walletFromSeed(seed: Uint8Array, birth: Birth, seedLanguage: string): Promise<NewWallet> {
  await loadCrypto();
  return fromSeedBytes(seed, birth, seedLanguage);
}

function fromSeedBytes(seed: Uint8Array, birth: Birth, seedLanguage: string): NewWallet {
  const keys = keysFromSeed(seed);
  wipe(seed);
  return fromSeedKeys({ ...keys, seedLanguage }, birth);
}

/** @param seed 16 bytes, stored in the wallet: no other words can restore it */
function fromMyMoneroSeed(seed: Uint8Array, birth: Birth, seedLanguage: string): NewWallet {
  return fromSeedKeys({ ...keysFromMyMoneroSeed(seed), seedLanguage, myMoneroSeed: seed }, birth);
}

function fromSeedKeys(secrets: WalletSecrets & { readonly spendKey: Uint8Array }, birth: Birth): NewWallet {
  const { spendKey, viewKey } = secrets;
  if (scalarIsZero(spendKey)) throw new WalletError('bad-seed', 'expected a seed that stands for a key other than zero');
  return assemble(secrets, primaryAddressOf(spendKey, viewKey, birth.network), birth);
}

/**
 * A view-only wallet.
 * @param viewKey secret view key, 64 hex digits
 * @throws WalletError `bad-key` when the key does not belong to the address, `bad-address`; ProtocolError for a mistyped address
 */
export async function walletFromViewKey(address: string, viewKey: string, birth: Birth): Promise<NewWallet> {
  await loadCrypto();
  const secrets: WalletSecrets = { spendKey: undefined, viewKey: hexToBytes(viewKey), seedLanguage: DEFAULT_LANGUAGE };
  decodeAddress(address, birth.network);
  return assemble(secrets, address, birth);
}

/**
 * A wallet from its two secret keys, 64 hex digits each.
 * @param viewKey derived from the spend key when undefined, as in every wallet that has words
 * @throws WalletError `bad-key`
 */
export async function walletFromKeys(spendKey: string, viewKey: string | undefined, birth: Birth): Promise<NewWallet> {
  await loadCrypto();
  const spend = hexToBytes(spendKey);
  const view = viewKey === undefined ? keysFromSeed(spend).viewKey : hexToBytes(viewKey);
  const secrets = { spendKey: spend, viewKey: view, seedLanguage: DEFAULT_LANGUAGE };
  return assemble(secrets, primaryAddressOf(spend, view, birth.network), birth);
}

/** The same wallet, whose network is determined by the first daemon that answers. @param made for mainnet */
export function withOpenNetwork(made: NewWallet): NewWallet {
  return { ...made, first: [...made.first, { type: 'AttributeSet', key: NETWORK_OPEN, value: '1' }] };
}

/** The same wallet, marked as one whose words nobody has seen yet. */
export function withSeedToWrite(made: NewWallet): NewWallet {
  return { ...made, first: [...made.first, { type: 'AttributeSet', key: SEED_TO_WRITE, value: '1' }] };
}

/** A wallet with these secrets. @param kind derived from them by default @throws WalletError `bad-key`, `height-out-of-range` */
export function assemble(
  secrets: WalletSecrets,
  primaryAddress: string,
  { network, from, now }: Birth,
  kind: WalletKind = secrets.spendKey === undefined ? 'view' : 'full',
): NewWallet {
  const restoreHeight = 'height' in from ? requireHeight(from.height) : 0;
  const wallet = { kind, network, primaryAddress, restoreHeight, createdAt: now } as const;
  WalletKeys.of(secrets, wallet);
  const first: WalletEvent[] = [{ type: 'Created', wallet }];
  if ('date' in from) first.push({ type: 'AttributeSet', key: RESTORE_DATE, value: String(Math.floor(from.date)) });
  return { secrets, first };
}

function requireHeight(height: Height): Height {
  if (Number.isSafeInteger(height) && height >= 0) return height;
  throw new WalletError('height-out-of-range', 'expected a height of 0 or more');
}

/**
 * The words of a wallet's seed, in the language they were first shown in; 25 words of a Polyseed are English if their form lacks the
 * language.
 * @param form by default the one in which the wallet was made
 * @throws WalletError `view-only`; `bad-seed` when the view key is not derived from the spend key, so that no 25 words give both, and when
 *   there is no Polyseed to show
 */
export async function wordsOf(secrets: WalletSecrets, form?: SeedForm): Promise<string> {
  if (secrets.spendKey === undefined) throw new WalletError('view-only', 'expected a wallet with a spend key');
  if (form === 'polyseed' || (form === undefined && secrets.polyseed !== undefined)) return polyseedWordsOf(secrets);
  if (form === undefined && secrets.myMoneroSeed !== undefined) {
    return myMoneroSeedToWords(secrets.myMoneroSeed, await listFor(secrets.seedLanguage));
  }
  const { viewKey } = keysFromSeed(secrets.spendKey);
  if (bytesToHex(viewKey) !== bytesToHex(secrets.viewKey))
    throw new WalletError('bad-seed', 'expected a view key that follows from the spend key: this wallet was made from keys');
  return seedToWords(secrets.spendKey, await listFor(secrets.seedLanguage));
}

const listFor = (language: string): Promise<WordList> =>
  loadWordList(SEED_LANGUAGES.find((known) => known === language) ?? DEFAULT_LANGUAGE);

async function polyseedWordsOf({ polyseed, seedLanguage }: WalletSecrets): Promise<string> {
  if (polyseed === undefined) throw new WalletError('bad-seed', 'expected a wallet that was made from a Polyseed');
  const seed = loadPolyseed(polyseed);
  const words = polyseedToWords(seed, await loadPolyseedWordList(seedLanguage));
  wipe(seed.secret);
  return words;
}
