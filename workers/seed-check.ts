import { wipe } from '../src/base/index.ts';
import { ENGLISH, isProtocolError, loadAllWordLists, type WordList, wordsToSeed } from '../src/protocol/index.ts';
import type { SeedCheck } from './host.ts';

const WORDS = 25;

/** Looks at seed words as they are being written. The list that knows most of them is taken for theirs. */
export async function checkSeed(text: string): Promise<SeedCheck> {
  const words = text
    .normalize('NFC')
    .split(/\s+/u)
    .filter((word) => word !== '');
  let list = ENGLISH;
  let unknown = unknownIn(words, ENGLISH);
  if (unknown.length > 0) {
    for (const other of await loadAllWordLists()) {
      const missing = unknownIn(words, other);
      if (missing.length < unknown.length) [list, unknown] = [other, missing];
    }
  }
  const whole = words.length === WORDS && unknown.length === 0;
  return { count: words.length, unknown, checksum: whole ? fits(text, list) : undefined };
}

function unknownIn(words: readonly string[], list: WordList): readonly number[] {
  return words.flatMap((word, position) => (list.findByPrefix(word) === undefined ? [position] : []));
}

function fits(text: string, list: WordList): boolean {
  try {
    wipe(wordsToSeed(text, [list]).seed);
    return true;
  } catch (error) {
    if (isProtocolError(error)) return false;
    throw error;
  }
}
