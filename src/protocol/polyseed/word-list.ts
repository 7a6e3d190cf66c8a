import { ProtocolError } from '../errors.ts';
import { completions } from '../word-lists.ts';

/** Words of one language, as stored in `languages/`. */
export interface PolyseedWordListData {
  /** Name of the language in the language itself. */
  readonly name: string;
  readonly englishName: string;
  /** Placed between the words of a displayed seed. */
  readonly separator: string;
  /** Whether a word's first four letters identify it. */
  readonly byPrefix: boolean;
  /** Whether the list has accents, which may be omitted in a typed seed. */
  readonly accents: boolean;
  /** 2,048 words, separated by spaces. */
  readonly words: string;
}

const WORDS = 2048;
const PREFIX_LETTERS = 4;

/** Letters without combining marks. */
const bare = (word: string) => word.normalize('NFKD').replace(/\p{M}/gu, '');
const composed = (word: string) => word.normalize('NFKC');

/** One of the ten lists of Polyseed, prepared for lookup. Case is ignored: phones begin a line with a capital. */
export class PolyseedWordList {
  readonly name: string;
  readonly englishName: string;
  readonly separator: string;
  readonly words: readonly string[];
  readonly #byPrefix: boolean;
  readonly #plain: (word: string) => string;
  readonly #indices: ReadonlyMap<string, number>;

  /** @throws ProtocolError `bad-structure` when there are not 2,048 words */
  constructor(data: PolyseedWordListData) {
    this.name = data.name;
    this.englishName = data.englishName;
    this.separator = data.separator;
    this.words = data.words.split(' ');
    if (this.words.length !== WORDS)
      throw new ProtocolError('bad-structure', `expected ${WORDS} words in the ${data.englishName} list`);
    this.#byPrefix = data.byPrefix;
    const fold = data.accents ? bare : composed;
    this.#plain = (word) => fold(word).toLowerCase();
    this.#indices = new Map(this.words.map((word, index) => [this.#key(this.#plain(word)), index]));
  }

  /** Index of a typed word: whole, or at least its first four letters where the language allows that. */
  find(typed: string): number | undefined {
    const plain = this.#plain(typed);
    const index = this.#indices.get(this.#key(plain));
    if (index === undefined) return undefined;
    const whole = this.#plain(this.words[index]!);
    const longEnough = this.#byPrefix && [...plain].length >= PREFIX_LETTERS;
    return plain === whole || (longEnough && whole.startsWith(plain)) ? index : undefined;
  }

  /** Words that start with what has been typed, for completion; at most `limit`, in the order of the list. */
  complete(start: string, limit = 8): string[] {
    return completions(this.words, start, this.#plain, limit);
  }

  #key(plain: string): string {
    return this.#byPrefix ? [...plain].slice(0, PREFIX_LETTERS).join('') : plain;
  }
}
