import { language } from '../language/language.svelte.ts';
import { m } from '../language/messages.ts';

/**
 * The words for anything that was thrown. They are fetched with those of every other error: a first visit shows none. Where they cannot be
 * fetched, it is that which is said.
 */
export const wordsFor = (error: unknown): Promise<string> =>
  Promise.all([import('../errors.ts'), language.whole()]).then(
    ([{ errorText }]) => errorText(error),
    () => m.err_part(),
  );
