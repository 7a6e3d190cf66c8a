import common from './common-passwords.json' with { type: 'json' };

const COMMON: ReadonlySet<string> = new Set(common);
/** Signs that people write in place of letters. */
const FOR_LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
/** Rows of signs that a finger or a child runs along. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
];
const RUNS = ROWS.flatMap((row) => [row, [...row].reverse().join('')]);
/** Signs that may stand before or behind a common word: with no more than these the password is still a common one. */
const MOST_ADDED = 6;
/** A number of fewer digits is a date or a telephone's. */
const LEAST_DIGITS = 14;
/** Fewer different signs than this are a pattern. */
const LEAST_DIFFERENT = 5;

/**
 * Whether a password is among the first that anybody would try: a word of the list, however it is dressed up, a row of keys, a
 * number, or a few signs over and over. It does not tell how good another one is.
 */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase();
  if (text.length === 0) return false;
  if (new Set(text).size < LEAST_DIFFERENT) return true;
  if (/^\d+$/.test(text) && text.length < LEAST_DIGITS) return true;
  return [text, lettersOf(text)].some((part) => isKnown(part) || isKnown(onceOf(part)));
}

const isKnown = (text: string): boolean => COMMON.has(inLetters(text)) || COMMON.has(text) || isRun(text);

/** Without what stands before and behind the letters, when that is little. */
function lettersOf(text: string): string {
  const letters = text.replace(/^[^a-z]+/, '').replace(/[^a-z]+$/, '');
  return text.length - letters.length <= MOST_ADDED ? letters : text;
}

const inLetters = (text: string): string => [...text].map((sign) => FOR_LETTERS[sign] ?? sign).join('');

/** A text that repeats a shorter one, as that shorter one. */
const onceOf = (text: string): string => /^(.{3,}?)\1+$/.exec(text)?.[1] ?? text;

const isRun = (text: string): boolean => text.length >= 5 && RUNS.some((run) => run.includes(text));
