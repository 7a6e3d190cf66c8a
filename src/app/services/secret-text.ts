import { withoutNumbers } from './numbered.ts';

/** Words of the shortest seed of any wallet. */
const FEWEST = 12;
/** Words of a text that are looked at. */
const MOST = 400;
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
  const words = (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter(isLetters);
  return words.length >= FEWEST ? words.slice(0, MOST).join(' ') : undefined;
}

/** Whether a text holds as many hexadecimal digits as a secret key. Ids of transactions do, too; addresses do not. */
export const holdsKey = (text: string): boolean => /[0-9a-f]{64}/i.test(text);

/** Whether text in an address field may be a secret, or the beginning of one: it is not kept. */
export const mayBeSecret = (text: string): boolean => holdsKey(text) || wordsIn(text).filter(isLetters).length >= BEGUN;
