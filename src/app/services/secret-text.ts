import { withoutNumbers } from './numbered.ts';

/** Words of the shortest seed of any wallet. */
const FEWEST = 12;
/** Words of a text that are looked at. */
const MOST = 400;
const MOST_LETTERS = 6000;
/** Words typed into an address field are not kept from this number on: more may follow. */
const BEGUN = 3;

const wordsIn = (text: string): readonly string[] =>
  withoutNumbers(text)
    .split(/[\s,;]+/u)
    .filter((word) => word !== '');

const isLetters = (word: string): boolean => /^[\p{L}\p{M}]+$/u.test(word);

/**
 * The words of a text, if they are enough for a seed, to be looked up in word lists; undefined if not. Other signs part words; letters among
 * digits, as in an address, are none.
 */
export function possibleSeed(text: string): string | undefined {
  const words = (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter(isLetters).slice(0, MOST);
  const most = words.reduce((sum, word) => sum + mostWordsIn(word), 0);
  return most >= FEWEST ? words.join(' ').slice(0, MOST_LETTERS) : undefined;
}

/** How many words of a seed may be written without spaces: Chinese ones have one character each, Japanese ones three or more. */
function mostWordsIn(letters: string): number {
  const count = (of: RegExp): number => letters.match(of)?.length ?? 0;
  return Math.max(1, count(/\p{sc=Han}/gu), Math.floor(count(/[\p{sc=Hiragana}ー]/gu) / 3));
}

/** Whether a text holds as many hexadecimal digits as a secret key. Ids of transactions do, too; addresses do not. */
export const holdsKey = (text: string): boolean => /[0-9a-f]{64}/i.test(text);

/** Whether text in an address field may be a secret, or the beginning of one: it is not kept. */
export const mayBeSecret = (text: string): boolean =>
  holdsKey(text) || wordsIn(text).filter(isLetters).length >= BEGUN || possibleSeed(text) !== undefined;
