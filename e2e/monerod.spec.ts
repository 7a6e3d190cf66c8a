import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from '../test/support/programs.ts';
import { type Served, startSite } from './support/serve.ts';
import {
  amountAt,
  coins,
  createWallet,
  expect,
  isLive,
  NOTHING_KEPT,
  primaryAddress,
  send,
  sendNow,
  showLongWords,
  showWords,
  test,
  toReview,
} from './support/wallet.ts';

// The page in front of a real monerod: through the gateway, and directly. monero-wallet-rpc holds the same seed.

test.use(NOTHING_KEPT);

const OTHER = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

interface Programs {
  readonly monerod: Monerod;
  readonly site: Served;
}

const withPrograms = test.extend<{ programs: Programs; reference: MoneroWalletRpc }>({
  // biome-ignore lint/correctness/noEmptyPattern: the fixture's own form
  programs: async ({}, use) => {
    // The page's address is known once it is served; any origin may call this daemon.
    const monerod = await startMonerod({ extraArgs: ['--rpc-access-control-origins', '*'] });
    const site = await startSite(['--port', '0', '--daemon', monerod.url]);
    await use({ monerod, site });
    await site.stop();
    await monerod.stop();
  },
  reference: async ({ programs }, use) => {
    const reference = await startWalletRpc({ daemon: programs.monerod.url });
    await use(reference);
    await reference.stop();
  },
  baseURL: ({ programs }, use) => use(programs.site.url),
});

withPrograms('mined, spent and seen alike by the page and by monero-wallet-rpc', async ({ page, programs, reference }) => {
  const { monerod } = programs;
  await createWallet(page);
  await showWords(page);
  const words = await showLongWords(page);
  const address = await primaryAddress(page);
  await monerod.generateBlocks(3, address);
  await monerod.generateBlocks(90, OTHER);
  await page.goto('/#/');
  await isLive(page);
  await expect(page.getByRole('link', { name: /Mined/ })).toHaveCount(3);

  const balanceOfReference = async (): Promise<bigint> => {
    await reference.refreshToHeight(monerod);
    return (await reference.balance()).total;
  };
  expect(await reference.restoreWallet('same', words.join(' '), 0)).toBe(address);
  expect(await amountAt(page, 'balance')).toBe(await balanceOfReference());

  const before = await amountAt(page, 'balance');
  const { total } = await send(page, OTHER, '0.123456789012');
  await monerod.minePool(OTHER);
  await page.goto('/#/');
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBe(before - total);
  expect(await balanceOfReference()).toBe(before - total);
  expect(total).toBeGreaterThan(coins('0.123456789012'));
});

withPrograms('directly: a daemon that allows pages is used, one that does not is named', async ({ page, programs, faults }) => {
  await createWallet(page);
  await page.goto('/#/settings/daemon');
  await page.getByRole('radio', { name: 'A node you name' }).check();
  await page.getByLabel('Node address').fill(programs.monerod.url);
  await page.getByRole('button', { name: 'Use this node' }).click();
  await expect(page.getByText('Node changed')).toBeVisible();
  const asked = page.waitForRequest((request) => request.url().startsWith(programs.monerod.url));
  await programs.monerod.generateBlocks(1, OTHER);
  await asked;
  await expect(page.locator('main .sync .detail')).toHaveText('block 1');

  const silent = await startMonerod();
  try {
    await page.getByLabel('Node address').fill(silent.url);
    await page.getByRole('button', { name: 'Use this node' }).click();
    await expect(page.getByRole('alert')).toContainText('must allow this page');
    await page.getByRole('button', { name: 'Use it anyway' }).click();
    await expect(page.locator('main .sync [role=status] p')).toContainText('must allow this page');
  } finally {
    await silent.stop();
  }
  // The browser reports the refusal in its console; that was the point.
  faults.length = 0;
});

withPrograms(
  'T3 coins that a reorganisation moved: their decoys are given up by the person, and the payment can be made',
  async ({ page, programs, reference }) => {
    const { monerod } = programs;
    const miner = await reference.createWallet('miner');
    await monerod.generateBlocks(200, miner);
    await createWallet(page);
    const address = await primaryAddress(page);
    await reference.refreshToHeight(monerod);
    const before = await monerod.height();
    await monerod.generateBlocks(3, miner);
    const { tx_hash: paid } = await reference.transfer([{ address, amount: coins('2') }]);
    await monerod.minePool(miner);
    await monerod.generateBlocks(11, miner);
    await page.goto('/#/send');
    await expect.poll(() => amountAt(page, 'available'), { timeout: 60_000 }).toBe(coins('2'));
    await page.getByLabel('Address', { exact: true }).fill(OTHER);
    await page.getByLabel('Amount', { exact: true }).fill('0.5');
    await toReview(page);
    await page.getByRole('button', { name: 'Change something' }).click();

    // Mined again above all that could be a decoy then: no member of the ring lies where the coins are now.
    const { txs } = await monerod.path<{ txs: { as_hex: string }[] }>('get_transactions', { txs_hashes: [paid] });
    await monerod.popBlocks((await monerod.height()) - before);
    await monerod.flushPool();
    await monerod.generateBlocks(20, miner);
    expect(await monerod.path('send_raw_transaction', { tx_as_hex: txs[0]!.as_hex })).toMatchObject({ status: 'OK' });
    await monerod.minePool(miner);
    await monerod.generateBlocks(20, miner);
    await page.goto('/#/');
    await expect(page.locator('main .sync .detail')).toContainText(`${(await monerod.height()) - 1}`, { timeout: 60_000 });
    await page.goto('/#/send');
    await page.getByRole('button', { name: 'Review' }).click();
    await expect(page.getByRole('alert')).toContainText('coins of this payment lie elsewhere', { timeout: 60_000 });
    await expect(page.getByRole('alert')).toContainText('can tell which coins are yours');
    await page.getByRole('button', { name: 'Draw new decoys' }).click();
    await expect(page.getByText('New decoys are drawn for the next payment of these coins.')).toBeVisible();
    await toReview(page);
    await sendNow(page);
  },
);
