import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';

/**
 * The page's texts, for the build: `messages/LANGUAGE.json` becomes modules that are loaded one language at a time, in two parts each
 * (`docs/adr/0009-one-language-at-a-time.md`). Texts missing in a language are filled in from English.
 */

/** One text, or one per plural category of its `count` (CLDR's names: `one`, `few`, `other` …). */
export type Text = string | { readonly [category: string]: string };
export type Texts = { readonly [key: string]: Text };

export interface Language {
  /** BCP 47. */
  readonly code: string;
  /** Its name in the language itself. */
  readonly name: string;
  /** Whether it is written from right to left. */
  readonly rtl?: boolean;
}

const ROOT = resolve(import.meta.dirname, '..');
const MESSAGES = join(ROOT, 'messages');
const ENTRY = join(ROOT, 'src/app/main.ts');
const PAGE = join(ROOT, 'src/app/');
const TYPES = join(ROOT, 'src/app/language/made.d.ts');
const BASE = 'en';
const ID = 'virtual:texts';
const SETTINGS = join(ROOT, 'src/app/components/settings');
const SETTINGS_ID = 'virtual:settings-texts';

const readJson = <T>(file: string): T => JSON.parse(readFileSync(join(MESSAGES, file), 'utf8')) as T;

/** Every available language, English first. */
export const readLanguages = (): readonly Language[] => readJson<readonly Language[]>('languages.json');
export const readTexts = (code: string): Texts => readJson<Texts>(`${code}.json`);

/** Names of a text's placeholders, each once. */
export const namesIn = (text: Text): readonly string[] => {
  const whole = typeof text === 'string' ? text : Object.values(text).join('');
  return [...new Set([...whole.matchAll(/\{([a-zA-Z]+)\}/g)].map(([, name]) => name as string))];
};

/** TypeScript types of the texts: one function each, with the placeholders of the English text. */
export function typesOf(texts: Texts): string {
  const lines = Object.entries(texts).map(([key, text]) => {
    const fields = namesIn(text).map((name) => `readonly ${name}: ${valueType(name)}`);
    return `  readonly ${key}: (${fields.length > 0 ? `values: { ${fields.join('; ')} }` : ''}) => string;`;
  });
  return `// Written by scripts/texts.ts from messages/${BASE}.json.\nexport interface Messages {\n${lines.join('\n')}\n}\n`;
}

/** A count is a number, since a language may have several plural forms. */
const valueType = (name: string): string => (name === 'count' ? 'number' : 'string | number');

const IMPORT = /^\s*(?:import|export)\s(?!type\s)[^;]*?from\s+'(\.[^']+)'|^\s*import\s+'(\.[^']+)'/gm;

/** Keys that the first load can show: those used by the entry and its static imports. @param within a folder: files elsewhere are left out */
export function firstKeys(entry: string = ENTRY, within: string = ROOT): ReadonlySet<string> {
  const keys = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || !file.startsWith(within) || !/\.(ts|svelte)$/.test(file) || !existsSync(file)) return;
    seen.add(file);
    const source = readFileSync(file, 'utf8');
    for (const [, key] of source.matchAll(/\bm\.([a-z0-9_]+)/g)) keys.add(key as string);
    for (const [, from, bare] of source.matchAll(IMPORT)) visit(resolve(dirname(file), (from ?? bare) as string));
  };
  visit(entry);
  return keys;
}

/** Keys used by each page of the settings, by its component's name, for the search. */
export const settingsKeys = (): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    readdirSync(SETTINGS, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.svelte'))
      .toSorted()
      .map((file) => [basename(file, '.svelte'), [...firstKeys(join(SETTINGS, file), SETTINGS)]]),
  );

/** Mistakes in a language's texts, described for their author. A missing text is not a mistake: English is used. */
export function mistakes(code: string, own: Texts, base: Texts): readonly string[] {
  const categories = new Set(new Intl.PluralRules(code).resolvedOptions().pluralCategories as readonly string[]);
  return Object.entries(own).flatMap(([key, text]) => {
    const english = base[key];
    if (english === undefined) return [`${key}: English has no such text`];
    const [given, needed] = [namesIn(text), namesIn(english)].map((names) => names.toSorted().join(', '));
    const found = given === needed ? [] : [`${key}: is filled with ${given || 'nothing'}, expected ${needed || 'nothing'}`];
    if (typeof text === 'string') return found;
    const has = Object.keys(text);
    const odd = has.filter((category) => !categories.has(category));
    const lacks = [...categories].filter((category) => !has.includes(category));
    if (odd.length > 0) found.push(`${key}: ${code} has no plural category ${odd.join(', ')}`);
    if (lacks.length > 0) found.push(`${key}: lacks the plural category ${lacks.join(', ')}`);
    return found;
  });
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Short names of keys in the build: a letter or a few, so that no visit loads names that only people read. */
export function shortKeys(keys: readonly string[]): ReadonlyMap<string, string> {
  const word = (at: number): string =>
    (at < LETTERS.length ? '' : word(Math.floor(at / LETTERS.length) - 1)) + LETTERS[at % LETTERS.length];
  return new Map(keys.map((key, at) => [key, word(at)]));
}

/** Replaces keys by short ones in a module; undefined for a module without texts. */
export function shortened(code: string, short: ReadonlyMap<string, string>): string | undefined {
  if (!/language\/messages\.ts|'\.\/messages\.ts/.test(code)) return undefined;
  return code.replace(/\bm\.([a-z0-9_]+)/g, (said, key: string) => (short.has(key) ? `m.${short.get(key)}` : said));
}

/** @param whole all English texts at once: for tests, which do not wait for any */
export function texts({ whole = false } = {}): Plugin {
  const base = (): Texts => readTexts(BASE);
  const short = (): ReadonlyMap<string, string> => shortKeys(Object.keys(base()));
  const part = (code: string, first: boolean): Texts => {
    const own = code === BASE ? {} : readTexts(code);
    const early = firstKeys();
    const names = short();
    return Object.fromEntries(
      Object.entries(base())
        .filter(([key]) => early.has(key) === first)
        .map(([key, text]) => [names.get(key), own[key] ?? text]),
    );
  };
  const writeTypes = (): void => {
    const types = typesOf(base());
    if (existsSync(TYPES) && readFileSync(TYPES, 'utf8') === types) return;
    mkdirSync(dirname(TYPES), { recursive: true });
    writeFileSync(TYPES, types);
  };
  const index = (): string => {
    const rows = readLanguages().map(({ code, name, rtl = false }) => {
      const load = (which: string) => `() => import('${ID}/texts-${code}-${which}')`;
      const early = code === BASE ? 'undefined' : load('first');
      return `{ code: '${code}', name: ${JSON.stringify(name)}, rtl: ${rtl}, first: ${early}, rest: ${load('rest')} }`;
    });
    const known = whole ? base() : part(BASE, true);
    return `export const BASE = ${JSON.stringify(known)};\nexport const LANGUAGES = [${rows.join(', ')}];\n`;
  };
  const settings = (): Readonly<Record<string, readonly string[]>> => {
    const names = short();
    const all = Object.entries(settingsKeys());
    return whole ? settingsKeys() : Object.fromEntries(all.map(([of, keys]) => [of, keys.map((key) => names.get(key) ?? key)]));
  };
  return {
    name: 'nightjar-texts',
    enforce: 'pre',
    buildStart: writeTypes,
    transform: (code, id) => (whole || !id.startsWith(PAGE) ? undefined : shortened(code, short())),
    resolveId: (id) => (id === ID || id === SETTINGS_ID || id.startsWith(`${ID}/`) ? `\0${id}` : undefined),
    load: (id) => {
      if (id === `\0${ID}`) return index();
      if (id === `\0${SETTINGS_ID}`) return `export default ${JSON.stringify(settings())};`;
      const [, code, which] = /^\0virtual:texts\/texts-(.+)-(first|rest)$/.exec(id) ?? [];
      // A chunk is named after its module: the service worker distinguishes languages from the program by it.
      return code ? `export default ${JSON.stringify(part(code, which === 'first'))};` : undefined;
    },
    configureServer: (server) => {
      server.watcher.add(MESSAGES);
      server.watcher.on('change', (file) => {
        if (!file.startsWith(MESSAGES)) return;
        writeTypes();
        server.moduleGraph.invalidateAll();
        server.ws.send({ type: 'full-reload' });
      });
    },
  };
}
