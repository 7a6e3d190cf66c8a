import { withoutNumbers } from './numbered.ts';

/** Fewest and most words of a seed of any wallet, with some room. */
const FEWEST = 12;
const MOST = 30;
/** Words typed into an address field are not kept from this number on: more may follow. */
const BEGUN = 3;

const wordsIn = (text: string): readonly string[] =>
  withoutNumbers(text)
    .split(/[\s,;]+/u)
    .filter((word) => word !== '');

const isLetters = (word: string): boolean => /^[\p{L}\p{M}]+$/u.test(word);

/** Words that may be a seed, to be looked up in word lists: as many as one has, and nothing else between them. Undefined for other text. */
export function possibleSeed(text: string): string | undefined {
  const words = wordsIn(text);
  return words.length >= FEWEST && words.length <= MOST && words.every(isLetters) ? words.join(' ') : undefined;
}

/** Whether a text holds as many hexadecimal digits as a secret key. Ids of transactions do, too; addresses do not. */
export const holdsKey = (text: string): boolean => /[0-9a-f]{64}/i.test(text);

/** Whether text in an address field may be a secret, or the beginning of one: it is not kept. */
export const mayBeSecret = (text: string): boolean => holdsKey(text) || wordsIn(text).filter(isLetters).length >= BEGUN;
