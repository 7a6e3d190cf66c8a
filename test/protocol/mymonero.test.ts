import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../src/base/index.ts';
import { keysFromMyMoneroSeed, loadCrypto, secretKeyToPublicKey } from '../../src/crypto/index.ts';
import {
  encodeAddress,
  loadAllWordLists,
  loadWordList,
  myMoneroSeedToWords,
  SEED_LANGUAGES,
  subaddressOf,
  wordsToMyMoneroSeed,
} from '../../src/protocol/index.ts';

interface Sample {
  readonly words?: string;
  readonly seed: string;
  readonly spendKey: string;
  readonly viewKey: string;
  readonly address: string;
}
const vectors: { readonly cases: readonly Sample[]; readonly bytes: readonly { words: string; seed: string }[] } = JSON.parse(
  readFileSync(new URL('../fixtures/vectors/mymonero.json', import.meta.url), 'utf8'),
);
const code = (code: string) => expect.objectContaining({ code });
const [first, second] = vectors.cases.map(({ words = '' }) => words.split(' ')) as [string[], string[]];

beforeAll(loadCrypto);

it.each(vectors.cases)('the MyMonero seed $seed gives the keys and the address that MyMonero gave', (sample) => {
  const { spendKey, viewKey } = keysFromMyMoneroSeed(hexToBytes(sample.seed));
  expect([bytesToHex(spendKey), bytesToHex(viewKey)]).toEqual([sample.spendKey, sample.viewKey]);
  const source = { viewSecretKey: viewKey, spendPublicKey: secretKeyToPublicKey(spendKey)! };
  const address = encodeAddress({ network: 'mainnet', kind: 'standard', ...subaddressOf(source, { major: 0, minor: 0 }) });
  expect(address).toBe(sample.address);
});

it('thirteen words of MyMonero are read and shown as they were; twelve do, which nothing checks', () => {
  for (const { words, seed } of [...vectors.cases, ...vectors.bytes]) {
    if (words === undefined) continue;
    expect(bytesToHex(wordsToMyMoneroSeed(words).seed)).toBe(seed);
    expect(myMoneroSeedToWords(hexToBytes(seed))).toBe(words);
    const twelve = words.split(' ').slice(0, 12);
    expect(bytesToHex(wordsToMyMoneroSeed(twelve.join(' ')).seed)).toBe(seed);
  }
});

it('every 16 bytes are read back in every language, among all of them', async () => {
  const all = await loadAllWordLists();
  for (const name of SEED_LANGUAGES) {
    const list = await loadWordList(name);
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (seed) => {
        expect(wordsToMyMoneroSeed(myMoneroSeedToWords(seed, list), all).seed).toEqual(seed);
      }),
      { numRuns: 5 },
    );
  }
});

it('words whose first letters are those of another language, too, are read in the one that has them whole', async () => {
  const all = await loadAllWordLists();
  for (const words of [
    'employer facette silo pinte clavier palissade fable obtenir sapin remonter entre adage employer',
    'terrazzo ovest inserire america piastra bagaglio ricambio pitone riserva abbonato cassetta divenire pitone',
    'tostar usurpar rutilar aprumo gustativo acovardar pastoso febril ralo felicidade osculo seara felicidade',
  ]) {
    const { seed, list } = wordsToMyMoneroSeed(words, all);
    expect(myMoneroSeedToWords(seed, list)).toBe(words);
  }
});

it('a word that is wrong, missing or out of place is noticed', () => {
  const swapped = [...first.slice(0, 12), second[0]].join(' ');
  expect(() => wordsToMyMoneroSeed(swapped)).toThrow(code('bad-checksum-word'));
  expect(() => wordsToMyMoneroSeed([...first.slice(0, 5), 'qqqqq', ...first.slice(6)].join(' '))).toThrow(code('unknown-word'));
  for (const count of [11, 14, 24, 25])
    expect(() => wordsToMyMoneroSeed([...first, ...second].slice(0, count).join(' '))).toThrow(code('bad-word-count'));
  expect(() => myMoneroSeedToWords(new Uint8Array(32))).toThrow(code('bad-length'));
  expect(() => keysFromMyMoneroSeed(new Uint8Array(32))).toThrow(code('bad-length'));
});
