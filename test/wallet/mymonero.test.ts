import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MemoryJournalStore, openWallet, restoreWallet } from '../../src/index.ts';
import { inside } from '../support/inside.ts';

const [sample] = JSON.parse(readFileSync(new URL('../fixtures/vectors/mymonero.json', import.meta.url), 'utf8')).cases;
const password = 'correct horse';
const store = new MemoryJournalStore();
const from = (seed: string, name: string, passphrase?: string) =>
  restoreWallet({ store, name, password, network: 'mainnet', from: { seed, ...(passphrase !== undefined && { passphrase }) } });

it('a wallet of MyMonero comes back from its words, and shows them, after it was closed too', async () => {
  const made = await from(sample.words, 'mine');
  const { primaryAddress, kind } = await made.view();
  expect([primaryAddress, kind]).toEqual([sample.address, 'full']);
  await made.close();
  const again = await openWallet({ store, name: 'mine', password });
  expect(await again.secrets.words()).toBe(sample.words);
  expect([await again.secrets.spendKey(), await again.secrets.viewKey()]).toEqual([sample.spendKey, sample.viewKey]);
  await again.close();
});

it('no 25 words stand for a wallet of MyMonero, and no passphrase belongs to its own', async () => {
  const made = await from(sample.words, 'no others');
  for (const form of ['25-words', 'polyseed'] as const)
    await expect(made.secrets.words(form)).rejects.toMatchObject({ code: 'bad-seed' });
  await made.close();
  await expect(from(sample.words, 'one too many', 'x')).rejects.toMatchObject({ code: 'bad-structure' });
});

it('what forgets the spend key forgets the MyMonero seed that it came from', async () => {
  const wallet = await from(sample.words, 'forgetful');
  const { spendKey, myMoneroSeed } = inside(wallet).secrets;
  await wallet.backgroundSync.start();
  expect(inside(wallet).secrets.myMoneroSeed).toBeUndefined();
  expect([...spendKey!, ...myMoneroSeed!].every((byte) => byte === 0)).toBe(true);
  await wallet.backgroundSync.stop(password);
  expect(await wallet.secrets.words()).toBe(sample.words);
  await wallet.close();
});
