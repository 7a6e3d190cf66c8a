import { wipe } from '../src/base/index.ts';
import {
  ENGLISH,
  isMyMoneroCount,
  isProtocolError,
  loadAllPolyseedWordLists,
  loadAllWordLists,
  needsPassphrase,
  POLYSEED_WORDS,
  PolyseedWordList,
  polyseedBirthday,
  type WordList,
  wordsToMyMoneroSeed,
  wordsToPolyseed,
  wordsToSeed,
} from '../src/protocol/index.ts';
import type { PolyseedFacts, SeedCheck } from './host.ts';
import { hasUnspacedSeed } from './unspaced-seed.ts';

/** Word counts of seeds with a checksum word, and of seeds without one. */
const CHECKED: readonly number[] = [13, 25];
const UNCHECKED: readonly number[] = [12, 24];
const COMPLETIONS = 6;
/** Words in a row that tell a seed from other text, of which so many may be misspelt. */
const IN_A_ROW = 12;
const MISSPELT = 1;
/** Letters of an abbreviated word, in lists of most languages. */
const ABBREVIATED = 4;

/** Checks seed words while they are typed, against the word list that contains most of them. */
export async function checkSeed(text: string): Promise<SeedCheck> {
  const words = text
    .normalize('NFC')
    .split(/\s+/u)
    .filter((word) => word !== '');
  const lists = await allLists();
  const { list, unknown } = listOf(words, lists);
  const typed = /\S$/u.test(text) ? words.at(-1) : undefined;
  const completions = typed === undefined ? [] : completionsOf(typed, likely(words.slice(0, -1), lists));
  const facts = unknown.length === 0 ? factsOf(text, words.length, list) : undefined;
  const all = [...lists.short, ...lists.long];
  const holdsSeed =
    isAbbreviated(words, unknown) ||
    all.some((one) => hasSeedOf(one, words)) ||
    hasUnspacedSeed(words, { lists: all, isSeed: (written) => isSeed(written, lists) });
  return { words, unknown, completions, checksum: facts?.checksum, polyseed: facts?.polyseed, holdsSeed };
}

/** Whole words only: a list of 1,626 has a word with the first letters of nearly any other. */
const hasWhole = (list: AnyList, word: string): boolean =>
  (list instanceof PolyseedWordList ? list.find(word) : list.findExact(word)) !== undefined;

/** Whether words are a whole seed of any language, whose checksum holds. */
const isSeed = (text: string, { short, long }: Lists): boolean =>
  holds(() => wipe(wordsToPolyseed(text, short).seed.secret)) || holds(() => wipe(wordsToSeed(text, long).seed));

function hasSeedOf(list: AnyList, words: readonly string[]): boolean {
  const whole = words.map((word) => (hasWhole(list, word) ? 1 : 0));
  let inRow = 0;
  return whole.some((one, at) => {
    inRow += one - (whole[at - IN_A_ROW] ?? 0);
    return inRow >= IN_A_ROW - MISSPELT && at >= IN_A_ROW - 1;
  });
}

const isAbbreviated = (words: readonly string[], unknown: readonly number[]): boolean =>
  words.length >= IN_A_ROW && unknown.length === 0 && words.every((word) => [...word].length <= ABBREVIATED);

type AnyList = WordList | PolyseedWordList;

const knows = (list: AnyList, word: string): boolean =>
  (list instanceof PolyseedWordList ? list.find(word) : list.findByPrefix(word)) !== undefined;

const unknownIn = (words: readonly string[], list: AnyList): readonly number[] =>
  words.flatMap((word, position) => (knows(list, word) ? [] : [position]));

export interface Match {
  readonly list: AnyList;
  readonly unknown: readonly number[];
}

interface Lists {
  readonly short: readonly PolyseedWordList[];
  readonly long: readonly WordList[];
}

const allLists = async (): Promise<Lists> => ({
  short: await loadAllPolyseedWordLists(),
  long: [ENGLISH, ...(await loadAllWordLists()).filter((list) => list !== ENGLISH)],
});

/** The list that contains most of the words, and which of them it lacks. */
export const listOfWords = async (words: readonly string[]): Promise<Match> => listOf(words, await allLists());

/**
 * The list that contains most of the words. Among equals, a Polyseed list is preferred for up to sixteen words, except for the word count of a
 * MyMonero seed.
 */
function listOf(words: readonly string[], { short, long }: Lists): Match {
  const shortFirst = words.length <= POLYSEED_WORDS && !isMyMoneroCount(words.length);
  const all = shortFirst ? [...short, ...long] : [...long, ...short];
  const matches = all.map((list): Match => ({ list, unknown: unknownIn(words, list) }));
  return matches.reduce((best, other) => (other.unknown.length < best.unknown.length ? other : best));
}

/** The lists that contain most of the words so far, the two English ones first. */
function likely(words: readonly string[], { short, long }: Lists): readonly AnyList[] {
  const all = [short[0]!, long[0]!, ...short.slice(1), ...long.slice(1)];
  const misses = all.map((list) => unknownIn(words, list).length);
  return all.filter((_, index) => misses[index] === Math.min(...misses));
}

function completionsOf(typed: string, lists: readonly AnyList[]): readonly string[] {
  const found = new Set(lists.flatMap((list) => list.complete(typed, COMPLETIONS)));
  found.delete(typed);
  return [...found].slice(0, COMPLETIONS);
}

function factsOf(text: string, count: number, list: AnyList): Pick<SeedCheck, 'checksum' | 'polyseed'> | undefined {
  if (list instanceof PolyseedWordList) return count === POLYSEED_WORDS ? polyseedOf(text, list) : undefined;
  const read = isMyMoneroCount(count) ? wordsToMyMoneroSeed : wordsToSeed;
  const fits = (): boolean => holds(() => wipe(read(text, [list]).seed));
  if (CHECKED.includes(count)) return { checksum: fits(), polyseed: undefined };
  return UNCHECKED.includes(count) && fits() ? { checksum: 'none', polyseed: undefined } : undefined;
}

function polyseedOf(text: string, list: PolyseedWordList): { checksum: boolean; polyseed: PolyseedFacts | undefined } {
  let polyseed: PolyseedFacts | undefined;
  const checksum = holds(() => {
    const { seed } = wordsToPolyseed(text, [list]);
    polyseed = { birthday: polyseedBirthday(seed), hidden: needsPassphrase(seed) };
    wipe(seed.secret);
  });
  return { checksum, polyseed };
}

function holds(read: () => void): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (isProtocolError(error)) return false;
    throw error;
  }
}
