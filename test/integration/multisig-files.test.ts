import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadCrypto, systemRandom } from '../../src/crypto/index.ts';
import { newWallet, Wallet, walletFromKeysFile } from '../../src/wallet/index.ts';
import { type MoneroWalletRpc, startWalletRpc } from '../support/programs.ts';
import { quickEnvironment } from '../support/quick-environment.ts';

// The reference's `.keys` files of a signer, from every round, in both directions: each program goes on where the other was. No daemon.

const NOW = 1_700_000_000;
let theirs: MoneroWalletRpc;
let second: MoneroWalletRpc;

beforeAll(async () => {
  await loadCrypto();
  [theirs, second] = await Promise.all([startWalletRpc(), startWalletRpc()]);
});

afterAll(async () => {
  await theirs?.stop();
  await second?.stop();
});

interface Round {
  readonly address: string;
  readonly multisig_info: string;
}

it('a signer of 2 of 3 goes on in the other program, from each round', async () => {
  const env = quickEnvironment();
  const open: Wallet[] = [];
  const make = async (name: string) => {
    const made = await newWallet(systemRandom, { network: 'mainnet', from: { height: 7 }, now: NOW });
    const wallet = await Wallet.create(env, name, 'pw', made);
    open.push(wallet);
    return wallet;
  };
  const [a, b] = [await make('a'), await make('b')];
  await theirs.createWallet('native');
  const { multisig_info: first } = await theirs.rpc<Round>('prepare_multisig', { enable_multisig_experimental: true });
  await a.multisig.enable();
  const [firstA, firstB] = [await a.multisig.firstMessage(), await b.multisig.firstMessage()];
  let told = {
    a: (await a.multisig.make([firstB, first], 2)).message,
    b: (await b.multisig.make([firstA, first], 2)).message,
    native: (await theirs.rpc<Round>('make_multisig', { multisig_info: [firstA, firstB], threshold: 2, password: '' }))
      .multisig_info,
  };
  for (const round of [1, 2]) {
    const file = new Uint8Array(readFileSync(join(theirs.walletDir, 'native.keys')));
    const copy = await Wallet.create(
      env,
      `copy ${round}`,
      'x',
      await walletFromKeysFile({ keys: file }, '', 'mainnet', NOW, systemRandom),
    );
    open.push(copy);
    expect(copy.multisig.group).toMatchObject({ round, ready: false, threshold: 2, total: 3 });
    expect(copy.multisig.isEnabled).toBe(true);
    writeFileSync(join(second.walletDir, `ours ${round}.keys`), await a.exportKeysFile('pw'));
    await second.rpc('open_wallet', { filename: `ours ${round}`, password: 'pw' });
    expect(await second.rpc('is_multisig')).toEqual({ multisig: true, ready: false, threshold: 2, total: 3 });
    const forNative = { multisig_info: [told.a, told.b], password: '' };
    const forA = { multisig_info: [told.b, told.native], password: 'pw' };
    const [byNative, bySecond] = [
      await theirs.rpc<Round>('exchange_multisig_keys', forNative),
      await second.rpc<Round>('exchange_multisig_keys', forA),
    ];
    const byCopy = await copy.multisig.exchange(forNative.multisig_info);
    const byA = await a.multisig.exchange(forA.multisig_info);
    const byB = await b.multisig.exchange([told.a, told.native]);
    const addresses = [await theirs.address(), await second.address(), byCopy.address, byA.address, byB.address];
    expect(new Set(addresses).size).toBe(1);
    expect([byNative.address, bySecond.address]).toEqual(byA.ready ? [byA.address, byA.address] : ['', '']);
    told = { a: byA.message, b: byB.message, native: byNative.multisig_info };
  }
  expect(a.multisig.group!.ready).toBe(true);
  const file = new Uint8Array(readFileSync(join(theirs.walletDir, 'native.keys')));
  const ready = await Wallet.create(
    env,
    'ready',
    'x',
    await walletFromKeysFile({ keys: file }, '', 'mainnet', NOW, systemRandom),
  );
  open.push(ready);
  expect(ready.description).toMatchObject({ kind: 'multisig', primaryAddress: a.description.primaryAddress });
  writeFileSync(join(second.walletDir, 'ready.keys'), await a.exportKeysFile('pw'));
  await second.rpc('open_wallet', { filename: 'ready', password: 'pw' });
  expect(await second.address()).toBe(a.description.primaryAddress);
  expect(await second.seed()).toBe(await a.multisig.seed());
  for (const wallet of open) await wallet.close();
});
