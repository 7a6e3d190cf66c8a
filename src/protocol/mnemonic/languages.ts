import { type Loaders, loadOnce } from '../word-lists.ts';
import english from './languages/english.json' with { type: 'json' };
import { WordList, type WordListData } from './word-list.ts';

/** English is part of the program; the other lists are loaded on demand. */
export const ENGLISH = new WordList(english);

/** In the order in which the reference tries them when it restores a seed (electrum-words.cpp). */
const LOADERS: Loaders<WordListData> = {
  'Chinese (simplified)': () => import('./languages/chinese-simplified.json', { with: { type: 'json' } }),
  English: async () => ({ default: english }),
  Dutch: () => import('./languages/dutch.json', { with: { type: 'json' } }),
  French: () => import('./languages/french.json', { with: { type: 'json' } }),
  Spanish: () => import('./languages/spanish.json', { with: { type: 'json' } }),
  German: () => import('./languages/german.json', { with: { type: 'json' } }),
  Italian: () => import('./languages/italian.json', { with: { type: 'json' } }),
  Portuguese: () => import('./languages/portuguese.json', { with: { type: 'json' } }),
  Japanese: () => import('./languages/japanese.json', { with: { type: 'json' } }),
  Russian: () => import('./languages/russian.json', { with: { type: 'json' } }),
  Esperanto: () => import('./languages/esperanto.json', { with: { type: 'json' } }),
  Lojban: () => import('./languages/lojban.json', { with: { type: 'json' } }),
  'English (old)': () => import('./languages/english-old.json', { with: { type: 'json' } }),
};

const READ_ONLY = 'English (old)';

/** English names of the languages that a seed can be shown in. One more, an old English list, is only read. */
export const SEED_LANGUAGES: readonly string[] = Object.keys(LOADERS).filter((name) => name !== READ_ONLY);

/** The list of a language by its English name. @throws ProtocolError `unknown-language` */
export const loadWordList = loadOnce(LOADERS, (data) => (data === english ? ENGLISH : new WordList(data)));

/** All lists, for a seed whose language is not known. */
export function loadAllWordLists(): Promise<WordList[]> {
  return Promise.all(Object.keys(LOADERS).map(loadWordList));
}
