import keys from 'virtual:settings-texts';
import { currencyNames } from '../language/formats.ts';
import { language } from '../language/language.svelte.ts';

/** A page of the settings, by what it is called, what its line says and whose texts it holds. */
export interface Findable {
  readonly title: () => string;
  readonly text: () => string;
  /** Name of its component; undefined where its line says all of it. */
  readonly of?: string;
}

/** Words by which people look for a page that does not say them, by its component's name. */
const ALSO: Readonly<Record<string, () => readonly string[]>> = { Money: currencyNames };

/** Scripts whose words stand apart, and carry nothing before them. */
const WORDS_APART = /[\p{sc=Latin}\p{sc=Cyrillic}]/u;

/** Words in small letters, without accents, and narrow where they were typed wide. */
const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether a word begins so, or holds it where words do not stand apart: a few letters are in the middle of too many. */
const begins = (words: readonly string[], part: string): boolean =>
  words.some(WORDS_APART.test(part) ? (word) => word.startsWith(part) : (word) => word.includes(part));

/**
 * The settings that a person may mean: those of that name first, then those whose line says it, then those whose page does, in the language
 * that is shown. Each word is to be found; without a word, none is.
 */
export function findSettings<T extends Findable>(all: readonly T[], query: string): readonly T[] {
  const parts = wordsOf(query);
  if (parts.length === 0) return [];
  const rank = ({ title, text, of }: T): number => {
    const name = wordsOf(title());
    const line = [...name, ...wordsOf(text())];
    const page = [...(keys[of ?? ''] ?? []).map((key) => language.say(key, { count: 2 })), ...(ALSO[of ?? '']?.() ?? [])].flatMap(
      wordsOf,
    );
    if (parts.every((part) => name.some((word) => word.includes(part)))) return 0;
    if (parts.every((part) => begins(line, part))) return 1;
    return parts.every((part) => begins(line, part) || begins(page, part)) ? 2 : 3;
  };
  const ranked = all.map((setting) => ({ setting, at: rank(setting) })).filter(({ at }) => at < 3);
  return ranked.toSorted((a, b) => a.at - b.at).map(({ setting }) => setting);
}
