import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import packageJson from '../package.json' with { type: 'json' };
import { newestChanges } from '../scripts/changes.ts';
import { type FrontServer, release, showDocument, startFront } from './support/front.ts';
import { amountAt, createWallet, expect, fillPayment, getTestCoins, goTo, isLive, test, unlock } from './support/wallet.ts';

test('without a connection the page opens, says so, and shows what the wallet knew @wide', async ({ page, context }) => {
  const size = page.viewportSize();
  // Home's receive code has not been shown while there was a connection.
  await page.setViewportSize({ width: 390, height: 844 });
  await createWallet(page);
  const had = await getTestCoins(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  if (size) await page.setViewportSize(size);
  await context.setOffline(true);
  await page.goto('/');
  // Some releases of Chromium answer nothing to the new document but tell it that it is online: it is told anew.
  await context.setOffline(false);
  await context.setOffline(true);
  await expect(page.getByText('You are offline')).toBeVisible();
  await unlock(page);
  await expect(page.getByText('This is what the wallet last knew')).toBeVisible();
  expect(await amountAt(page, 'balance')).toBe(had);
  if (size?.width === 1440)
    await expect(page.getByRole('img', { name: 'QR code of this address' }), 'to be paid by').toBeVisible();
  await expect(page.locator('.sync .title').first()).toHaveText('You are offline');
  await expect(page.getByTestId('balance-label'), 'nothing is being looked at').toHaveText(/^Balance at block [\d,]+$/);
  await expect(page.locator('main .sync .detail')).toHaveText(/^block [\d,]+$/);
  await page.goto('/#/receive');
  await expect(page.getByTestId('address')).toBeVisible();
  await page.goto('/#/settings/about');
  await expect(page.getByText('Proof of work is not checked')).toBeVisible();

  await context.setOffline(false);
  await page.goto('/#/');
  await isLive(page);
  await expect(page.getByTestId('balance-label')).toHaveText('Balance');
  await context.setOffline(true);
  await expect(page.getByTestId('balance-label'), 'since when nothing is known').toHaveText(/^Balance as of \d{1,2}:\d\d/, {
    timeout: 60_000,
  });
  await context.setOffline(false);
  await expect(page.getByTestId('balance-label')).toHaveText('Balance');
  await expect(page.getByRole('button', { name: 'Get test coins' }), 'what this site offers is asked anew').toBeVisible();
});

test('T18 parts of the page that the browser dropped are laid down again, and it opens without a connection', async ({
  page,
  context,
}) => {
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready);
  const kept = (): Promise<number> =>
    page.evaluate(async () => {
      const name = (await caches.keys()).find((one) => one.includes('precache'));
      return name === undefined ? 0 : (await (await caches.open(name)).keys()).length;
    });
  await page.reload();
  const had = await kept();
  expect(had).toBeGreaterThan(10);
  await page.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name);
  });
  await page.reload();
  await expect.poll(kept).toBe(had);
  await context.setOffline(true);
  await page.goto('/#/create');
  await expect(page.getByLabel('Name of the wallet')).toBeVisible();
  await context.setOffline(false);
});

test('T13 the first visit offers no new version, though the page may see its first worker wait', async ({ page }) => {
  await page.addInitScript(() => {
    const workers = navigator.serviceWorker;
    const register = workers.register.bind(workers);
    workers.register = async (script, options) => {
      const registration = await register(script, options);
      const worker = registration.installing;
      await new Promise((resolve) => worker?.addEventListener('statechange', resolve, { once: true }));
      Object.assign(window, { sawItWait: registration.waiting === worker });
      return registration;
    };
  });
  await page.goto('/#/create');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  // The worker answers in turn: what the page asked of it has been answered before this.
  await page.evaluate(async () => {
    const channel = new MessageChannel();
    const answered = new Promise((resolve) => {
      channel.port1.onmessage = resolve;
    });
    navigator.serviceWorker.controller?.postMessage({ type: 'offered' }, [channel.port2]);
    await answered;
  });
  expect(await page.evaluate(() => 'sawItWait' in window && window.sawItWait)).toBe(true);
  await expect(page.getByText('A new version is ready')).toHaveCount(0);
});

test('T13 where the browser takes no module for a service worker, or none at all, the page works', async ({ page, context }) => {
  await page.addInitScript(() => {
    const workers = navigator.serviceWorker;
    const register = workers.register.bind(workers);
    workers.register = async (script, options) => {
      if (options?.type === 'module') throw new TypeError('module service workers are not supported');
      return register(script, options);
    };
  });
  await page.goto('/');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);

  const other = await context.newPage();
  await other.addInitScript(() => {
    navigator.serviceWorker.register = () => Promise.reject(new DOMException('refused', 'SecurityError'));
  });
  await createWallet(other);
});

/** Texts of the buttons that the offer of a new version covers: the main one at the page's beginning, and all at its end. */
const underOffer = (page: Page): Promise<{ readonly primary: string[]; readonly covered: string[] }> =>
  page.evaluate(() => {
    const under = (selector: string): string[] => {
      const offer = document.querySelector('aside')?.getBoundingClientRect().top ?? Number.NaN;
      const buttons = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
      return buttons.filter((one) => !(one.getBoundingClientRect().bottom <= offer)).map(({ textContent }) => textContent);
    };
    window.scrollTo(0, 0);
    const primary = under('main .btn.primary');
    window.scrollTo(0, document.documentElement.scrollHeight);
    return { primary, covered: under('main button') };
  });

const withProxy = test.extend<{ front: FrontServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: the fixture's own form
  front: async ({}, use) => {
    const front = await startFront(process.env.NIGHTJAR_URL ?? '');
    await use(front);
    await front.close();
  },
  baseURL: ({ front }, use) => use(front.url),
});

/** Which build the page shown is of. */
const buildOf = (page: Page): Promise<string | null> => page.locator('meta[name=build]').getAttribute('content');

/**
 * Puts a build on the server and has the browser look for it, until a service worker that was found since is `installed` or, where it lacks a part,
 * `redundant`. Browsers look by themselves, too: a look that began before, and one of the page's own, must not be taken for this one.
 */
async function fetchVersion(page: Page, state: 'installed' | 'redundant', put: () => Promise<void>): Promise<void> {
  const look = await page.evaluateHandle(async (wanted) => {
    const registration = await navigator.serviceWorker.ready;
    const look = { registration, isReached: false, settled: Promise.resolve() };
    registration.addEventListener('updatefound', () => {
      const worker = registration.installing;
      look.settled = new Promise((resolve) => {
        worker?.addEventListener('statechange', () => {
          look.isReached ||= worker.state === wanted;
          resolve();
        });
      });
    });
    return look;
  }, state);
  await put();
  await look.evaluate(async (look) => {
    while (!look.isReached) {
      await look.registration.update();
      await look.settled;
    }
  });
}

withProxy(
  'T13 of a build that the server leaves for another while it is fetched, nothing is offered',
  async ({ page, front }) => {
    await page.goto('/');
    await page.evaluate(() => navigator.serviceWorker.ready);
    await fetchVersion(page, 'redundant', async () => {
      await release(front, 'second');
      showDocument(front, () => '<!doctype html><head><meta name="build" content="third"></head>');
    });
    await page.reload();
    expect(await page.locator('meta[name=build]').count(), 'the version that was there').toBe(0);
    await expect(page.getByText('A new version is ready')).toHaveCount(0);
    await fetchVersion(page, 'installed', () => release(front, 'third'));
    await expect(page.getByText('A new version is ready')).toBeVisible();
  },
);

withProxy(
  'T13 a new version is named with what is new in it, and waits until the person accepts it, however often the page is opened anew',
  async ({ page, context, front }) => {
    await release(front, 'first');
    await createWallet(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await unlock(page);
    await expect(page.getByTestId('balance')).toBeVisible();
    await fetchVersion(page, 'installed', () => release(front, 'second'));
    await expect(page.getByText('A new version is ready')).toBeVisible();
    await expect(page.getByText(/Version \d+\.\d+\.\d+/).first()).toBeVisible();
    await expect(page.getByTestId('balance'), 'the open wallet is left alone').toBeVisible();
    await page.getByText('What is new', { exact: true }).click();
    const changes = newestChanges(readFileSync('CHANGELOG.md', 'utf8'));
    await expect(
      page
        .getByRole('listitem')
        .filter({ hasText: changes[0] ?? '' })
        .first(),
    ).toBeVisible();
    await page.getByRole('complementary').getByRole('button', { name: 'Later' }).click();
    await expect(page.getByTestId('balance')).toBeVisible();

    // The last page is closed, and the browser may let any worker take over.
    await page.close();
    const opened = await context.newPage();
    await opened.goto('/');
    await expect(opened.getByText('A new version is ready')).toBeVisible();
    expect(await buildOf(opened)).toBe('first');
    // A third build takes the place of the second, not of the one in use.
    await fetchVersion(opened, 'installed', () => release(front, 'third'));
    await opened.reload();
    await unlock(opened);
    expect(await buildOf(opened)).toBe('first');
    await opened.getByRole('button', { name: 'Update now' }).click();
    await expect(opened.locator('meta[name=build][content=third]')).toBeAttached();
    await expect(opened.getByText('A new version is ready')).toBeHidden();
    await unlock(opened);
    await expect(opened.getByTestId('balance')).toBeVisible();
  },
);

withProxy(
  'T13 a payment that was begun, in an open wallet or one that was locked since, is there again in the new version, and nothing of it is readable meanwhile',
  async ({ page, front }) => {
    const payee = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';
    await release(front, 'first');
    await createWallet(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await fillPayment(page, payee, '1.5');
    for (const [mark, lockedBefore] of [
      ['second', false],
      ['third', true],
    ] as const) {
      if (lockedBefore) await page.getByRole('button', { name: 'Lock wallet' }).click();
      await fetchVersion(page, 'installed', () => release(front, mark));
      await expect(page.getByText('a payment you have begun is kept')).toBeVisible();
      const { covered, primary } = await underOffer(page);
      expect(covered, 'at the end of the page').toEqual([]);
      expect(primary, 'at its beginning').toEqual([]);
      await page.getByRole('button', { name: 'Update now' }).click();
      await expect(page.locator(`meta[name=build][content=${mark}]`)).toBeAttached();
      await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
      expect(await page.evaluate(() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage))).not.toContain(payee);
      await unlock(page);
      await goTo(page, 'Send');
      await expect(page.getByLabel('Address', { exact: true })).toHaveValue(payee);
      await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('1.5');
    }
  },
);

withProxy('T13 an older version is called that, and the way out is the way to go on', async ({ page, front }) => {
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await fetchVersion(page, 'installed', () => release(front, 'older', undefined, '0.0.9'));
  const offer = page.getByRole('complementary', { name: 'An older version is offered' });
  await expect(offer).toContainText(`The server now has version 0.0.9; you are using ${packageJson.version}.`);
  await expect(page.getByText('A new version is ready')).toHaveCount(0);
  await expect(offer.getByRole('button').and(page.locator('.primary'))).toHaveText('Later');
  await offer.getByRole('button', { name: 'Later' }).click();
  await expect(offer).toBeHidden();
  await page.reload();
  await offer.getByRole('button', { name: 'Use the older version' }).click();
  await expect(page.locator('meta[name=build][content=older]')).toBeAttached();
});

withProxy(
  'T13 a version that cannot start is replaced by the next one, since it cannot ask',
  async ({ page, context, front }) => {
    await page.goto('/');
    await page.evaluate(() => navigator.serviceWorker.ready);
    await fetchVersion(page, 'installed', () =>
      release(front, 'broken', () => '<!doctype html><head><meta name="build" content="broken"></head>'),
    );
    await page.getByRole('button', { name: 'Update now' }).click();
    await expect(page.locator('meta[name=build][content=broken]')).toBeAttached();
    await fetchVersion(page, 'installed', () => release(front, 'cure'));
    const shown: (string | null)[] = [];
    let opened = page;
    for (let start = 0; start < 4; start++) {
      await opened.close();
      opened = await context.newPage();
      await opened.goto('/');
      shown.push(await buildOf(opened));
    }
    expect(shown).toEqual(['broken', 'broken', 'broken', 'cure']);
    await expect(opened.getByRole('link', { name: 'Create a wallet' })).toBeVisible();
  },
);
