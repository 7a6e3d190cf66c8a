import { pbkdf2Async } from '@noble/hashes/pbkdf2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { asciiToBytes, concatBytes, equalBytes, padBytes, u32ToBytes, wipe } from '../base/index.ts';
import type { Random } from '../crypto/index.ts';
import { ProtocolError } from './errors.ts';
import { evaluateAtTwo } from './polyseed/checksum.ts';
import type { PolyseedWordList } from './polyseed/word-list.ts';
import { type Match, matchesOf } from './word-lists.ts';

export { loadAllPolyseedWordLists, loadPolyseedWordList, POLYSEED_LANGUAGES } from './polyseed/languages.ts';
export { PolyseedWordList } from './polyseed/word-list.ts';

/** Seeds of 16 words that hold 150 random bits, the month they were made in and a checksum (tevador/polyseed, Monero's coin 0). */

export interface Polyseed {
  /** 19 bytes; only the lower six bits of the last one are used. A secret: wipe it after use. */
  readonly secret: Uint8Array;
  /** Steps of {@link BIRTHDAY_STEP} since {@link BIRTHDAY_EPOCH}, 0 to 1,023. */
  readonly birthday: number;
  /** Five bits; the highest means that the secret is encrypted with a passphrase. */
  readonly features: number;
}

/** Words of a Polyseed, 11 bits each: 150 bits of secret, 10 of birthday, 5 of features, 11 of checksum. */
export const POLYSEED_WORDS = 16;

const SECRET_BYTES = 19;
const LAST_BYTE = 0x3f;
const DATA_WORDS = POLYSEED_WORDS - 1;
const BITS_A_WORD = 10;
const SECRET_BITS = BITS_A_WORD * DATA_WORDS;
const BIRTHDAY_BITS = 10;
const FEATURES = 1 << (DATA_WORDS - BIRTHDAY_BITS);
const ENCRYPTED = 0x10;

/** Unix seconds: 1 November 2021, 12:00 UTC. */
const BIRTHDAY_EPOCH = 1_635_768_000;
/** Seconds: a twelfth of a year. */
const BIRTHDAY_STEP = 2_629_746;
const BIRTHDAYS = 1 << BIRTHDAY_BITS;

/** Makes a new seed. @param now unix seconds */
export function newPolyseed(random: Random, now: number): Polyseed {
  const secret = random.bytes(SECRET_BYTES);
  secret[SECRET_BYTES - 1]! &= LAST_BYTE;
  const steps = Math.max(0, Math.floor((now - BIRTHDAY_EPOCH) / BIRTHDAY_STEP));
  return { secret, birthday: steps % BIRTHDAYS, features: 0 };
}

/** Unix seconds at the start of the step in which the seed was made; the seed is not older. */
export const polyseedBirthday = ({ birthday }: Polyseed): number => BIRTHDAY_EPOCH + birthday * BIRTHDAY_STEP;

/** Whether {@link togglePassphrase} must be called before the seed gives a key. */
export const needsPassphrase = ({ features }: Polyseed): boolean => (features & ENCRYPTED) !== 0;

/** The words of a seed, with its language's separator. */
export function polyseedToWords(seed: Polyseed, list: PolyseedWordList): string {
  const data = dataOf(seed);
  const indices = [evaluateAtTwo([0, ...data]), ...data];
  return indices.map((index) => list.words[index]!).join(list.separator);
}

/** A decoded seed, and its word list. */
export interface ReadPolyseed {
  readonly seed: Polyseed;
  readonly list: PolyseedWordList;
}

/**
 * Reads 16 words; in languages that allow it, the first four letters are enough. Messages name a word's position, never the word.
 * @throws ProtocolError `bad-word-count`, `unknown-word` (`data.position` from 1), `bad-checksum-word`, `ambiguous-words` for words that
 * are valid in two languages and stand for different seeds, `unsupported-seed` for features that are not defined yet
 */
export function wordsToPolyseed(text: string, lists: readonly PolyseedWordList[]): ReadPolyseed {
  const words = text.split(/\s+/u).filter((word) => word !== '');
  if (words.length !== POLYSEED_WORDS) {
    throw new ProtocolError('bad-word-count', `expected a seed of ${POLYSEED_WORDS} words, got ${words.length}`, {
      words: words.length,
    });
  }
  const matches = matchesOf(words, lists, (list, word) => list.find(word));
  return theOne(matches.filter(({ indices }) => evaluateAtTwo(indices) === 0));
}

/** The Chinese lists share many words, each at the same position: such a seed is the same in both. */
function theOne(valid: readonly Match<PolyseedWordList>[]): ReadPolyseed {
  const [first, ...others] = valid;
  if (first === undefined)
    throw new ProtocolError('bad-checksum-word', 'expected words whose checksum holds: some word is wrong or out of place');
  if (others.some(({ indices }) => indices.some((index, at) => index !== first.indices[at])))
    throw new ProtocolError('ambiguous-words', 'expected words of one language: these stand for different seeds in two');
  const seed = fromData(first.indices.slice(1));
  if ((seed.features & ~ENCRYPTED) !== 0) {
    wipe(seed.secret);
    throw new ProtocolError('unsupported-seed', 'expected a seed without features that this program does not know');
  }
  return { seed, list: first.list };
}

/** Bits of the number, the highest first. */
const bitsOf = (value: number, count: number) => Array.from({ length: count }, (_, at) => (value >>> (count - 1 - at)) & 1);
const numberOf = (bits: readonly number[]) => bits.reduce((value, bit) => 2 * value + bit, 0);

/** Features and birthday; each data word ends with one bit of them. */
const extraOf = ({ features, birthday }: Pick<Polyseed, 'features' | 'birthday'>) => (features << BIRTHDAY_BITS) | birthday;

const isWhole = (at: number) => at < SECRET_BYTES - 1;

function dataOf(seed: Polyseed): number[] {
  const secret = [...seed.secret].flatMap((byte, at) => bitsOf(byte, isWhole(at) ? 8 : SECRET_BITS % 8));
  const extra = bitsOf(extraOf(seed), DATA_WORDS);
  return extra.map((bit, at) => numberOf([...secret.slice(BITS_A_WORD * at, BITS_A_WORD * (at + 1)), bit]));
}

function fromData(data: readonly number[]): Polyseed {
  const bits = data.flatMap((word) => bitsOf(word >>> 1, BITS_A_WORD));
  const secret = Uint8Array.from({ length: SECRET_BYTES }, (_, at) => numberOf(bits.slice(8 * at, 8 * at + 8)));
  return { secret, ...fromExtra(numberOf(data.map((word) => word & 1))) };
}

const fromExtra = (extra: number) => ({
  features: (extra >>> BIRTHDAY_BITS) & (FEATURES - 1),
  birthday: extra & (BIRTHDAYS - 1),
});

const KDF = { c: 10_000, dkLen: 32 };

/**
 * The 32 bytes that are the secret spend key when reduced by the group order.
 * @throws ProtocolError `passphrase-needed` while the seed is encrypted
 */
export async function polyseedKey(seed: Polyseed): Promise<Uint8Array> {
  if (needsPassphrase(seed)) throw new ProtocolError('passphrase-needed', 'expected the passphrase that goes with these words');
  const password = padBytes(seed.secret, 32);
  const mark = Uint8Array.of(...asciiToBytes('POLYSEED key'), 0x00, 0xff, 0xff, 0xff);
  const salt = concatBytes(mark, new Uint8Array(4), u32ToBytes(seed.birthday), padBytes(u32ToBytes(seed.features), 8));
  const key = await pbkdf2Async(sha256, password, salt, KDF);
  wipe(password);
  return key;
}

/** Encrypts the secret with a passphrase, or decrypts it: applied twice, it changes nothing. A wrong passphrase gives another seed. */
export async function togglePassphrase(seed: Polyseed, passphrase: string): Promise<Polyseed> {
  const password = new TextEncoder().encode(passphrase.normalize('NFKD'));
  const salt = concatBytes(asciiToBytes('POLYSEED mask'), Uint8Array.of(0x00, 0xff, 0xff));
  const mask = await pbkdf2Async(sha256, password, salt, KDF);
  const secret = seed.secret.map((byte, at) => byte ^ mask[at]!);
  secret[SECRET_BYTES - 1]! &= LAST_BYTE;
  wipe(password, mask);
  return { secret, birthday: seed.birthday, features: seed.features ^ ENCRYPTED };
}

const STORED_BYTES = 32;
const STORED_MAGIC = asciiToBytes('POLYSEED');
const STORED_SECRET = 10;
const STORED_LAST = STORED_SECRET + SECRET_BYTES - 1;
const STORED_END = 0xff;
const STORED_CHECK = 0x7000;

/** 32 bytes, as the reference library stores a seed. */
export function storePolyseed(seed: Polyseed): Uint8Array {
  const stored = new Uint8Array(STORED_BYTES);
  const numbers = new DataView(stored.buffer);
  stored.set(STORED_MAGIC);
  numbers.setUint16(8, extraOf(seed), true);
  stored.set(seed.secret, STORED_SECRET);
  stored[STORED_LAST]! &= LAST_BYTE;
  stored[29] = STORED_END;
  numbers.setUint16(30, STORED_CHECK | evaluateAtTwo([0, ...dataOf(seed)]), true);
  return stored;
}

/** @param stored 32 bytes @throws ProtocolError `bad-structure` */
export function loadPolyseed(stored: Uint8Array): Polyseed {
  if (stored.length === STORED_BYTES) {
    const numbers = new DataView(stored.buffer, stored.byteOffset, STORED_BYTES);
    const seed = { secret: stored.slice(STORED_SECRET, STORED_SECRET + SECRET_BYTES), ...fromExtra(numbers.getUint16(8, true)) };
    const anew = storePolyseed(seed);
    const same = equalBytes(anew, stored);
    wipe(anew);
    if (same) return seed;
    wipe(seed.secret);
  }
  throw new ProtocolError('bad-structure', `expected a stored Polyseed of ${STORED_BYTES} bytes`);
}
