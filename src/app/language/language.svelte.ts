import { BASE, LANGUAGES } from 'virtual:texts';
import { localStore } from '../services/local-store.ts';
import { chooseLanguage } from './choose.ts';
import { fill, type Texts, type Values, type Writing } from './say.ts';

const KEY = 'nightjar.language';
/** As the browser has them, the dearest first; none in tests. */
const WANTED: readonly string[] = globalThis.navigator?.languages ?? [];

/**
 * The language that the page speaks. English's first texts come with the program; whatever else is said is fetched, one language at a time,
 * in two parts: what the first load shows, and the rest.
 */
class Language {
  /** Code of the language that is shown. */
  code = $state('en');
  #texts: Texts = $state.raw(BASE);
  /** The rest is here, or on its way. */
  #rest: Promise<void> | undefined;

  /** All that can be chosen, by their own names. */
  readonly all: readonly { readonly code: string; readonly name: string; readonly rtl: boolean }[] = LANGUAGES;
  /** As the browser would have it. */
  readonly usual = chooseLanguage(
    WANTED,
    LANGUAGES.map(({ code }) => code),
  );

  /** The person's choice; undefined for the browser's. */
  get choice(): string | undefined {
    const kept = localStore.get(KEY);
    return LANGUAGES.some(({ code }) => code === kept) ? kept : undefined;
  }

  get writing(): Writing {
    const regional = WANTED.find((tag) => tag.split('-')[0] === this.code.split('-')[0]);
    return { locale: regional ?? this.code, rtl: this.#entry(this.code).rtl };
  }

  /** Before anything is shown. A language that cannot be fetched leaves the page in English. */
  async start(): Promise<void> {
    await this.#show(this.choice ?? this.usual).catch(() => undefined);
  }

  /** @param code undefined for the browser's @throws where it cannot be fetched; the page then stays as it was */
  async choose(code: string | undefined): Promise<void> {
    await this.#show(code ?? this.usual, true);
    localStore.set(KEY, code);
  }

  /** All texts, not only the first ones. */
  whole(): Promise<void> {
    this.#rest ??= this.#fetchRest().catch((error: unknown) => {
      this.#rest = undefined;
      throw error;
    });
    return this.#rest;
  }

  say(key: string, values: Values): string {
    const text = this.#texts[key];
    if (text !== undefined) return fill(text, values, this.writing);
    // The part with this text is fetched; when it is here, what shows the text is drawn anew.
    void this.whole().catch(() => undefined);
    return '';
  }

  async #show(code: string, whole = false): Promise<void> {
    const { first, rest, rtl } = this.#entry(code);
    const parts = await Promise.all([first?.(), whole ? rest() : undefined]);
    this.#texts = Object.assign({}, BASE, ...parts.map((part) => part?.default));
    this.#rest = whole ? Promise.resolve() : undefined;
    this.code = code;
    document.documentElement.lang = code;
    document.documentElement.dir = rtl ? 'rtl' : 'ltr';
  }

  async #fetchRest(): Promise<void> {
    const { code } = this;
    const { default: rest } = await this.#entry(code).rest();
    if (this.code === code) this.#texts = { ...this.#texts, ...rest };
  }

  #entry(code: string): (typeof LANGUAGES)[number] {
    const entry = LANGUAGES.find((language) => language.code === code);
    if (!entry) throw new TypeError(`expected a language of the page, not ${code}`);
    return entry;
  }
}

export const language = new Language();
