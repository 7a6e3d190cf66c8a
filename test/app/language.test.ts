import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  firstKeys,
  mistakes,
  namesIn,
  readLanguages,
  readTexts,
  shortened,
  shortKeys,
  type Text,
  typesOf,
} from '../../scripts/texts.ts';
import { chooseLanguage } from '../../src/app/language/choose.ts';
import { fill, writeNumber } from '../../src/app/language/say.ts';

const ENGLISH = readTexts('en');
const PAGE = join(import.meta.dirname, '../../src/app');
const sources = readdirSync(PAGE, { recursive: true, encoding: 'utf8' })
  // What the gallery says is said to those who build the page.
  .filter((name) => /(?<!\.d)\.(ts|svelte)$/.test(name) && !name.startsWith('gallery'))
  .map((name) => ({ name, source: readFileSync(join(PAGE, name), 'utf8') }));
const spoken = (text: Text): string => (typeof text === 'string' ? text : Object.values(text).join(' '));

describe('the texts of the page', () => {
  it.each(readLanguages().map(({ code }) => code))(
    '%s has no text that English has not, each with its values and plural forms',
    (code) => {
      expect(mistakes(code, readTexts(code), ENGLISH)).toEqual([]);
    },
  );

  it.each(readLanguages().map(({ code }) => code))(
    '%s says everything (`npm run languages CODE` lists what it lacks)',
    (code) => {
      const own = readTexts(code);
      expect(Object.keys(ENGLISH).filter((key) => own[key] === undefined)).toEqual([]);
    },
  );

  it('mistakes are seen: a text of no use, a value too many, a plural form of another language', () => {
    const base = { days: { one: '{count} day', other: '{count} days' }, hello: 'Hello, {name}' };
    expect(mistakes('de', { hello: 'Hallo', gone: 'weg' }, base)).toHaveLength(2);
    expect(mistakes('de', { days: { one: '{count} Tag', few: '{count} Tage', other: '{count} Tage' } }, base)).toHaveLength(1);
    expect(mistakes('ar', { days: { one: '{count}', other: '{count}' } }, base)[0]).toMatch(/lacks the plural category/);
    expect(mistakes('de', { days: { one: '{count} Tag', other: '{count} Tage' }, hello: 'Hallo, {name}' }, base)).toEqual([]);
  });

  it('each is said somewhere', () => {
    const said = new Set(sources.flatMap(({ source }) => [...source.matchAll(/\bm\.([a-z0-9_]+)/g)].map(([, key]) => key)));
    expect(Object.keys(ENGLISH).filter((key) => !said.has(key))).toEqual([]);
  });

  it('a node is called a node', () => {
    const old = Object.entries(ENGLISH).filter(([, text]) => /daemon/i.test(spoken(text).replace('--daemon-login', '')));
    expect(old).toEqual([]);
  });

  it('come from one door', () => {
    const others = sources.filter(({ source }) => /from '[^']*paraglide/.test(source));
    expect(others.map(({ name }) => name)).toEqual([]);
  });

  it('the first load has what it shows, and not what lies behind it', () => {
    const first = firstKeys();
    for (const key of ['welcome_title', 'err_part', 'update_title']) expect(first.has(key), key).toBe(true);
    for (const key of ['unlock', 'console_title', 'send_review', 'proof_good', 'err_daemon_lies'])
      expect(first.has(key), key).toBe(false);
  });

  it('are built under short names, each its own, wherever they are said', () => {
    const short = shortKeys(Object.keys(ENGLISH));
    expect(new Set(short.values()).size).toBe(short.size);
    expect(Math.max(...[...short.values()].map(({ length }) => length))).toBeLessThan(4);
    for (const { name, source } of sources) {
      const built = shortened(source, short) ?? source;
      const long = [...built.matchAll(/\bm\.([a-z0-9_]{4,})/g)].map(([, key]) => key ?? '');
      expect(
        long.filter((key) => short.has(key)),
        name,
      ).toEqual([]);
    }
  });

  it('are functions of the values they are filled with', () => {
    const types = typesOf({ plain: 'Hello', days: { one: '{count} day', other: '{count} days' }, to: 'To {name}' });
    expect(types).toContain('readonly plain: () => string;');
    expect(types).toContain('readonly days: (values: { readonly count: number }) => string;');
    expect(types).toContain('readonly to: (values: { readonly name: string | number }) => string;');
    expect(namesIn('{a} and {b} and {a}')).toEqual(['a', 'b']);
  });
});

describe('a language', () => {
  const GERMAN = { locale: 'de-DE', rtl: false };
  const ARABIC = { locale: 'ar', rtl: true };

  it('writes numbers in its own way and in the digits of amounts', () => {
    expect(fill('Block {height}', { height: 1_234_567 }, GERMAN)).toBe('Block 1.234.567');
    expect(writeNumber(12, ARABIC)).toBe('12');
  });

  it('chooses the word by what is counted', () => {
    const days = { zero: '0', one: '1', two: '2', few: 'few {count}', many: 'many {count}', other: 'other {count}' };
    expect([0, 1, 2, 3, 11, 100].map((count) => fill(days, { count }, ARABIC))).toEqual([
      '0',
      '1',
      '2',
      'few 3',
      'many 11',
      'other 100',
    ]);
    expect(fill({ one: '{count} Tag', other: '{count} Tage' }, { count: 1 }, GERMAN)).toBe('1 Tag');
  });

  it('keeps a name or an address in its own order among words that run the other way', () => {
    expect(fill('{name}', { name: 'Bob' }, ARABIC)).toBe('\u2068Bob\u2069');
    expect(fill('{name}', { name: 'Bob' }, GERMAN)).toBe('Bob');
    expect(fill('{name}: 2', { name: 'مريم' }, GERMAN)).toBe('\u2068مريم\u2069: 2');
    expect(fill('{name}: 1.5', { name: '\u202eBob' }, GERMAN), 'a name that turns all around').toBe('Bob: 1.5');
    expect(fill('{amount} XMR', { amount: '1.5' }, ARABIC), 'an amount with its coin').toBe('\u20681.5 XMR\u2069');
    expect(fill('{amount} XMR', { amount: '1.5' }, GERMAN)).toBe('1.5 XMR');
  });

  it('is the first of the person’s that there is', () => {
    const offered = ['en', 'de', 'ar', 'pt-BR', 'zh-Hans'];
    expect(chooseLanguage(['de-AT', 'en'], offered)).toBe('de');
    expect(chooseLanguage(['fr', 'ar-EG'], offered)).toBe('ar');
    expect(chooseLanguage(['EN-gb'], offered)).toBe('en');
    expect(chooseLanguage(['de-Cyrl', 'en'], offered), 'written in letters that its readers do not read').toBe('en');
    expect(chooseLanguage(['pt'], offered)).toBe('pt-BR');
    expect(chooseLanguage(['zh-CN'], offered)).toBe('zh-Hans');
    expect(chooseLanguage(['zh-TW', 'fi'], offered)).toBe('en');
    expect(chooseLanguage(['not a tag', ''], offered)).toBe('en');
    expect(chooseLanguage([], offered)).toBe('en');
  });
});
