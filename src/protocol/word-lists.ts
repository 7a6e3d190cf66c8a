import { ProtocolError } from './errors.ts';

/** Word list files by the English name of their language, each loaded on demand. */
export type Loaders<Data> = Readonly<Record<string, () => Promise<{ readonly default: Data }>>>;

/** Loads each list once, by the English name of its language. A failed load is retried. @throws ProtocolError `unknown-language` */
export function loadOnce<Data, List>(loaders: Loaders<Data>, make: (data: Data) => List): (name: string) => Promise<List> {
  const loaded = new Map<string, Promise<List>>();
  return (name) => {
    const known = loaded.get(name);
    if (known !== undefined) return known;
    const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined;
    if (load === undefined)
      return Promise.reject(new ProtocolError('unknown-language', 'expected the English name of a seed language'));
    const list = load().then((file) => make(file.default));
    loaded.set(name, list);
    list.catch(() => loaded.delete(name));
    return list;
  };
}

/**
 * Words that start with what has been typed, for completion; at most `limit`, in the order of the list.
 * @param fold normalizes words for the comparison
 */
export function completions(words: readonly string[], start: string, fold: (word: string) => string, limit: number): string[] {
  const typed = fold(start);
  const found: string[] = [];
  for (const word of words) {
    if (found.length >= limit) break;
    if (fold(word).startsWith(typed)) found.push(word);
  }
  return found;
}

/** Indices of a text's words in one list. */
export interface Match<List> {
  readonly list: List;
  readonly indices: readonly number[];
}

/** Index of a word that is not in a list. */
const UNKNOWN = -1;

/**
 * The lists that contain all the words.
 * @throws ProtocolError `unknown-word`, `data.position` from 1, for the list that matches the longest
 */
export function matchesOf<List>(
  words: readonly string[],
  lists: readonly List[],
  find: (list: List, word: string) => number | undefined,
): readonly Match<List>[] {
  const matches = lists.map((list) => ({ list, indices: words.map((word) => find(list, word) ?? UNKNOWN) }));
  const complete = matches.filter(({ indices }) => !indices.includes(UNKNOWN));
  if (complete.length > 0) return complete;
  const position = 1 + Math.max(...matches.map(({ indices }) => indices.indexOf(UNKNOWN)));
  throw new ProtocolError('unknown-word', `expected a word of the list at position ${position}`, { position });
}
