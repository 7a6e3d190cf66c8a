import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { hexToBytes, stringifyJson } from '../src/base/index.ts';
import { loadCrypto } from '../src/crypto/index.ts';
import { outputsFile, unsignedSetFile } from '../src/wallet2/index.ts';
import { findReference } from '../test/support/child.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc, toBigint } from '../test/support/programs.ts';
import { load, offlinePage, saved, watchWallet } from './support/halves.ts';
import { type Served, startSite } from './support/serve.ts';
import {
  amountAt,
  coins,
  createWallet,
  expect,
  fillPayment,
  isLive,
  primaryAddress,
  restoreWallet,
  test,
  toReview,
} from './support/wallet.ts';

// One wallet in two halves, ours in Chromium and the reference's: files go from one to the other as a person would carry them.

const OTHER = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';
const PAID = '0.123456789012';

interface Programs {
  readonly monerod: Monerod;
  readonly site: Served;
  /** No daemon, no network. */
  readonly cold: MoneroWalletRpc;
  readonly hot: MoneroWalletRpc;
}

const withPrograms = test.extend<{ programs: Programs }>({
  // biome-ignore lint/correctness/noEmptyPattern: the fixture's own form
  programs: async ({}, use) => {
    const monerod = await startMonerod();
    const site = await startSite(['--port', '0', '--daemon', monerod.url]);
    const [cold, hot] = await Promise.all([startWalletRpc(), startWalletRpc({ daemon: monerod.url })]);
    await use({ monerod, site, cold, hot });
    await Promise.all([site.stop(), cold.stop(), hot.stop()]);
    await monerod.stop();
  },
  baseURL: ({ programs }, use) => use(programs.site.url),
});

interface Described {
  readonly summary: { readonly fee: number | bigint; readonly recipients: { address: string; amount: number | bigint }[] };
}

const balanceSettles = (page: Page, amount: bigint): Promise<void> =>
  expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBe(amount);

/** Ticks, or unticks, by keyboard, that an old release is to read what is saved. */
async function pressOlder(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'For monero-wallet-cli 0.18.1.0 or older' }).focus();
  await page.keyboard.press('Space');
}

const keyOf = async (rpc: MoneroWalletRpc): Promise<string> =>
  (await rpc.rpc<{ key: string }>('query_key', { key_type: 'view_key' })).key;

/** Key images that a transaction on the chain takes. */
async function imagesOf(monerod: Monerod, txHash: string): Promise<string[]> {
  const { txs } = await monerod.path<{ txs: { as_json: string; in_pool: boolean }[] }>('get_transactions', {
    txs_hashes: [txHash],
    decode_as_json: true,
  });
  expect(txs[0]?.in_pool).toBe(false);
  return [...(txs[0]?.as_json ?? '').matchAll(/"k_image":\s*"([0-9a-f]{64})"/g)].map(([, image]) => image ?? '');
}

/** Runs one command of monero-wallet-cli over a wallet of monero-wallet-rpc, which must be closed there. Returns what it says. */
function cli(rpc: MoneroWalletRpc, name: string, daemon: Monerod | undefined, command: readonly string[]): string {
  const own = ['--log-file', join(rpc.folder, 'cli.log'), '--shared-ringdb-dir', join(rpc.folder, 'ringdb')];
  const reach =
    daemon === undefined
      ? ['--offline']
      : ['--daemon-address', daemon.url, '--trusted-daemon', '--daemon-ssl', 'disabled', '--allow-mismatched-daemon-version'];
  const args = ['--wallet-file', join(rpc.walletDir, name), '--password', '', ...own, ...reach, '--command', ...command];
  return execFileSync(findReference('monero-wallet-cli'), args, { input: '', timeout: 60_000, encoding: 'utf8' });
}

withPrograms('the page watches and sends, monero-wallet-rpc signs without a network', async ({ page, programs }) => {
  const { monerod, cold, hot } = programs;
  const address = await cold.createWallet('cold');
  await hot.restoreWallet('same', await cold.seed());
  await monerod.generateBlocks(3, address);
  await monerod.generateBlocks(90, OTHER);
  await watchWallet(page, address, await keyOf(cold));
  await isLive(page);
  await expect(page.getByRole('link', { name: /Mined/ })).toHaveCount(3);

  // What it has no key for is not offered.
  await page.goto('/#/settings/proof');
  for (const kind of ['Message', 'Balance', 'Sender']) {
    await page.getByRole('radio', { name: kind }).check();
    await expect(page.getByRole('heading', { name: /^Check a (proof|signature)$/ })).toBeVisible();
    await expect(page.getByRole('heading', { name: /^(Make a proof|Sign a message)$/ })).toHaveCount(0);
  }
  await page.goto('/#/');

  // Spent elsewhere: a view-only wallet sees the change come in and not what went out.
  await hot.refreshToHeight(monerod);
  await hot.transfer([{ address: OTHER, amount: coins('1') }]);
  await monerod.minePool(OTHER);
  await monerod.generateBlocks(10, OTHER);
  await hot.refreshToHeight(monerod);
  const right = (await hot.balance()).total;
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBeGreaterThan(right + coins('1'));
  const label = page.getByTestId('balance-label');
  await expect(label).toHaveText('Balance, at most');
  await expect(page.getByRole('link', { name: /Received, or your own change/ })).toHaveCount(1);
  await expect(page.getByTestId('unsure').getByRole('link', { name: 'Import key images' })).toBeVisible();

  await offlinePage(page);
  await expect(page.getByTestId('unseen')).toHaveText(/: 4$/);
  const outputs = await saved(page, 'Save outputs');
  const told = await cold.rpc('import_outputs', { outputs_data_hex: outputs.bytes.toString('hex') });
  expect(told.num_imported).toBe(4);

  // Once as the file of monero-wallet-cli, once as the reply of monero-wallet-rpc.
  const reply = await cold.rpc('export_key_images', { all: true });
  await cold.closeWallet();
  const imagesFile = join(cold.folder, 'images');
  cli(cold, 'cold', undefined, ['export_key_images', 'all', imagesFile]);
  await cold.openWallet('cold');
  await load(page, 'Load key images', readFileSync(imagesFile));
  await expect(page.getByText('Key images taken: 4')).toBeVisible();
  await expect(page.getByTestId('unseen')).toHaveCount(0);
  await page.goto('/#/');
  await expect(label, 'spends before the key images came are not known yet').toHaveText('Balance, at most');
  await offlinePage(page);
  await page.getByRole('button', { name: /Scan from block/ }).click();
  await page.goto('/#/');
  await balanceSettles(page, right);
  await expect(label).toHaveText('Balance');
  await expect(page.getByRole('link', { name: /change/ })).toHaveCount(0);
  await offlinePage(page);
  await load(page, 'Load key images', stringifyJson(reply as never));
  await expect(page.getByText('Key images taken: 4')).toBeVisible();
  await expect(page.getByRole('button', { name: /Scan from block/ })).toHaveCount(0);

  // A payment: planned and reviewed here, signed there.
  await fillPayment(page, OTHER, PAID);
  await toReview(page, 'Check before you save it');
  const fee = await amountAt(page, 'fee');
  expect(await amountAt(page, 'total')).toBe(coins(PAID) + fee);
  const unsigned = await saved(page, 'Save unsigned transaction');
  expect(unsigned.name).toBe('unsigned_monero_tx');
  await expect(page.getByRole('heading', { name: 'Saved, not sent' })).toBeVisible();
  const unsigned_txset = unsigned.bytes.toString('hex');
  const { summary } = await cold.rpc<Described>('describe_transfer', { unsigned_txset });
  expect(summary.recipients.map((paid) => ({ ...paid, amount: toBigint(paid.amount) }))).toEqual([
    { address: OTHER, amount: coins(PAID) },
  ]);
  expect(toBigint(summary.fee)).toBe(fee);
  const signed = await cold.rpc<{ signed_txset: string; tx_hash_list: string[] }>('sign_transfer', { unsigned_txset });
  const signedFile = Buffer.from(signed.signed_txset, 'hex');
  const txHash = signed.tx_hash_list[0] ?? '';

  await offlinePage(page);
  await load(page, 'Load signed transaction', unsigned.bytes);
  await expect(page.getByText('This is not a signed transaction')).toBeVisible();
  await load(page, 'Load signed transaction', signedFile.subarray(0, -1));
  await expect(page.getByText('This file belongs to another wallet, or was changed')).toBeVisible();
  await load(page, 'Load signed transaction', signedFile);
  await expect(page.getByRole('heading', { name: 'Check before it goes' })).toBeFocused();
  await expect(page.locator(`[data-address="${OTHER}"]`)).toBeVisible();
  expect([await amountAt(page, 'amount'), await amountAt(page, 'fee')]).toEqual([coins(PAID), fee]);
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByText('The node accepted it')).toBeVisible({ timeout: 60_000 });
  await monerod.minePool(OTHER);
  await page.getByRole('link', { name: 'Details' }).click();
  await expect(page.locator('dd', { hasText: txHash })).toBeVisible();
  await expect(page.locator(`[data-address="${OTHER}"]`)).toBeVisible();
  await expect(page.getByText(/of 10 confirmations/)).toBeVisible({ timeout: 60_000 });
  await page.goto('/#/');
  await balanceSettles(page, right - coins(PAID) - fee);
  await hot.refreshToHeight(monerod);
  expect((await hot.balance()).total).toBe(right - coins(PAID) - fee);

  // What the page calls spent is what monerod calls spent.
  const images = await imagesOf(monerod, txHash);
  const { spent_status } = await monerod.path<{ spent_status: number[] }>('is_key_image_spent', { key_images: images });
  expect(new Set(spent_status)).toEqual(new Set([1]));
  await page.goto('/#/settings/coins');
  await page.getByLabel('Show spent coins').check();
  await expect(page.getByTestId('coins').getByText('spent', { exact: true })).toHaveCount(1 + images.length);
  await offlinePage(page);
  await load(page, 'Load signed transaction', signedFile);
  await expect(page.getByText('This transaction was sent before')).toBeVisible();
});

withPrograms(
  'monero-wallet-rpc watches and sends, the page signs without a network',
  async ({ page, context, programs, faults }) => {
    const { monerod, cold, hot } = programs;
    const address = await cold.createWallet('cold');
    await restoreWallet(page, (await cold.seed()).split(' '));
    expect(await primaryAddress(page)).toBe(address);
    await hot.restoreFromKeys('hot', { address, viewKey: await keyOf(cold) });
    await offlinePage(page);
    // What the page needs later is kept by then.
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await context.setOffline(true);
    await monerod.generateBlocks(3, address);
    await monerod.generateBlocks(90, OTHER);
    await hot.refreshToHeight(monerod);

    const { outputs_data_hex } = await hot.rpc<{ outputs_data_hex: string }>('export_outputs', { all: true });
    await load(page, 'Load outputs', outputs_data_hex);
    await expect(page.getByText('Outputs known: 3')).toBeVisible();
    const images = await saved(page, 'Save key images');
    expect(images.name).toBe('monero_key_images');
    const imagesFile = join(hot.folder, 'images');
    writeFileSync(imagesFile, images.bytes);
    await hot.closeWallet();
    expect(cli(hot, 'hot', monerod, ['import_key_images', imagesFile])).toContain('Signed key images imported');
    await hot.openWallet('hot');

    const amount = coins(PAID);
    const { unsigned_txset } = await hot.rpc<{ unsigned_txset: string }>('transfer', {
      destinations: [{ address: OTHER, amount }],
    });
    const file = Buffer.from(unsigned_txset, 'hex');
    await load(page, 'Load unsigned transaction', file.subarray(0, 200));
    await expect(page.getByText('This file belongs to another wallet, or was changed')).toBeVisible();
    await load(page, 'Load unsigned transaction', images.bytes);
    await expect(page.getByText('This is not an unsigned transaction')).toBeVisible();
    await load(page, 'Load unsigned transaction', file);
    await expect(page.getByRole('heading', { name: 'Check before you sign' })).toBeFocused();
    await expect(page.locator(`[data-address="${OTHER}"]`)).toBeVisible();
    await expect(page.getByText('Not checked here')).toBeVisible();
    expect(await amountAt(page, 'amount')).toBe(amount);
    const fee = await amountAt(page, 'fee');
    const signed = await saved(page, 'Sign and save');
    expect(signed.name).toBe('signed_monero_tx');
    await expect(page.getByText('Signed and saved')).toBeVisible();

    const tx_data_hex = signed.bytes.toString('hex');
    const { tx_hash_list } = await hot.rpc<{ tx_hash_list: string[] }>('submit_transfer', { tx_data_hex });
    await monerod.minePool(OTHER);
    await hot.refreshToHeight(monerod);
    const { transfer } = await hot.rpc<{ transfer: { type: string; amount: number | bigint; fee: number | bigint } }>(
      'get_transfer_by_txid',
      { txid: tx_hash_list[0] },
    );
    expect({ ...transfer, amount: toBigint(transfer.amount), fee: toBigint(transfer.fee) }).toMatchObject({
      type: 'out',
      amount,
      fee,
    });

    // Back on the network, the page sees what it signed.
    await context.setOffline(false);
    await page.goto('/#/history');
    await page.getByRole('link', { name: /Sent/ }).click({ timeout: 60_000 });
    await expect(page.locator('dd', { hasText: tx_hash_list[0] ?? '' })).toBeVisible();
    faults.length = 0;
  },
);

withPrograms('what is saved for an old release is in its form, and only then: 0.18.0.0 takes it', async ({ page, programs }) => {
  const { monerod, cold } = programs;
  await loadCrypto();
  const old = await startWalletRpc({ release: '0.18.0.0' });
  try {
    const address = await cold.createWallet('cold');
    expect(await old.restoreWallet('old', await cold.seed())).toBe(address);
    await monerod.generateBlocks(2, address);
    await monerod.generateBlocks(90, OTHER);
    const viewKey = await keyOf(cold);
    await watchWallet(page, address, viewKey);
    await isLive(page);
    await offlinePage(page);
    const today = await saved(page, 'Save outputs');
    await pressOlder(page);
    const older = await saved(page, 'Save outputs');
    // Only today's form says how many outputs there are in all.
    expect((await outputsFile.open(today.bytes, hexToBytes(viewKey))).total).toBe(2);
    expect((await outputsFile.open(older.bytes, hexToBytes(viewKey))).total).toBeUndefined();
    const told = await old.rpc('import_outputs', { outputs_data_hex: older.bytes.toString('hex') });
    expect(told.num_imported).toBe(2);
    const images = await old.rpc('export_key_images', { all: true });
    await load(page, 'Load key images', stringifyJson(images as never));
    await expect(page.getByText('Key images taken: 2')).toBeVisible();

    await fillPayment(page, OTHER, PAID);
    const reviewed = async (): Promise<Buffer> => {
      await toReview(page, 'Check before you save it');
      return (await saved(page, 'Save unsigned transaction')).bytes;
    };
    const todays = await reviewed();
    await page.getByRole('button', { name: 'Give it up' }).click();
    await pressOlder(page);
    const olders = await reviewed();
    expect((await unsignedSetFile.open(todays, hexToBytes(viewKey))).total).toBe(2);
    expect((await unsignedSetFile.open(olders, hexToBytes(viewKey))).total).toBeUndefined();
    await expect(old.rpc('describe_transfer', { unsigned_txset: todays.toString('hex') })).rejects.toThrow();
    const { tx_hash_list } = await old.rpc<{ tx_hash_list: string[] }>('sign_transfer', {
      unsigned_txset: olders.toString('hex'),
    });
    expect(tx_hash_list).toHaveLength(1);
  } finally {
    await old.stop();
  }
});

withPrograms('files of another wallet, and what is none, are each refused in words of their own', async ({ page, programs }) => {
  const { cold, monerod } = programs;
  await createWallet(page);
  await cold.createWallet('stranger');
  await monerod.generateBlocks(1, OTHER);
  const { outputs_data_hex } = await cold.rpc<{ outputs_data_hex: string }>('export_outputs', { all: true });
  await offlinePage(page);
  await load(page, 'Load outputs', outputs_data_hex);
  await expect(page.getByText('This file belongs to another wallet')).toBeVisible();
  const older = Buffer.from(outputs_data_hex, 'hex');
  older[20] = 9;
  await load(page, 'Load outputs', older);
  await expect(page.getByText('of another version of its format (9)')).toBeVisible();
  await load(page, 'Load outputs', '{"error": {"code": -1}}');
  await expect(page.getByText('is incomplete or damaged')).toBeVisible();
  await load(page, 'Load outputs', 'not a file of any wallet');
  await expect(page.getByText('This is not a file of outputs')).toBeVisible();
});
