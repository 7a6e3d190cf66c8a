/// <reference types="svelte" />

declare module 'virtual:texts' {
  import type { Texts } from './language/say.ts';

  interface Part {
    readonly default: Texts;
  }
  /** Texts of the first load, in English. */
  export const BASE: Texts;
  export const LANGUAGES: readonly {
    readonly code: string;
    readonly name: string;
    readonly rtl: boolean;
    /** undefined where it is {@link BASE}. */
    readonly first: (() => Promise<Part>) | undefined;
    readonly rest: () => Promise<Part>;
  }[];
}

/** Keys of the texts that each page of the settings says, by its component's name. */
declare module 'virtual:settings-texts' {
  const keys: Readonly<Record<string, readonly string[] | undefined>>;
  export default keys;
}
