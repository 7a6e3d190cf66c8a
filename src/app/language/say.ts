/** One text, or one for each plural category of its `count` (CLDR's names: `one`, `few`, `other` …). */
export type Text = string | { readonly [category: string]: string };
/** Texts of a language, by key. */
export type Texts = { readonly [key: string]: Text };
/** What the `{name}`s of a text stand for. */
export type Values = { readonly [name: string]: string | number };

/** How a language writes: what a text is filled by. */
export interface Writing {
  /** BCP 47, with the person's region where it is of this language. */
  readonly locale: string;
  readonly rtl: boolean;
}

// Unicode's isolates.
const ISOLATE = '\u2068';
const POP = '\u2069';
/** Letters of scripts that run from right to left. */
const RTL = /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;
/** Old embeddings and overrides: names have no use for them, and they turn around what comes after. */
const OVERRIDES = /[\u202a-\u202e]/g;

const numbers = new Map<string, Intl.NumberFormat>();
const plurals = new Map<string, Intl.PluralRules>();

function kept<T>(made: Map<string, T>, locale: string, make: () => T): T {
  const known = made.get(locale) ?? make();
  made.set(locale, known);
  return known;
}

/** A number as the language writes it; digits are those that amounts have, everywhere. */
export const writeNumber = (value: number, { locale }: Writing): string =>
  kept(numbers, locale, () => new Intl.NumberFormat(locale, { numberingSystem: 'latn' })).format(value);

/** A text filled with its values: numbers as the language writes them, words as they are. */
export function fill(text: Text, values: Values, writing: Writing): string {
  // An amount and its coin's name are one thing.
  return chosen(text, values.count, writing).replace(/\{([a-zA-Z]+)\}( XMR)?/g, (_, name: string, coin = '') => {
    const value = values[name];
    if (typeof value === 'number') return writeNumber(value, writing) + coin;
    return isolate(`${value ?? ''}${coin}`, writing);
  });
}

/** A name or an address that keeps its own order among words that run the other way. */
export function isolate(text: string, { rtl }: Writing): string {
  const plain = text.replace(OVERRIDES, '');
  return rtl || RTL.test(plain) ? ISOLATE + plain + POP : plain;
}

function chosen(text: Text, count: string | number | undefined, { locale }: Writing): string {
  if (typeof text === 'string') return text;
  const category = kept(plurals, locale, () => new Intl.PluralRules(locale)).select(Number(count));
  return text[category] ?? text.other ?? '';
}
