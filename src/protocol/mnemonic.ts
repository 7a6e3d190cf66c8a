import { crc32, wipe } from '../base/index.ts';
import { reduce32, scalarSub } from '../crypto/index.ts';
import { ProtocolError } from './errors.ts';
import { ENGLISH } from './mnemonic/languages.ts';
import { WORDS_PER_LIST, type WordList } from './mnemonic/word-list.ts';
import { matchesOf } from './word-lists.ts';

export { ENGLISH, loadAllWordLists, loadWordList, SEED_LANGUAGES } from './mnemonic/languages.ts';
export { WordList } from './mnemonic/word-list.ts';

/**
 * Seeds of 25 words: 24 for 32 bytes and one that repeats another as a checksum (mnemonics/electrum-words.cpp). MyMonero's first seeds are
 * the same at half the length: 12 words for 16 bytes, and a thirteenth where the word list has unique prefixes.
 */

const SEED_BYTES = 32;
const DATA_WORDS = 24;
const MYMONERO_BYTES = 16;
const MYMONERO_DATA_WORDS = 12;

/** The 25 words of a 32-byte secret spend key, separated by spaces. */
export function seedToWords(seed: Uint8Array, list: WordList = ENGLISH): string {
  if (seed.length !== SEED_BYTES)
    throw new ProtocolError('bad-length', `expected a seed of ${SEED_BYTES} bytes, got ${seed.length}`);
  return toWords(seed, list);
}

/** The 13 words of a MyMonero seed of 16 bytes, separated by spaces. */
export function myMoneroSeedToWords(seed: Uint8Array, list: WordList = ENGLISH): string {
  if (seed.length !== MYMONERO_BYTES)
    throw new ProtocolError('bad-length', `expected a seed of ${MYMONERO_BYTES} bytes, got ${seed.length}`);
  return toWords(seed, list);
}

function toWords(seed: Uint8Array, list: WordList): string {
  const view = new DataView(seed.buffer, seed.byteOffset, seed.byteLength);
  const words: string[] = [];
  for (let at = 0; at < seed.length; at += 4) {
    const value = view.getUint32(at, true);
    const first = value % WORDS_PER_LIST;
    const second = (Math.floor(value / WORDS_PER_LIST) + first) % WORDS_PER_LIST;
    const third = (Math.floor(value / WORDS_PER_LIST ** 2) + second) % WORDS_PER_LIST;
    words.push(list.words[first]!, list.words[second]!, list.words[third]!);
  }
  words.push(words[checksumIndex(words, list)]!);
  return words.join(' ');
}

/** Index of the word that a seed repeats at its end. Only the unique prefixes count. */
function checksumIndex(words: readonly string[], list: WordList): number {
  const prefixes = words.map((word) => list.trim(list.words[list.findByPrefix(word)!]!)).join('');
  return crc32(new TextEncoder().encode(prefixes)) % words.length;
}

/** A decoded seed, and its word list. */
export interface ReadSeed {
  /** 32 bytes, 16 for a MyMonero seed. A secret: wipe it after use. */
  readonly seed: Uint8Array;
  readonly list: WordList;
}

/**
 * Reads a seed of 25 words, whose first letters are enough, or of 24 whole words without checksum, as the reference does. If the words fit
 * several languages, the reference takes the first, and this function the one that has them as whole words. Messages name a word's
 * position, never the word.
 * @throws ProtocolError `bad-word-count`, `unknown-word` (`data.position` from 1), `bad-checksum-word`, `bad-structure` for words that
 * encode no bytes
 */
export function wordsToSeed(text: string, lists: readonly WordList[] = [ENGLISH]): ReadSeed {
  return readWords(text, lists, DATA_WORDS);
}

/** Whether this is the number of words that MyMonero's seeds had before they had 25. */
export const isMyMoneroCount = (words: number): boolean => words === MYMONERO_DATA_WORDS || words === MYMONERO_DATA_WORDS + 1;

/**
 * Reads a MyMonero seed: 13 words, whose first letters are enough, or 12 whole words, which have no checksum.
 * @throws as {@link wordsToSeed}
 */
export function wordsToMyMoneroSeed(text: string, lists: readonly WordList[] = [ENGLISH]): ReadSeed {
  return readWords(text, lists, MYMONERO_DATA_WORDS);
}

function readWords(text: string, lists: readonly WordList[], dataWords: number): ReadSeed {
  const words = text
    .normalize('NFC')
    .split(/\s+/u)
    .filter((word) => word !== '');
  if (words.length !== dataWords && words.length !== dataWords + 1) {
    throw new ProtocolError('bad-word-count', `expected a seed of ${dataWords + 1} words, got ${words.length}`, {
      words: words.length,
    });
  }
  const hasChecksum = words.length > dataWords;
  const matches = matchesOf(words, lists, (list, word) => (hasChecksum ? list.findByPrefix(word) : list.findExact(word)));
  const possible = matches.filter(({ list }) => !hasChecksum || checksumHolds(words, list));
  // First letters may fit several languages, with a valid checksum in each: prefer the language that has these as whole words.
  const found = possible.find(({ list }) => words.every((word) => list.findExact(word) !== undefined)) ?? possible[0];
  if (found !== undefined) return { seed: bytesOf(found.indices, dataWords), list: found.list };
  throw new ProtocolError(
    'bad-checksum-word',
    'expected the last word to repeat one of the others: some word is wrong or out of place',
  );
}

function checksumHolds(words: readonly string[], list: WordList): boolean {
  const data = words.slice(0, -1);
  return list.samePrefix(data[checksumIndex(data, list)]!, words.at(-1)!);
}

function bytesOf(indices: readonly number[], dataWords: number): Uint8Array {
  const groups = dataWords / 3;
  const seed = new Uint8Array(4 * groups);
  const view = new DataView(seed.buffer);
  for (let group = 0; group < groups; group++) {
    const [first, second, third] = indices.slice(3 * group, 3 * group + 3) as [number, number, number];
    const step = (from: number, to: number) => (WORDS_PER_LIST - from + to) % WORDS_PER_LIST;
    const value = first + WORDS_PER_LIST * step(first, second) + WORDS_PER_LIST ** 2 * step(second, third);
    if (value > 0xffff_ffff) {
      wipe(seed);
      throw new ProtocolError('bad-structure', `expected the words ${3 * group + 1} to ${3 * group + 3} to stand for four bytes`);
    }
    view.setUint32(4 * group, value, true);
  }
  return seed;
}

/**
 * The secret spend key of a seed with a passphrase (cryptonote_format_utils.cpp, decrypt_key). Any passphrase gives some key; there is no
 * check.
 * @param passphraseHash CryptoNight (variant 0) of the passphrase's UTF-8 bytes, 32 bytes: `await cnSlowHash(…)`
 */
export function removeSeedOffset(seed: Uint8Array, passphraseHash: Uint8Array): Uint8Array {
  return scalarSub(reduce32(seed), reduce32(passphraseHash));
}
