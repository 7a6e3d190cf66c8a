import type { Page } from '@playwright/test';
import { type Authenticator, authenticator, setUpPasskey } from './support/authenticator.ts';
import { createWallet, expect, PASSWORD, test, unlock } from './support/wallet.ts';

// A wallet behind a passkey.

// A name, as passkeys belong to one and never to a number.
test.use({ baseURL: async ({ baseURL }, use) => use((baseURL ?? '').replace('127.0.0.1', 'localhost')) });

const ownerIsThere = ({ client, authenticatorId }: Authenticator, isUserVerified: boolean): Promise<unknown> =>
  client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });

/** Names of the passkeys that the authenticator keeps. */
async function passkeyNames({ client, authenticatorId }: Authenticator): Promise<(string | undefined)[]> {
  const { credentials } = await client.send('WebAuthn.getCredentials', { authenticatorId });
  return credentials.map(({ userName }) => userName);
}

const lock = (page: Page): Promise<void> => page.getByRole('button', { name: 'Lock wallet' }).click();
const withPasskey = (page: Page) => page.getByRole('button', { name: 'Unlock with the passkey' });

test('a passkey opens the wallet for its owner only, until the password is changed', async ({ page }) => {
  const owner = await authenticator(page, true);
  await createWallet(page);
  await page.goto('/#/settings/safety/unlock');
  await page.getByRole('button', { name: 'Set up a passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill('wrong');
  await dialog.getByRole('button', { name: 'Set up a passkey' }).click();
  await expect(dialog.getByText('That is not the password of this wallet')).toBeVisible();
  await page.keyboard.press('Escape');
  await setUpPasskey(page);
  await expect(page.getByText('The passkey opens this wallet now')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop using the passkey' })).toBeFocused();

  // From a closed page to the wallet: two taps to an address.
  await page.goto('/');
  await page.reload();
  await withPasskey(page).click();
  await page.getByRole('link', { name: 'Receive' }).first().click();
  await expect(page.getByTestId('address')).toBeVisible();

  await test.step('once the wallet is called otherwise, the authenticator asks by that name from the next unlocking on', async () => {
    await page.goto('/#/settings/name');
    await page.getByLabel('Name of the wallet').fill('Holiday');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('The wallet is called “Holiday” now.')).toBeVisible();
    await lock(page);
    await withPasskey(page).click();
    await expect(page.getByTestId('balance')).toBeVisible();
    await expect.poll(() => passkeyNames(owner)).toEqual(['Holiday']);
  });

  await lock(page);
  await ownerIsThere(owner, false);
  await withPasskey(page).click();
  await expect(page.getByText('The passkey was not confirmed')).toBeVisible();
  await unlock(page);
  await expect(page.getByTestId('balance')).toBeVisible();
  await ownerIsThere(owner, true);

  // Nothing that is kept in clear opens it.
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(kept).toContain('nightjar.passkey');
  expect(kept).not.toContain(PASSWORD);
  expect(kept).not.toContain(btoa(PASSWORD).slice(0, 8));

  await page.goto('/#/settings/safety/unlock');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await dialog.getByLabel('Current password').fill(PASSWORD);
  await dialog.getByLabel('New password', { exact: true }).fill('another long one');
  await dialog.getByLabel('New password, again').fill('another long one');
  await dialog.getByRole('button', { name: 'Change the password' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => passkeyNames(owner), 'one that opens nothing is not offered').toEqual([]);
  await lock(page);
  await expect(page.getByRole('button', { name: 'Unlock', exact: true })).toBeVisible();
  await expect(withPasskey(page)).toHaveCount(0);
});

test('a device whose passkeys lack PRF says so, and one without passkeys offers none', async ({ page }) => {
  await createWallet(page);
  await page.goto('/#/settings/safety/unlock');
  await expect(page.getByText('This browser or device has no passkeys')).toBeVisible();
  const without = await authenticator(page, false);
  await page.goto('/#/');
  // Whether there are passkeys is asked as the settings are drawn.
  await expect(page.getByTestId('balance')).toBeVisible();
  await setUpPasskey(page);
  await expect(page.getByRole('dialog').getByText('cannot keep a secret for a page')).toBeVisible();
  await expect.poll(() => passkeyNames(without), 'the one that was made for nothing').toEqual([]);
  await page.keyboard.press('Escape');
  await lock(page);
  await expect(withPasskey(page)).toHaveCount(0);
});

test('a passkey is no longer offered once it is not used, or its wallet is removed', async ({ page }) => {
  const owner = await authenticator(page, true);
  await createWallet(page);
  await setUpPasskey(page);
  await page.getByRole('button', { name: 'Stop using the passkey' }).click();
  await expect.poll(() => passkeyNames(owner)).toEqual([]);
  await setUpPasskey(page);
  await expect.poll(() => passkeyNames(owner)).toEqual(['My wallet']);
  await lock(page);
  await page.getByRole('button', { name: 'Remove from this browser' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Remove this wallet' }).click();
  await expect.poll(() => passkeyNames(owner)).toEqual([]);
});

test('a page opened by IP address says why it offers no passkeys', async ({ page }) => {
  const url = process.env.NIGHTJAR_URL ?? '';
  expect(new URL(url).hostname).toBe('127.0.0.1');
  await page.goto(url);
  await authenticator(page, true);
  await createWallet(page, 'My wallet', url);
  await page.goto(`${url}/#/settings/safety/unlock`);
  await expect(page.getByText('this page was opened by a number, 127.0.0.1')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Set up a passkey' })).toHaveCount(0);
});
