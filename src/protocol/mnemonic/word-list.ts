import { ProtocolError } from '../errors.ts';
import { completions } from '../word-lists.ts';

/** Words of one language, as stored in `languages/`. */
export interface WordListData {
  /** Name of the language in the language itself, which the reference shows and stores. */
  readonly name: string;
  readonly englishName: string;
  /** Number of first letters that distinguish all words of the list. */
  readonly prefixLength: number;
  /** 1,626 words, separated by spaces. */
  readonly words: string;
}

/** Words in every list. Three words hold 32 bits: 1626^3 is just above 2^32 (language_base.h). */
export const WORDS_PER_LIST = 1626;

/** A word list prepared for lookup. Words are compared case-insensitively, in composed Unicode form. */
export class WordList {
  readonly name: string;
  readonly englishName: string;
  readonly prefixLength: number;
  readonly words: readonly string[];
  readonly #byWord = new Map<string, number>();
  readonly #byPrefix = new Map<string, number>();

  /** @throws ProtocolError `bad-structure` when there are not 1,626 words */
  constructor(data: WordListData) {
    this.name = data.name;
    this.englishName = data.englishName;
    this.prefixLength = data.prefixLength;
    this.words = data.words.split(' ');
    if (this.words.length !== WORDS_PER_LIST) {
      throw new ProtocolError('bad-structure', `expected ${WORDS_PER_LIST} words in the ${data.englishName} list`);
    }
    // The old English list has words with the same prefix. The last one counts, as in the reference.
    for (const [index, word] of this.words.entries()) {
      this.#byWord.set(canonical(word), index);
      this.#byPrefix.set(canonical(this.trim(word)), index);
    }
  }

  /** The first letters, as many as distinguish the words. */
  trim(word: string): string {
    return [...word].slice(0, this.prefixLength).join('');
  }

  /** Index of the word that starts with the same letters. */
  findByPrefix(word: string): number | undefined {
    return this.#byPrefix.get(canonical(this.trim(word.normalize('NFC'))));
  }

  /** Index of exactly this word. */
  findExact(word: string): number | undefined {
    return this.#byWord.get(canonical(word));
  }

  samePrefix(a: string, b: string): boolean {
    return canonical(this.trim(a.normalize('NFC'))) === canonical(this.trim(b.normalize('NFC')));
  }

  /**
   * Words that start with what has been typed, for completion while a seed is entered.
   * At most `limit`, in the order of the list.
   */
  complete(start: string, limit = 8): string[] {
    return completions(this.words, start, canonical, limit);
  }
}

function canonical(word: string): string {
  return word.normalize('NFC').toLowerCase();
}
