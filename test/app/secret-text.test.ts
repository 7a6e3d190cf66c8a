import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import languages from '../../messages/languages.json' with { type: 'json' };
import { holdsKey, mayBeSecret, possibleSeed } from '../../src/app/services/secret-text.ts';
import { loadAllPolyseedWordLists, loadAllWordLists } from '../../src/protocol/index.ts';
import { checkSeed } from '../../workers/seed-check.ts';

const ADDRESS = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';
const TWELVE = 'river often below cactus mango tulip window garden pencil rocket silver orange';

describe('text of a field for something else', () => {
  it('may hold a seed from twelve words on, whatever is between or around them', () => {
    expect(possibleSeed(TWELVE)).toBe(TWELVE);
    expect(possibleSeed(TWELVE.replaceAll(' ', ',\n'))).toBe(TWELVE);
    expect(possibleSeed(TWELVE.replaceAll(/\S+/g, '2. "$&"'))).toBe(TWELVE);
    expect(possibleSeed(`Keep: ${TWELVE}. 2026`)).toBe(`Keep ${TWELVE}`);
    for (const text of ['', TWELVE.slice(6), 'ab'.repeat(32), ADDRESS, `monero:${ADDRESS}?tx_amount=1`])
      expect(possibleSeed(text), text).toBeUndefined();
  });

  it('is not kept as an address from the first few words on, and if it has a key; addresses, requests and names are', () => {
    for (const text of ['river often below', 'ab'.repeat(32)]) expect(mayBeSecret(text), text).toBe(true);
    for (const text of [ADDRESS, ` ${ADDRESS}\n`, `monero:${ADDRESS}?tx_amount=1`, 'ana@example.org', ''])
      expect(mayBeSecret(text), text).toBe(false);
    expect(holdsKey(`${'AB'.repeat(31)}a`)).toBe(false);
  });

  it('T19 holds a seed also if one word is misspelt and others are around it, in any language of seeds; texts of the page do not', async () => {
    const holds = async (text: string) => (await checkSeed(possibleSeed(text) ?? '')).holdsSeed;
    const seedsOf = (words: readonly string[]) => Array.from({ length: 13 }, (_, i) => words[i * 100 + 7]!);
    for (const { englishName, words } of [...(await loadAllPolyseedWordLists()), ...(await loadAllWordLists())]) {
      const seed = seedsOf(words).with(5, 'Mispelld');
      expect(await holds(`Do not lose: ${seed.join(' ')}, 2026!`), englishName).toBe(true);
    }
    expect(await holds('abbe abdu abro absu abys acad ache acid acou acqu acro acti'), 'abbreviated').toBe(true);
    const told: string[] = [];
    for (const { code } of languages) {
      const texts = Object.values(JSON.parse(readFileSync(`messages/${code}.json`, 'utf8')) as Record<string, unknown>);
      const words = texts
        .filter((text) => typeof text === 'string')
        .join(' ')
        .split(' ');
      for (let at = 0; at < words.length; at += 500) {
        const text = words.slice(at, at + 40).join(' ');
        if (await holds(text)) told.push(text);
      }
    }
    expect(told).toEqual([]);
  });
});
