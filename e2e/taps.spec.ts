import type { Page } from '@playwright/test';
import { authenticator, setUpPasskey } from './support/authenticator.ts';
import {
  createWallet,
  expect,
  getTestCoins,
  isLive,
  NOTHING_KEPT,
  otherBrowser,
  PASSWORD,
  primaryAddress,
  test,
} from './support/wallet.ts';

// How often a person touches the screen on the ways that are gone most. Whatever is pressed is counted by the page itself: every trusted
// click, those that a key makes included, on whatever it falls. What is typed goes where the focus is, as it does under a thumb.

test.use({
  ...NOTHING_KEPT,
  baseURL: async ({ baseURL }, use) => use((baseURL ?? '').replace('127.0.0.1', 'localhost')),
  hasTouch: true,
});

/** Counts from now on, over reloads too. */
async function countTaps(page: Page): Promise<() => Promise<readonly string[]>> {
  const taps: string[] = [];
  await page.exposeBinding('tapped', (_, on: string) => void taps.push(on));
  const listen = (): void => {
    const tell = (window as unknown as { tapped(on: string): void }).tapped;
    const hear = ({ isTrusted, target }: Event): void => {
      if (isTrusted) tell((target as Element).textContent?.trim() ?? '');
    };
    addEventListener('click', hear, { capture: true });
  };
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return async () => {
    // What was pressed is told before this is answered.
    await page.evaluate(() => undefined);
    return taps;
  };
}

test('from the first load to a receive code: four taps', async ({ page }) => {
  await page.goto('/');
  const taps = await countTaps(page);
  await page.getByRole('link', { name: 'Create a wallet' }).tap();
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused();
  await page.keyboard.type(PASSWORD);
  await page.getByLabel('New password, again').tap();
  await page.keyboard.type(PASSWORD);
  await page.getByRole('button', { name: 'Create the wallet' }).tap();
  await page.getByRole('navigation').getByRole('link', { name: 'Receive' }).tap();
  await expect(page.getByRole('img', { name: /QR/ })).toBeVisible();
  expect((await taps()).length, (await taps()).join(' · ')).toBe(4);
});

test('returning with a passkey to a receive code: two taps', async ({ page }) => {
  await authenticator(page, true);
  await createWallet(page);
  await setUpPasskey(page);
  await expect(page.getByText('The passkey opens this wallet now')).toBeVisible();
  await page.goto('/');
  await page.reload();
  const taps = await countTaps(page);
  await page.getByRole('button', { name: 'Unlock with the passkey' }).tap();
  await page.getByRole('navigation').getByRole('link', { name: 'Receive' }).tap();
  await expect(page.getByRole('img', { name: /QR/ })).toBeVisible();
  expect((await taps()).length, (await taps()).join(' · ')).toBe(2);
});

test('from the open wallet to a payment of somebody in the address book: four taps', async ({ page, context }) => {
  const other = await otherBrowser(context);
  await createWallet(other);
  const address = await primaryAddress(other);
  await other.context().close();
  await createWallet(page);
  await page.goto('/#/settings/contacts');
  await page.getByRole('button', { name: 'New entry' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Ana');
  await dialog.getByLabel('Address').fill(address);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();
  await getTestCoins(page);
  await isLive(page);
  const taps = await countTaps(page);
  await page.getByRole('navigation').getByRole('link', { name: 'Send' }).tap();
  await page.getByRole('button', { name: 'Ana', exact: true }).tap();
  await expect(page.getByLabel('Amount', { exact: true })).toBeFocused();
  await page.keyboard.type('0.4');
  await page.getByRole('button', { name: 'Review' }).tap();
  await page.getByRole('button', { name: 'Send now' }).tap({ timeout: 60_000 });
  await expect(page.getByRole('heading', { name: 'Sent' })).toBeVisible({ timeout: 60_000 });
  expect((await taps()).length, (await taps()).join(' · ')).toBe(4);
});

test('the button for another address does not move while the address is loading', async ({ page }) => {
  await createWallet(page);
  await isLive(page);
  // Where it is in every frame: what moves between a finger's coming down and its going up is not pressed.
  await page.evaluate(() => {
    const places = new Set<number>();
    const look = (): void => {
      const button = [...document.querySelectorAll('main button')].find(({ textContent }) => textContent?.trim() === 'New');
      if (button) places.add(Math.round(button.getBoundingClientRect().top + scrollY));
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { places });
  });
  await page.getByRole('navigation').getByRole('link', { name: 'Receive' }).tap();
  await expect(page.getByRole('img', { name: /QR/ })).toBeVisible();
  const places = await page.evaluate(() => [...(window as unknown as { places: Set<number> }).places]);
  expect(places).toHaveLength(1);
});

test('a tap navigates at once, so that typed text goes to the new view, and a link to the current view does nothing', async ({
  page,
}) => {
  await createWallet(page);
  await isLive(page);
  const headings = await page.evaluate(async () => {
    const seen: string[] = [];
    const steps = history.length;
    for (const path of ['receive', 'history', 'history']) {
      document.querySelector<HTMLElement>(`nav a[href="#/${path}"]`)?.click();
      // Nothing but what the tap itself began: no event of the browser comes in between.
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      seen.push(document.querySelector('h1')?.textContent?.trim() ?? '');
    }
    return [...seen, String(history.length - steps)];
  });
  expect(headings).toEqual(['Receive', 'History', 'History', '2']);
});
