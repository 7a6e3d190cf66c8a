import { beforeAll, expect, it } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import { Wallet } from '../../src/wallet/index.ts';
import { quickEnvironment } from '../support/quick-environment.ts';
import { newRegtestWallet } from './support.ts';

beforeAll(loadCrypto);

const makeWallet = async () => Wallet.create(quickEnvironment(), 'name', 'pw', await newRegtestWallet());

it('a wallet without a daemon says so, and waits for no scan', async () => {
  const wallet = await makeWallet();
  await expect(wallet.waitUntilSynced()).rejects.toMatchObject({ code: 'no-daemon' });
  await wallet.close();
});

it('addresses are made and named in accounts that were made, and nowhere else', async () => {
  const wallet = await makeWallet();
  const missing = { code: 'no-such-account' };
  await expect(wallet.addresses.make(1, 'rent')).rejects.toMatchObject(missing);
  for (const index of [
    { major: 0, minor: 1 },
    { major: 1, minor: 0 },
  ])
    await expect(wallet.addresses.label(index, 'rent')).rejects.toMatchObject(missing);
  expect((await wallet.addresses.make(0, 'rent', 2)).map(({ index }) => index.minor)).toEqual([1, 2]);
  await wallet.addresses.label({ major: 0, minor: 2 }, 'food');
  expect([1, 2].map((minor) => wallet.addresses.view({ major: 0, minor }).label)).toEqual(['rent', 'food']);
  await wallet.close();
});

it('entries of the address book are saved together, all of them or none', async () => {
  const wallet = await makeWallet();
  const { primaryAddress: address } = await wallet.view();
  const told = async () => (await wallet.contacts()).map(({ description }) => description);
  await expect(wallet.saveContact({ address, description: 'one' }, { address: 'nobody', description: 'two' })).rejects.toThrow();
  expect(await told()).toEqual([]);
  await wallet.saveContact({ address, description: 'one' }, { address, description: 'two' });
  expect(await told()).toEqual(['one', 'two']);
  await wallet.close();
});
