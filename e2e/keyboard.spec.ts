import type { Page } from '@playwright/test';
import ar from '../messages/ar.json' with { type: 'json' };
import fr from '../messages/fr.json' with { type: 'json' };
import { held, putLedger } from './support/ledger.ts';
import {
  askedWords,
  createWallet,
  expect,
  getTestCoins,
  isLive,
  NOTHING_KEPT,
  PASSWORD,
  seedWords,
  test,
} from './support/wallet.ts';

test.use(NOTHING_KEPT);

const OTHER = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

/** Presses Tab until the focus is on something of this name. The mouse is never used. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    const seen = (await focused.count()) === 1 ? await accessibleName(page) : '';
    if (typeof name === 'string' ? seen === name : name.test(seen)) return;
  }
  throw new Error(`expected the keyboard to reach ${name}`);
}

const accessibleName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement)) return '';
    const labelled =
      element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.labels?.[0]?.textContent : '';
    return (element.getAttribute('aria-label') ?? (labelled || element.textContent) ?? '').replaceAll(/\s+/g, ' ').trim();
  });

test('by keyboard alone: make a wallet, take coins, read the address, lock and unlock', async ({ page }) => {
  await page.goto('/');
  await tabTo(page, 'Create a wallet');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused();
  await page.keyboard.type(PASSWORD);
  await tabTo(page, 'New password, again');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('balance')).toBeVisible();
  await isLive(page);

  await tabTo(page, 'Write down the recovery words');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Password');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(seedWords(page)).toHaveCount(16);
  const words = await seedWords(page).allTextContents();
  await tabTo(page, 'I wrote them down');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Check what you wrote' })).toBeFocused();
  for (const { label, word } of await askedWords(page, words)) {
    await tabTo(page, label);
    await page.keyboard.type(word);
  }
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your words are on paper')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Write down the recovery words' })).toHaveCount(0);

  await tabTo(page, 'Get test coins');
  await page.keyboard.press('Space');
  await expect(page.getByText('Coins are on their way')).toBeVisible();

  await page.keyboard.press('Control+Home');
  await page.reload();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('balance')).toBeVisible();
  await tabTo(page, 'Receive');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Receive' })).toBeFocused();
  await tabTo(page, 'New');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'New' })).toBeFocused();
});

test('by keyboard alone: a payment, from the errors of the form to its end', async ({ page }) => {
  await createWallet(page);
  await getTestCoins(page);
  await tabTo(page, 'Send');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Send' })).toBeFocused();
  await tabTo(page, 'Review');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Address', { exact: true }), 'the first field in the wrong').toBeFocused();
  await page.keyboard.type(OTHER);
  await tabTo(page, 'Amount');
  await page.keyboard.type('0.25');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Check before it goes' })).toBeFocused({ timeout: 60_000 });
  await tabTo(page, 'Change something');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Send' })).toBeFocused();
  await tabTo(page, 'Review');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Check before it goes' })).toBeFocused({ timeout: 60_000 });
  await tabTo(page, 'Send now');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Sent' })).toBeFocused({ timeout: 60_000 });
});

test('by keyboard alone: past the bars, into the history and back, through settings and out of a dialog', async ({ page }) => {
  await createWallet(page);
  await getTestCoins(page);
  const heading = page.getByRole('heading', { level: 1 });
  const enter = async (name: string | RegExp): Promise<void> => {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
  };
  /** By what stands before the title, which has the focus; to the link that led there. */
  const goBack = async (link: RegExp): Promise<void> => {
    await page.keyboard.press('Shift+Tab');
    expect(await accessibleName(page)).toBe('Back');
    await page.keyboard.press('Enter');
    await expect.poll(() => accessibleName(page)).toMatch(link);
  };

  await tabTo(page, 'Skip to content');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null), 'the bars are behind').toBe(true);

  await enter('History');
  await expect(heading).toBeFocused();
  await enter(/^Received/);
  await expect(heading).toHaveText('Received');
  await expect(heading).toBeFocused();
  await goBack(/^Received/);

  await enter('Settings');
  await expect(heading).toBeFocused();
  await enter(/^Node/);
  await expect(heading).toHaveText('Node');
  await expect(heading).toBeFocused();
  await goBack(/^Node/);
  await enter(/^Accounts/);
  await expect(heading).toHaveText('Accounts');
  await enter('New account');
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused();
  await page.keyboard.type('Savings');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'New account' })).toBeFocused();
});

test('by keyboard alone: a button that goes away with what it did leaves the focus near', async ({ page }) => {
  await createWallet(page);
  await getTestCoins(page);
  const press = async (name: string | RegExp): Promise<void> => {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
  };
  const isAt = (name: string): Promise<void> => expect.poll(() => accessibleName(page)).toBe(name);

  await page.goto('/#/send');
  await press('Add a recipient');
  await expect(page.getByLabel('Address', { exact: true }).nth(1), 'the new one').toBeFocused();
  await press('Remove recipient 1');
  await isAt('Add a recipient');
  await press('All');
  await isAt('Set an amount');
  await page.keyboard.press('Enter');
  await isAt('Amount');

  await page.goto('/#/settings/contacts');
  await press('New entry');
  await page.keyboard.type('Ana');
  await tabTo(page, 'Address');
  await page.keyboard.type(OTHER);
  await press('Save');
  await expect(page.getByTestId('contacts')).toContainText('Ana');
  await isAt('New entry');
  await press('Change');
  await press('Remove');
  await expect(page.getByTestId('contacts')).toHaveCount(0);
  await isAt('New entry');

  await page.goto('/#/settings/daemon');
  await tabTo(page, 'Address of another node');
  await page.keyboard.type('http://127.0.0.1:9');
  await page.keyboard.press('Enter');
  await press('Remove');
  await isAt('Check them');

  await page.goto('/#/history');
  await press(/^Received/);
  await tabTo(page, 'Note');
  await page.keyboard.type('rent');
  await press('Save');
  await isAt('Note');

  await page.goto('/#/till');
  await expect(page.getByLabel('To be paid, in XMR')).toBeFocused();
  await page.keyboard.type('1');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('till-address')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Till' })).toBeFocused();
});

/** Nobody else's on this chain: what another test pays its Ledger does not come here. */
const OTHERS_SEED = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

test('by keyboard alone: a wallet on a Ledger, and a payment that it signs', async ({ page, context }) => {
  const desk = await putLedger(context);
  await desk.plug(desk.make({ mnemonic: OTHERS_SEED }));
  await page.goto('/');
  await tabTo(page, 'Other ways to begin');
  await page.keyboard.press('Enter');
  await tabTo(page, /^Use a Ledger/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Use a Ledger' })).toBeFocused();
  await tabTo(page, 'Connect the Ledger');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('fingerprint')).toBeVisible();
  await tabTo(page, 'Show it on the Ledger');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Yes, the same');
  await page.keyboard.press('Space');
  await expect(page.getByText('This address is the Ledger’s.')).toBeVisible();
  await tabTo(page, /^By date/);
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('radio', { name: 'Not sure' })).toBeChecked();
  await tabTo(page, 'New password');
  await page.keyboard.type(PASSWORD);
  await tabTo(page, 'New password, again');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('balance')).toBeVisible();
  await getTestCoins(page);
  await tabTo(page, 'Send');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Address');
  await page.keyboard.type(OTHER);
  await tabTo(page, 'Amount');
  await page.keyboard.type('0.25');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Check before it goes' })).toBeFocused({ timeout: 60_000 });
  const look = held(desk, 'Amount');
  await tabTo(page, 'Sign on the Ledger');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('on-ledger')).toContainText('0.25 XMR');
  look.say(true);
  await expect(page.getByRole('heading', { name: 'Sent' })).toBeFocused({ timeout: 60_000 });
});

test.describe('with the whole page cached', () => {
  test.use({ serviceWorkers: 'allow' });

  test('by keyboard alone: an offline device, its pairing code, and its scanner', async ({ page }) => {
    await page.goto('/#/device');
    await expect(page.getByText('All of the page is kept on this device')).toBeVisible();
    await tabTo(page, 'Make this an offline device');
    await page.keyboard.press('Enter');
    await expect(page.getByText('No node is asked, ever')).toBeVisible();
    await tabTo(page, 'Create a wallet');
    await page.keyboard.press('Enter');
    await tabTo(page, 'New password');
    await page.keyboard.type(PASSWORD);
    await tabTo(page, 'New password, again');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Sign with this device' })).toBeVisible();
    await tabTo(page, 'Show pairing code');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Password');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('pairing')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Show pairing code' })).toBeFocused();
    await tabTo(page, 'Scan codes');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Scan the watching wallet' })).toBeFocused();
    await tabTo(page, 'Cancel');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Scan codes' })).toBeVisible();
  });
});

test('by keyboard alone: a setting is found by its name and by the texts of its page, in the current language', async ({
  page,
}) => {
  await createWallet(page);
  await page.goto('/#/settings');
  await tabTo(page, 'Search settings');
  const found = page.locator('main a.leads');
  const type = async (text: string): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
  };
  await page.keyboard.type('tor');
  await expect(found, 'Tor is spoken of where nodes are, and the storage is something else').toContainText(['Node']);
  await expect(page.getByRole('status').filter({ hasText: /^Node$/ })).toBeAttached();
  for (const nothing of ['zzzz', '.*', '🔒', '\u0301', 'x'.repeat(5000), 'pin zzzz']) {
    await type(nothing);
    await expect(page.getByText('No setting matches.'), nothing.slice(0, 9)).toBeVisible();
    await expect(found).toHaveCount(0);
  }
  await type(' (Ｐin]');
  await expect(found.first()).toContainText('PIN');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Set a PIN' })).toBeVisible();

  for (const [code, label, query, name] of [
    ['fr', fr.set_search, 'nœud', fr.set_daemon],
    ['ar', ar.set_search, 'العُقدة', ar.set_daemon],
  ] as const) {
    await page.goto('/#/settings/appearance');
    await page.locator('main select').first().selectOption(code);
    await expect(page.locator('html')).toHaveAttribute('lang', code);
    await page.goto('/#/settings');
    await page.getByRole('searchbox', { name: label }).fill(query);
    await expect(found.first()).toContainText(name);
  }
});

test('settings that cannot be searched without a connection say so and stay listed', async ({ page, faults, context }) => {
  await createWallet(page);
  await page.goto('/#/settings');
  await expect(page.getByRole('searchbox', { name: 'Search settings' })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('searchbox').fill('tor');
  await expect(page.getByRole('alert')).toContainText('This part of the page did not load');
  await expect(page.getByRole('link', { name: /^Safety/ })).toBeVisible();
  await context.setOffline(false);
  faults.length = 0;
});

test('every dialog has the focus while it is open, closes on Escape, and gives the focus back', async ({ page }) => {
  await createWallet(page);
  const opens = async (name: string): Promise<void> => {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    await expect(dialog.locator(':focus')).toHaveCount(1);
    for (let presses = 0; presses < 8; presses += 1) {
      await page.keyboard.press('Tab');
      // The browser's own bars may take their turn; nothing of the page beneath does.
      expect(
        await page.evaluate(() => document.activeElement?.closest('dialog')?.open ?? document.activeElement === document.body),
      ).toBe(true);
    }
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect.poll(() => accessibleName(page)).toBe(name);
  };
  await page.goto('/#/receive');
  await opens('New');
  await page.goto('/#/settings/safety/unlock');
  await opens('Change the password');
  await page.reload();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await opens('Remove from this browser');
});

test('the focus is always visible', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Create a wallet' })).toBeVisible();
  await ringsAreSeen(page);
  await createWallet(page);
  for (const path of ['receive', 'send', 'settings', 'settings/daemon', 'settings/safety', 'settings/appearance', '']) {
    await page.goto(`/#/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await ringsAreSeen(page);
  }
});

/** Tabs through the page: everything focusable, except the view's title, shows a focus ring on itself or its box. */
async function ringsAreSeen(page: Page): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    const seen = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return 'around';
      const outlined = [element, element.nextElementSibling].some((part) => {
        const { outlineStyle, outlineWidth } = part ? getComputedStyle(part) : { outlineStyle: 'none', outlineWidth: '0px' };
        return outlineStyle === 'solid' && Number.parseFloat(outlineWidth) >= 1;
      });
      const box = element.closest('.box');
      const shadowed = box !== null && getComputedStyle(box).boxShadow !== 'none';
      return outlined || shadowed ? 'ring' : element.outerHTML.slice(0, 120);
    });
    if (seen === 'around') return;
    expect(seen).toBe('ring');
  }
}
