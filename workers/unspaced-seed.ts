import type { PolyseedWordList, WordList } from '../src/protocol/index.ts';

/** Seed words in Chinese or Japanese that are written without spaces, as these languages are. */

/** Chinese words of a seed are one character each. Their numbers in seeds with a checksum. */
const CHINESE: readonly number[] = [16, 25];
/** Japanese words in a row that tell a seed from other text. */
const IN_A_ROW = 12;

/** Facts of the lists that are looked at. */
interface Reading {
  /** Whether words, separated by spaces, are a whole seed whose checksum holds. */
  isSeed(words: string): boolean;
  readonly lists: readonly (WordList | PolyseedWordList)[];
}

/**
 * Whether a text holds a seed in Chinese or Japanese without spaces. Nearly all characters of Chinese text are in the lists: only as many as a
 * seed has, between other signs or in groups of the same length, are taken for one, and only if the checksum holds.
 * @param runs letters of the text that are together, in their order
 */
export function hasUnspacedSeed(runs: readonly string[], { isSeed, lists }: Reading): boolean {
  if (chineseIn(runs).some((letters) => isSeed(letters.join(' ')))) return true;
  const kana = runs.flatMap((run) => run.match(/[\p{sc=Hiragana}ー]+/gu) ?? []).join('');
  return kana !== '' && lists.filter(isJapanese).some((list) => longestRow(kana.normalize('NFKC'), list) >= IN_A_ROW);
}

/** What has as many characters as a seed: one run, or some of equal length. */
function chineseIn(runs: readonly string[]): string[][] {
  const split = runs.map((run) => (/^\p{sc=Han}+$/u.test(run) ? [...run] : []));
  return split.flatMap((first, at) => {
    const equal = CHINESE.filter((count) => first.length > 1 && count % first.length === 0).map((count) => {
      const together = split.slice(at, at + count / first.length);
      return together.every(({ length }) => length === first.length) ? together.flat() : [];
    });
    return equal.filter(({ length }) => CHINESE.includes(length));
  });
}

const isJapanese = (list: WordList | PolyseedWordList): boolean => list.englishName === 'Japanese';

/** Most words of the list that follow each other in a text, nothing between them. */
function longestRow(text: string, { words: listed }: Pick<WordList, 'words'>): number {
  const words = new Set(listed.map((word) => word.normalize('NFKC')));
  const longest = Math.max(...listed.map(({ length }) => length));
  /** Words in a row that end before each letter; 0 where none ends. */
  const rows = new Uint32Array(text.length + 1);
  for (let end = 1; end <= text.length; end += 1)
    for (let start = Math.max(0, end - longest); start < end; start += 1)
      if (words.has(text.slice(start, end))) rows[end] = Math.max(rows[end]!, rows[start]! + 1);
  return Math.max(...rows);
}
