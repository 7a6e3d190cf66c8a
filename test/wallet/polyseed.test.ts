import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../src/base/index.ts';
import { keysFromSeed, loadCrypto, reduce32 } from '../../src/crypto/index.ts';
import { createWallet, MemoryJournalStore, restoreWallet, type Wallet } from '../../src/index.ts';
import { RESTORE_DATE, walletFromWords } from '../../src/wallet/create-wallet.ts';
import { inside } from '../support/inside.ts';

const [sample] = JSON.parse(readFileSync(new URL('../fixtures/vectors/polyseed.json', import.meta.url), 'utf8')).cases;
const [hidden] = sample.encrypted;
const password = 'correct horse';
const store = new MemoryJournalStore();
const from = (seed: string, name: string, passphrase?: string) =>
  restoreWallet({ store, name, password, network: 'mainnet', from: { seed, ...(passphrase !== undefined && { passphrase }) } });

async function keyOf(wallet: Wallet): Promise<string | undefined> {
  const key = await wallet.secrets.spendKey();
  await wallet.close();
  return key;
}

const expected = async () => {
  await loadCrypto();
  return bytesToHex(keysFromSeed(reduce32(hexToBytes(sample.key))).spendKey);
};

it('a wallet made of a Polyseed shows its 16 words, and 25 for other programs: both bring it back', async () => {
  const made = await createWallet({ store, name: 'made', password, network: 'mainnet', seedForm: 'polyseed' });
  const { primaryAddress } = await made.view();
  const words = await made.secrets.words();
  const others = await made.secrets.words('25-words');
  await made.close();
  expect([words.split(' ').length, others.split(' ').length]).toEqual([16, 25]);
  for (const [name, seed] of Object.entries({ words, others })) {
    const again = await from(seed, name);
    expect((await again.view()).primaryAddress).toBe(primaryAddress);
    expect(await again.secrets.words()).toBe(seed);
    await again.close();
  }
  const twentyFive = await from(others, 'twenty-five');
  await expect(twentyFive.secrets.words('polyseed')).rejects.toMatchObject({ code: 'bad-seed' });
  await twentyFive.close();
});

it('a wallet made with a passphrase is brought back by its words with it, by no words without it, and by 25 words', async () => {
  const passphrase = 'Añejo ﬁne';
  const options = { store, password, network: 'mainnet' } as const;
  const made = await createWallet({ ...options, name: 'covered', seedForm: 'polyseed', passphrase });
  const { primaryAddress } = await made.view();
  const [words, others] = [await made.secrets.words(), await made.secrets.words('25-words')];
  await made.close();
  const addressOf = async (name: string, seed: string, given?: string) => {
    const again = await from(seed, name, given);
    const { primaryAddress: address } = await again.view();
    await again.close();
    return address;
  };
  expect(await addressOf('composed', words, passphrase.normalize('NFKD'))).toBe(primaryAddress);
  expect(await addressOf('another', words, 'other')).not.toBe(primaryAddress);
  expect(await addressOf('none needed', others)).toBe(primaryAddress);
  await expect(from(words, 'without')).rejects.toMatchObject({ code: 'passphrase-needed' });
  const long = createWallet({ ...options, name: 'long', seedForm: '25-words', passphrase });
  await expect(long).rejects.toMatchObject({ code: 'bad-structure' });
});

it.each([
  ['25-words', 'Korean'],
  ['polyseed', 'German'],
  ['polyseed', 'english'],
] as const)('makes no wallet of %s in a language that the form has no words in (%s)', async (seedForm, language) => {
  const made = createWallet({ store, name: 'nowhere', password, network: 'mainnet', seedForm, language });
  await expect(made).rejects.toMatchObject({ name: 'ProtocolError', code: 'unknown-language' });
  await expect(store.list()).resolves.not.toContainEqual(expect.objectContaining({ name: 'nowhere' }));
});

it('a Polyseed is scanned from its month, in any language; its passphrase belongs to it', async () => {
  const plain = await from(sample.phrases.Korean, 'plain');
  const { restore } = await plain.view();
  expect(restore.date).toBe(sample.birthday - 2 * 60 * 60);
  expect(await plain.secrets.words()).toBe(sample.phrases.Korean);
  expect(await keyOf(plain)).toBe(await expected());
  const open = await from(hidden.english, 'hidden', hidden.passphrase);
  expect(await open.secrets.words()).toBe(hidden.english);
  expect(await keyOf(open)).toBe(await expected());
  await expect(from(hidden.english, 'none')).rejects.toMatchObject({ code: 'passphrase-needed' });
  await expect(from(sample.phrases.English, 'one too many', 'x')).rejects.toMatchObject({ code: 'bad-structure' });
  await expect(from('raven '.repeat(16), 'wrong')).rejects.toMatchObject({ code: 'bad-checksum-word' });
});

it('T23 a month that is yet to come is no month: the whole chain is scanned', async () => {
  const dateIn = async (now: number) => {
    const { first } = await walletFromWords(sample.phrases.English, { network: 'mainnet', now });
    return first.find((event) => event.type === 'AttributeSet' && event.key === RESTORE_DATE);
  };
  expect(await dateIn(sample.birthday - 1)).toBeUndefined();
  expect(await dateIn(sample.birthday)).toBeDefined();
});

it('what forgets the spend key forgets the seed that it came from', async () => {
  const wallet = await from(sample.phrases.English, 'forgetful');
  const { secrets } = inside(wallet);
  const { spendKey, polyseed } = secrets;
  await wallet.backgroundSync.start();
  expect(inside(wallet).secrets).toMatchObject({ spendKey: undefined, seedLanguage: 'English' });
  expect(inside(wallet).secrets.polyseed).toBeUndefined();
  expect([...spendKey!, ...polyseed!].every((byte) => byte === 0)).toBe(true);
  await wallet.backgroundSync.stop(password);
  expect(await wallet.secrets.words()).toBe(sample.phrases.English);
  await wallet.close();
});
