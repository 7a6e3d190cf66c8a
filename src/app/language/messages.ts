import { language } from './language.svelte.ts';
import type { Messages } from './made.d.ts';
import type { Values } from './say.ts';

const sayings = new Map<string, (values?: Values) => string>();

/** Every text of the page, as a function of its values: `m.KEY({ name })`. It is said in the language that is shown. */
export const m: Messages = new Proxy({} as Messages, {
  get: (_, key) => {
    if (typeof key !== 'string') return undefined;
    const saying = sayings.get(key) ?? ((values: Values = {}) => language.say(key, values));
    sayings.set(key, saying);
    return saying;
  },
});
