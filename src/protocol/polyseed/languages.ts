import { type Loaders, loadOnce } from '../word-lists.ts';
import { PolyseedWordList, type PolyseedWordListData } from './word-list.ts';

/** In the reference library's order. */
const LOADERS: Loaders<PolyseedWordListData> = {
  English: () => import('./languages/english.json', { with: { type: 'json' } }),
  Japanese: () => import('./languages/japanese.json', { with: { type: 'json' } }),
  Korean: () => import('./languages/korean.json', { with: { type: 'json' } }),
  Spanish: () => import('./languages/spanish.json', { with: { type: 'json' } }),
  French: () => import('./languages/french.json', { with: { type: 'json' } }),
  Italian: () => import('./languages/italian.json', { with: { type: 'json' } }),
  Czech: () => import('./languages/czech.json', { with: { type: 'json' } }),
  Portuguese: () => import('./languages/portuguese.json', { with: { type: 'json' } }),
  'Chinese (Simplified)': () => import('./languages/chinese-simplified.json', { with: { type: 'json' } }),
  'Chinese (Traditional)': () => import('./languages/chinese-traditional.json', { with: { type: 'json' } }),
};

/** English names of the languages of Polyseed. */
export const POLYSEED_LANGUAGES: readonly string[] = Object.keys(LOADERS);

/** The list of a language by its English name, loaded on demand. @throws ProtocolError `unknown-language` */
export const loadPolyseedWordList = loadOnce(LOADERS, (data) => new PolyseedWordList(data));

/** All ten, for a seed whose language is not known. */
export function loadAllPolyseedWordLists(): Promise<PolyseedWordList[]> {
  return Promise.all(POLYSEED_LANGUAGES.map(loadPolyseedWordList));
}
