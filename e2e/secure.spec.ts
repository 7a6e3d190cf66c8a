import { answerNoMore, createWallet, expect, isLive, otherBrowser, PASSWORD, test, unlock } from './support/wallet.ts';

/** Where the page is served over https: its requests are answered by the site of the tests. */
const SECURE = 'https://nightjar.example';

test('on an https page a wallet with a plain http daemon opens, says why it does not sync, and accepts another daemon', async ({
  page,
  context,
  watched,
}) => {
  watched.chosen.push('nightjar.example', 'node.invalid');
  await createWallet(page, 'Plain');
  await page.goto('/#/settings/daemon');
  await page.getByRole('radio', { name: 'A node you name' }).check();
  await page.getByLabel('Node address').fill('http://node.invalid:18081');
  await page.getByRole('button', { name: 'Use this node' }).click();
  await page.getByRole('button', { name: 'Use it anyway' }).click();
  await expect(page.getByText('Node changed')).toBeVisible();
  await page.goto('/#/settings/safety/backup');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save a backup file' }).click();
  const backup = await (await downloading).path();

  const secure = await otherBrowser(context, { serviceWorkers: 'allow' });
  await secure.context().route(`${SECURE}/**`, async (route) => {
    const url = route
      .request()
      .url()
      .replace(SECURE, process.env.NIGHTJAR_URL ?? '');
    const { origin: _, ...headers } = route.request().headers();
    await route.fulfill({ response: await route.fetch({ url, headers }) });
  });
  await secure.goto(`${SECURE}/#/backup`);
  await secure.getByLabel('Wallet file').setInputFiles(backup);
  await secure.getByLabel('Password of the backup').fill(PASSWORD);
  await secure.getByRole('button', { name: 'Restore the wallet' }).click();
  await expect(secure.getByTestId('balance')).toBeVisible();
  await expect(secure.getByText('This page came over https')).toBeVisible();
  await secure.getByRole('button', { name: 'Lock wallet' }).click();
  await unlock(secure);
  await secure.getByRole('link', { name: 'Choose a node' }).click();
  await secure.getByRole('radio', { name: 'This site’s gateway' }).check();
  await secure.getByRole('button', { name: 'Use this node' }).click();
  await isLive(secure);
  await answerNoMore(secure.context());
  await secure.context().close();
});
