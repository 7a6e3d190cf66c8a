import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/crypto/index.ts';
import { newPolyseedWallet, newWallet, wordsOf } from '../../src/wallet/create-wallet.ts';
import { findSeedWord } from '../../workers/find-word.ts';

const BIRTH = { network: 'mainnet', from: { height: 0 }, now: 1_750_000_000 } as const;
const FORMS = [
  ['16 words', 'zoo', newPolyseedWallet],
  ['25 words', 'zoom', newWallet],
  ['25 words of another language', 'zypern', (random: typeof systemRandom) => newWallet(random, BIRTH, 'German')],
] as const;

const STRANGER = '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';

describe('the one wrong word of a seed', () => {
  it.each(FORMS)('is found by the address, as is one that cannot be read: %s', async (_, other, make) => {
    const { secrets, first } = await make(systemRandom, BIRTH);
    const [created] = first;
    if (created?.type !== 'Created') throw new Error('expected a first event');
    const address = created.wallet.primaryAddress;
    const text = await wordsOf(secrets);
    const words = text.split(' ');
    const at = words.findIndex((word, position) => position > 2 && word.toLowerCase() !== other);
    const found = { position: at, word: words[at], words: text };
    expect(await findSeedWord(words.with(at, '?').join(' '), '', address, 'mainnet')).toEqual(found);
    expect(await findSeedWord(words.with(at, other).join(' '), '', address, 'mainnet')).toEqual(found);
    const two = words
      .with(at, '?')
      .with(at + 1, '?')
      .join(' ');
    expect(await findSeedWord(two, '', address, 'mainnet'), 'two are not guessed').toBeUndefined();
    expect(await findSeedWord(words.slice(1).join(' '), '', address, 'mainnet')).toBeUndefined();
    expect(await findSeedWord(words.with(at, '?').join(' '), '', STRANGER, 'mainnet')).toBeUndefined();
  });

  it('is found in 16 words that need a passphrase, with that one only', async () => {
    const { secrets, first } = await newPolyseedWallet(systemRandom, BIRTH, 'English', 'owl');
    const address = first.flatMap((event) => (event.type === 'Created' ? [event.wallet.primaryAddress] : []))[0] ?? '';
    const text = await wordsOf(secrets);
    const words = text.split(' ');
    // The second word says that a passphrase belongs to them.
    for (const position of [1, 7]) {
      const typed = words.with(position, '?').join(' ');
      expect(await findSeedWord(typed, 'owl', address, 'mainnet')).toEqual({ position, word: words[position], words: text });
      for (const other of ['', 'owls']) expect(await findSeedWord(typed, other, address, 'mainnet')).toBeUndefined();
    }
  });

  it('is not found where a word stands everywhere, whose seed is no wallet’s', async () => {
    expect(await findSeedWord(Array(25).fill('abbey').with(3, '?').join(' '), '', STRANGER, 'mainnet')).toBeUndefined();
  });
});
