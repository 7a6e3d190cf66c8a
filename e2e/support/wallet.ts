import { type BrowserContext, test as base, expect, type Locator, type Page } from '@playwright/test';
import { beginWatching, type Watched, watch } from './watch.ts';

/** The page as a person uses it: by what it says, not by how it is built. */

export const PASSWORD = 'correct horse battery';
const ATOMIC = 10n ** 12n;

export const test = base.extend<{ watched: Watched; faults: string[] }>({
  // biome-ignore lint/correctness/noEmptyPattern: the fixture's own form
  baseURL: async ({}, use) => use(process.env.NIGHTJAR_URL ?? ''),
  /** Nothing may be thrown or refused by the browser during a journey, and no host but this machine be asked. */
  watched: [
    async ({ context }, use) => {
      const watched = beginWatching();
      watch(context);
      await use(watched);
      await answerNoMore(context);
      expect(watched.breaches, 'the content policy holds, and no other host is asked').toEqual([]);
      expect(watched.faults, 'errors in the console').toEqual([]);
    },
    { auto: true },
  ],
  faults: async ({ watched }, use) => use(watched.faults),
});

export { expect };

/** What is still being fetched in place of the network when a test ends is no fault of it. */
export async function answerNoMore(context: BrowserContext): Promise<void> {
  for (const one of [context, ...context.pages()]) await one.unrouteAll({ behavior: 'ignoreErrors' });
}

/**
 * Given to `test.use` by files whose tests ask nothing of the page's service worker: it would fetch and keep all parts of the page for each
 * test, which is a quarter of a short test's work, and is not registered. Tests without a network, of new versions, and of wallets that come
 * back another day have it.
 */
export const NOTHING_KEPT = { serviceWorkers: 'block' } as const;

/** The words that are shown to be written down. */
export const seedWords = (page: Page): Locator => page.getByTestId('seed').locator('.word');

/** Makes a wallet through the page. @param site where the page is; the browser's own base when empty */
export async function createWallet(page: Page, name = 'My wallet', site = ''): Promise<void> {
  await page.goto(`${site}/#/create`);
  await nameAndPassword(page, name);
  await page.getByRole('button', { name: 'Create the wallet' }).click();
  await expect(page.getByTestId('balance')).toBeVisible();
}

/** From the open wallet's password to its words, which are shown then. */
export async function showWords(page: Page): Promise<string[]> {
  await page.goto('/#/recovery');
  await expect(page.getByRole('heading', { name: 'Recovery words' })).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Show the words' }).click();
  await expect(seedWords(page)).toHaveCount(16);
  return seedWords(page).allTextContents();
}

/** The same words in the form that every wallet reads, from where the 16 are shown. */
export async function showLongWords(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Show 25 words instead' }).click();
  await expect(seedWords(page)).toHaveCount(25);
  return seedWords(page).allTextContents();
}

/** Makes a wallet, and reads its words. */
export async function createWithWords(page: Page, name?: string): Promise<string[]> {
  await createWallet(page, name);
  const words = await showWords(page);
  await page.goto('/#/');
  await expect(page.getByTestId('balance')).toBeVisible();
  return words;
}

/** The fields that ask for some of the words, by their labels, with the word that each wants. */
export async function askedWords(page: Page, words: readonly string[]): Promise<{ label: string; word: string }[]> {
  const labels = page.locator('form label');
  await expect(labels).toHaveCount(3);
  const texts = await labels.allTextContents();
  return texts.map((text) => ({ label: text.trim(), word: words[Number(/\d+/.exec(text)?.[0]) - 1] ?? '' }));
}

/** Says that the open wallet's words are on paper, and reads three of them back. */
export async function writeWordsDown(page: Page): Promise<void> {
  const words = await showWords(page);
  await page.getByRole('button', { name: 'I wrote them down' }).click();
  for (const { label, word } of await askedWords(page, words)) await page.getByLabel(label, { exact: true }).fill(word);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByTestId('balance')).toBeVisible();
}

export async function nameAndPassword(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Name of the wallet').fill(name);
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('New password, again').fill(password);
}

/** @param site where the page is; the browser's own base when empty */
export async function restoreWallet(page: Page, words: readonly string[], name = 'Restored', site = ''): Promise<void> {
  await page.goto(`${site}/#/restore`);
  await enterWords(page, words);
  await nameAndPassword(page, name);
  await page.getByRole('button', { name: 'Restore the wallet' }).click();
  await expect(page.getByTestId('balance')).toBeVisible();
}

/** To the next question of a wallet that comes back. */
export const goOn = (page: Page): Promise<void> => page.getByRole('button', { name: 'Continue', exact: true }).click();

/** Words tell their month, or the whole chain is looked through. To the question of name and password. */
export async function enterWords(page: Page, words: readonly string[]): Promise<void> {
  await page.getByLabel('The words, in order').fill(words.join(' '));
  if (words.length === 25) await fromTheStart(page);
  else {
    await expect(page.getByText('These words were made in')).toBeVisible();
    await goOn(page);
  }
}

/** From what was entered to the question of name and password: the whole chain is looked through, as those of the tests are short. */
export async function fromTheStart(page: Page): Promise<void> {
  await goOn(page);
  await page.getByRole('radio', { name: 'Not sure' }).check();
  await goOn(page);
}

/** The id of the payment whose details are shown. */
export async function shownTxHash(page: Page): Promise<string> {
  const id = page.locator('dl > div', { has: page.getByText('Transaction id', { exact: true }) });
  return /[0-9a-f]{64}/.exec((await id.textContent()) ?? '')?.[0] ?? '';
}

export async function unlock(page: Page, password = PASSWORD): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
}

/** Sends the page out of sight, as for another app: whoever does so may not come back. */
export const leaveSight = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });

export async function goTo(page: Page, place: 'Home' | 'Receive' | 'Send' | 'History' | 'Settings'): Promise<void> {
  await page.getByRole('navigation', { name: 'Wallet' }).getByRole('link', { name: place }).click();
}

/** An amount as the page says it to a screen reader: every digit, then the coin's name. In atomic units. */
export async function amountAt(page: Page, testId: string): Promise<bigint> {
  const text = await page.getByTestId(testId).locator('.visually-hidden').first().textContent();
  const match = /(\d+)(?:\.(\d+))? monero/.exec(text ?? '');
  if (!match) throw new Error(`expected an amount at ${testId}, got ${text}`);
  return BigInt(match[1] ?? '0') * ATOMIC + BigInt((match[2] ?? '').padEnd(12, '0'));
}

export const coins = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole) * ATOMIC + BigInt(fraction.padEnd(12, '0'));
};

export async function isLive(page: Page): Promise<void> {
  await expect(page.locator('.sync .title').first()).toHaveText('Up to date', { timeout: 60_000 });
}

/** Takes coins from the faucet and waits until all of the balance can be spent. */
export async function getTestCoins(page: Page): Promise<bigint> {
  await goTo(page, 'Home');
  await isLive(page);
  const before = await amountAt(page, 'balance');
  await page.getByRole('button', { name: 'Get test coins' }).click();
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBeGreaterThan(before);
  await allUnlocked(page);
  return amountAt(page, 'balance');
}

/** Waits, at Home, until nothing of the balance is locked. */
export async function allUnlocked(page: Page): Promise<void> {
  // Nothing is told of either while Home is being drawn.
  await expect(page.getByTestId('balance')).toBeVisible();
  await expect(page.getByTestId('locked')).toHaveCount(0, { timeout: 60_000 });
}

export async function primaryAddress(page: Page): Promise<string> {
  await page.goto('/#/receive/0');
  const address = await page.getByTestId('address').getAttribute('data-address');
  if (address === null) throw new Error('expected the page to show an address');
  return address;
}

/** The page of a payment, filled in. */
export async function fillPayment(page: Page, address: string, amount: string): Promise<void> {
  await page.goto('/#/send');
  await page.getByLabel('Address', { exact: true }).fill(address);
  await page.getByLabel('Amount', { exact: true }).fill(amount);
}

/** From a payment filled in to its review. @param title as who cannot send alone sees it */
export async function toReview(page: Page, title = 'Check before it goes'): Promise<void> {
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('heading', { name: title })).toBeVisible({ timeout: 60_000 });
}

/** The person's yes to a review. */
export async function sendNow(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByRole('heading', { name: 'Sent' })).toBeVisible({ timeout: 60_000 });
}

/** Fills, reviews and confirms a payment. Returns fee and total as shown in the review. */
export async function send(page: Page, address: string, amount: string): Promise<{ fee: bigint; total: bigint }> {
  await fillPayment(page, address, amount);
  await toReview(page);
  const review = { fee: await amountAt(page, 'fee'), total: await amountAt(page, 'total') };
  await sendNow(page);
  return review;
}

/** A browser of its own: nothing shared with the others but the server. @param options whether it keeps the page; it does not when absent */
export async function otherBrowser(
  context: BrowserContext,
  options: { readonly serviceWorkers: 'allow' | 'block' } = NOTHING_KEPT,
): Promise<Page> {
  const browser = context.browser();
  if (!browser) throw new Error('expected a browser');
  const other = await browser.newContext({
    viewport: { width: 390, height: 844 },
    reducedMotion: 'reduce',
    baseURL: process.env.NIGHTJAR_URL ?? '',
    ...options,
  });
  watch(other);
  return other.newPage();
}
