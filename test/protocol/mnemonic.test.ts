import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../src/base/index.ts';
import { keysFromSeed, loadCrypto, secretKeyToPublicKey } from '../../src/crypto/index.ts';
import {
  ENGLISH,
  encodeAddress,
  loadAllWordLists,
  loadWordList,
  removeSeedOffset,
  SEED_LANGUAGES,
  seedToWords,
  subaddressOf,
  WordList,
  wordsToSeed,
} from '../../src/protocol/index.ts';
import { fixture } from './support/fixture.ts';

const code = (code: string) => expect.objectContaining({ code });
const seedBytes = fc.uint8Array({ minLength: 32, maxLength: 32 });

function addressOf(seed: Uint8Array): string {
  const { spendKey, viewKey } = keysFromSeed(seed);
  const source = { viewSecretKey: viewKey, spendPublicKey: secretKeyToPublicKey(spendKey)! };
  return encodeAddress({ network: 'mainnet', kind: 'standard', ...subaddressOf(source, { major: 0, minor: 0 }) });
}

beforeAll(loadCrypto);

describe('seeds of 25 words', () => {
  it('the reference wallet’s seed is read and shown as it shows it', () => {
    const { seed, list } = wordsToSeed(fixture.seed);
    expect(list).toBe(ENGLISH);
    expect(bytesToHex(keysFromSeed(seed).spendKey)).toBe(bytesToHex(seed));
    expect(seedToWords(seed)).toBe(fixture.seed);
  });

  it.each(fixture.seeds)(
    'the reference’s seed in $language is read, shown again, and gives its keys and address',
    async (sample) => {
      const { seed, list } = wordsToSeed(sample.seed, await loadAllWordLists());
      expect(list.name === sample.language || list.englishName === sample.language).toBe(true);
      expect(seedToWords(seed, list)).toBe(sample.seed);
      const { spendKey, viewKey } = keysFromSeed(seed);
      expect([bytesToHex(spendKey), bytesToHex(viewKey)]).toEqual([sample.spendKey, sample.viewKey]);
      expect(addressOf(spendKey)).toBe(sample.address);
    },
  );

  it('a passphrase beside the words moves to another wallet, as in the reference', () => {
    // CryptoNight of the passphrase, a line of the reference's vectors.
    const hash = hexToBytes('bbec2cacf69866a8e740380fe7b818fc78f8571221742d729d9d02d7f8989b87');
    expect(fixture.offset.passphrase).toBe('caveat emptor');
    const { seed } = wordsToSeed(fixture.offset.seed);
    const spendKey = removeSeedOffset(seed, hash);
    expect(addressOf(spendKey)).toBe(fixture.offset.address);
  });

  it('every 32 bytes are read back in every language, among all of them', async () => {
    const all = await loadAllWordLists();
    expect(SEED_LANGUAGES).toHaveLength(12);
    for (const name of SEED_LANGUAGES) {
      const list = await loadWordList(name);
      fc.assert(
        fc.property(seedBytes, (seed) => {
          const words = seedToWords(seed, list);
          expect(words.split(' ')).toHaveLength(25);
          expect(wordsToSeed(words, [list]).seed).toEqual(seed);
          expect(wordsToSeed(words, all).seed).toEqual(seed);
        }),
        { numRuns: 5 },
      );
    }
  });

  it('first letters, other case, extra space and decomposed accents do', async () => {
    const french = await loadWordList('French');
    const seed = wordsToSeed(fixture.seed).seed;
    const short = seedToWords(seed)
      .split(' ')
      .map((word) => word.slice(0, 3).toUpperCase());
    expect(wordsToSeed(`  ${short.join('\n ')}\t`).seed).toEqual(seed);
    expect(wordsToSeed(seedToWords(seed, french).normalize('NFD'), [ENGLISH, french]).seed).toEqual(seed);
  });

  it('24 whole words do without a checksum, as in the reference', () => {
    const words = fixture.seed.split(' ').slice(0, 24);
    expect(seedToWords(wordsToSeed(words.join(' ')).seed)).toBe(fixture.seed);
    const short = words.map((word) => word.slice(0, 3)).join(' ');
    expect(() => wordsToSeed(short)).toThrow(code('unknown-word'));
  });
});

describe('bad seeds', () => {
  const words = fixture.seed.split(' ');
  const replaced = (at: number, word: string) => words.map((old, i) => (i === at ? word : old)).join(' ');
  const messageOf = (text: string): string => {
    try {
      wordsToSeed(text);
      return '';
    } catch (error) {
      return String(error);
    }
  };

  it('an unknown word is named by its position, and no word is repeated in the message', () => {
    expect(() => wordsToSeed(replaced(6, 'qqqqq'))).toThrow(
      expect.objectContaining({ code: 'unknown-word', data: { position: 7 } }),
    );
    for (const text of [replaced(6, 'qqqqq'), replaced(24, 'abbey'), fixture.seed.split(' ').reverse().join(' ')]) {
      const message = messageOf(text);
      expect(message).not.toBe('');
      for (const word of [...words, 'qqqqq']) expect(message.split(/[^a-z]+/)).not.toContain(word.length > 3 ? word : 'qqqqq');
    }
  });

  it('a wrong checksum word and a wrong count have their own names', () => {
    const other = ENGLISH.words.find((word) => !words.includes(word))!;
    expect(() => wordsToSeed(replaced(24, other))).toThrow(code('bad-checksum-word'));
    expect(() => wordsToSeed(words.slice(0, 23).join(' '))).toThrow(code('bad-word-count'));
    expect(() => wordsToSeed('')).toThrow(code('bad-word-count'));
    expect(() => wordsToSeed(`${fixture.seed} abbey`)).toThrow(code('bad-word-count'));
  });

  it('words that stand for no bytes are refused', () => {
    const last = ENGLISH.words[1625]!;
    const group = [last, ENGLISH.words[1624]!, ENGLISH.words[1623]!];
    expect(() => wordsToSeed(Array.from({ length: 8 }, () => group.join(' ')).join(' '))).toThrow(code('bad-structure'));
  });
});

describe('word lists', () => {
  it('complete what has been typed', () => {
    expect(ENGLISH.complete('aba')).toEqual([]);
    expect(ENGLISH.complete('Abb')).toEqual(['abbey']);
    expect(ENGLISH.complete('a', 3)).toHaveLength(3);
  });

  it('tell their words apart by their first letters', async () => {
    for (const name of SEED_LANGUAGES) {
      const list = await loadWordList(name);
      expect(new Set(list.words.map((word) => list.trim(word).toLowerCase())).size).toBe(1626);
    }
  });

  it('an unknown language or a short list is refused', async () => {
    await expect(loadWordList('Klingon')).rejects.toThrow(code('unknown-language'));
    expect(() => new WordList({ name: 'x', englishName: 'x', prefixLength: 3, words: 'a b c' })).toThrow(code('bad-structure'));
  });
});
