import {
  createWallet,
  expect,
  isLive,
  NOTHING_KEPT,
  PASSWORD,
  primaryAddress,
  showLongWords,
  showWords,
  test,
  unlock,
} from './support/wallet.ts';

test.use(NOTHING_KEPT);

test('the commands of the wallet service in the page: listed, described, run; loaded when asked for', async ({ page }) => {
  await createWallet(page);
  await showWords(page);
  const words = await showLongWords(page);
  const address = await primaryAddress(page);
  await page.goto('/#/');
  await isLive(page);
  const scripts = (): Promise<number> =>
    page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /Console/.test(name)).length);
  expect(await scripts()).toBe(0);
  await page.goto('/#/settings/console');
  const command = page.getByLabel('Command', { exact: true });
  await expect(command).toBeVisible();
  expect(await scripts()).toBeGreaterThan(0);
  await expect.poll(() => page.locator('datalist option').count()).toBeGreaterThan(90);

  await command.fill('get_addresss');
  await expect(page.getByText('There is no command of this name.')).toBeVisible();
  await command.fill('get_address');
  await expect(page.getByText('address_index', { exact: true }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Run' }).click();
  const result = page.getByTestId('result');
  await expect(result).toContainText(`"address": "${address}"`);

  // Sixty-four bits, whole.
  await command.fill('make_uri');
  await page.getByRole('button', { name: 'Fill in the parameters' }).click();
  await page.getByLabel('Parameters').fill(`{"address": "${address}", "amount": 18446744073709551615}`);
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(result).toContainText('18446744.073709551615');
  await page.getByLabel('Parameters').fill('{"address": ');
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByText('Error -32700: Parse error')).toBeVisible();
  await page.getByLabel('Parameters').fill('{"address": "nobody"}');
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(page.getByText(/^Error -11:/)).toBeVisible();

  // Coins that nothing hides are shown before they are spent; this chain has none of them.
  await command.fill('sweep_unmixable');
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(result).toContainText('{');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // T12: the page is not told a secret without the password.
  const secret = page.getByRole('dialog', { name: 'This shows a secret' });
  await command.fill('query_key');
  await page.getByLabel('Parameters').fill('{"key_type": "mnemonic"}');
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(secret).toBeVisible();
  await expect(secret.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(result).toHaveCount(0);
  await page.getByRole('button', { name: 'Run' }).click();
  await secret.getByLabel('Password', { exact: true }).fill('wrong');
  await secret.getByRole('button', { name: 'Show it' }).click();
  await expect(secret.getByText('That is not the password of this wallet')).toBeVisible();
  await expect(result).toHaveCount(0);
  await secret.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await secret.getByRole('button', { name: 'Show it' }).click();
  await expect(result).toContainText(words.join(' '));
  // Each time anew.
  await page.getByRole('button', { name: 'Run' }).click();
  await expect(secret.getByLabel('Password', { exact: true })).toHaveValue('');
  await expect(result).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.goto('/#/settings/about');
  await expect(page.getByRole('heading', { name: 'About and security' })).toBeVisible();
  await page.goto('/#/settings/console');
  await expect(command).toHaveValue('');
  await expect(result).toHaveCount(0);

  // A command that closes the wallet locks the page.
  for (const closing of ['close_wallet', 'stop_wallet']) {
    await command.fill(closing);
    await page.getByRole('button', { name: 'Run' }).click();
    await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible();
    await unlock(page);
    await expect(page.getByTestId('balance')).toBeVisible();
    await page.goto('/#/settings/console');
  }
});

test('on a wide screen the commands are listed, found by what they do, and chosen from the keyboard', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await createWallet(page);
  await page.goto('/#/settings/console');
  const commands = page.getByRole('list', { name: 'Commands' }).getByRole('button');
  await expect.poll(() => commands.count()).toBeGreaterThan(90);
  await expect(commands.filter({ hasText: 'rescan_spent' })).toContainText('changes the wallet');
  const command = page.getByLabel('Command', { exact: true });
  await command.fill('by subaddress');
  await commands.filter({ hasText: 'get_balance' }).focus();
  await page.keyboard.press('Enter');
  await expect(command).toHaveValue('get_balance');
  await expect(command).toBeFocused();
  await expect(commands).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('result')).toContainText('unlocked_balance');
});
