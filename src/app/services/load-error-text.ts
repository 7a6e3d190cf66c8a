import { language } from '../language/language.svelte.ts';
import { m } from '../language/messages.ts';

/**
 * Text for anything thrown. Loads the module of error texts, which the first page view does not need; if that fails, the text says that a part
 * of the page could not be loaded.
 */
export const loadErrorText = (error: unknown): Promise<string> =>
  Promise.all([import('../errors.ts'), language.whole()]).then(
    ([{ errorText }]) => errorText(error),
    () => m.err_part(),
  );
