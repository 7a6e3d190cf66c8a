import common from './common-passwords.json' with { type: 'json' };

const COMMON: ReadonlySet<string> = new Set(common);
/** Characters that people substitute for letters. */
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
/** Rows of keys, and other common sequences. */
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
/** Number of characters before or after a common word with which the password still counts as common. */
const MOST_ADDED = 6;
/** Numbers with fewer digits are dates or telephone numbers. */
const LEAST_DIGITS = 14;
/** Passwords with fewer different characters are patterns. */
const LEAST_DIFFERENT = 5;

/**
 * Whether a password is among the first guesses of an attacker: a listed word with substitutions or affixes, a row of keys, a number, or a
 * repeated pattern. It does not measure the strength of other passwords.
 */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase();
  if (text.length === 0) return false;
  if (new Set(text).size < LEAST_DIFFERENT) return true;
  if (/^\d+$/.test(text) && text.length < LEAST_DIGITS) return true;
  return [text, lettersOf(text)].some((part) => isKnown(part) || isKnown(onceOf(part)));
}

const isKnown = (text: string): boolean => COMMON.has(inLetters(text)) || COMMON.has(text) || isRun(text);

/** Removes a few characters before and after the letters. */
function lettersOf(text: string): string {
  const letters = text.replace(/^[^a-z]+/, '').replace(/[^a-z]+$/, '');
  return text.length - letters.length <= MOST_ADDED ? letters : text;
}

const inLetters = (text: string): string => [...text].map((sign) => FOR_LETTERS[sign] ?? sign).join('');

/** Reduces a repetition to the repeated part. */
const onceOf = (text: string): string => /^(.{3,}?)\1+$/.exec(text)?.[1] ?? text;

const isRun = (text: string): boolean => text.length >= 5 && RUNS.some((run) => run.includes(text));
