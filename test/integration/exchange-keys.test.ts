import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { loadCrypto, systemRandom } from '../../src/crypto/index.ts';
import { walletFromWords, wordsOf } from '../../src/wallet/create-wallet.ts';
import { walletFromKeysFile } from '../../src/wallet/offline-signing/reference-files.ts';
import { type MoneroWalletRpc, startWalletRpc } from '../support/programs.ts';

// What the reference's programs leave on a disk, as the start of a wallet of ours.
let theirs: MoneroWalletRpc;

beforeAll(async () => {
  await loadCrypto();
  theirs = await startWalletRpc();
});

afterAll(() => theirs?.stop());

it('keys files of the reference open with their password, full and view-only, and with no other', async () => {
  await theirs.rpc('create_wallet', { filename: 'secret', password: 'pässword', language: 'Deutsch' });
  const secret = async (kind: string) => (await theirs.rpc<{ key: string }>('query_key', { key_type: kind })).key;
  const made = { address: await theirs.address(), spendKey: await secret('spend_key'), viewKey: await secret('view_key') };
  const words = await theirs.seed();
  await theirs.rpc('generate_from_keys', {
    filename: 'watching',
    password: 'x',
    address: made.address,
    viewkey: made.viewKey,
    restore_height: 123,
  });
  const file = (name: string) => new Uint8Array(readFileSync(join(theirs.walletDir, `${name}.keys`)));
  const full = await walletFromKeysFile({ keys: file('secret') }, 'pässword', 'regtest', 1, systemRandom);
  expect(bytesToHex(full.secrets.spendKey!)).toBe(made.spendKey);
  expect(await wordsOf(full.secrets)).toBe(words);
  const watching = await walletFromKeysFile({ keys: file('watching') }, 'x', 'mainnet', 1, systemRandom);
  expect(watching.secrets.spendKey).toBeUndefined();
  expect(watching.first[0]).toMatchObject({ wallet: { kind: 'view', primaryAddress: made.address, restoreHeight: 123 } });
  const slow = await startWalletRpc({ extraArgs: ['--kdf-rounds', '3'] });
  const slowAddress = await slow.createWallet('slow');
  await slow.closeWallet();
  const slowFile = new Uint8Array(readFileSync(join(slow.walletDir, 'slow.keys')));
  await slow.stop();
  const opened = await walletFromKeysFile({ keys: slowFile }, '', 'regtest', 1, systemRandom, 3);
  expect(opened.first[0]).toMatchObject({ wallet: { kind: 'full', primaryAddress: slowAddress } });
  await expect(walletFromKeysFile({ keys: slowFile }, '', 'regtest', 1, systemRandom)).rejects.toMatchObject({
    code: 'wrong-password',
  });
  await expect(walletFromKeysFile({ keys: file('secret') }, 'password', 'regtest', 1, systemRandom)).rejects.toMatchObject({
    code: 'wrong-password',
  });
  await expect(walletFromKeysFile({ keys: file('secret') }, 'pässword', 'stagenet', 1, systemRandom)).rejects.toMatchObject({
    code: 'wrong-network',
  });
});

it('the key of a Polyseed has the reference’s address, and its 25 words are the reference’s', async () => {
  const [sample] = JSON.parse(readFileSync(new URL('../fixtures/vectors/polyseed.json', import.meta.url), 'utf8')).cases;
  const made = await walletFromWords(sample.phrases.Czech, { network: 'regtest', now: 1 });
  const [created] = made.first;
  const address = created?.type === 'Created' ? created.wallet.primaryAddress : '';
  await theirs.rpc('restore_deterministic_wallet', { filename: 'poly', seed: await wordsOf(made.secrets, '25-words') });
  expect(await theirs.address()).toBe(address);
  const spendkey = bytesToHex(made.secrets.spendKey!);
  const viewkey = bytesToHex(made.secrets.viewKey);
  const keys = { filename: 'poly keys', password: '', address, spendkey, viewkey };
  expect(await theirs.rpc('generate_from_keys', keys)).toMatchObject({ address });
});
