import { parseJson } from '../src/base/index.ts';
import { createWallet, expect, getTestCoins, test, unlock } from './support/wallet.ts';

// What a browser asks of a page before it installs it, answered by the browser itself.

interface Icon {
  readonly src: string;
  readonly sizes: string;
  readonly type: string;
  readonly purpose?: string;
}

interface Manifest {
  readonly name: string;
  readonly short_name: string;
  readonly start_url: string;
  readonly display: string;
  readonly icons: readonly Icon[];
  readonly screenshots: readonly (Icon & { readonly form_factor: string; readonly label: string })[];
  readonly shortcuts: readonly { readonly url: string; readonly icons: readonly Icon[] }[];
}

/** Runs in the page: what an icon really is, and how far from its middle (in parts of its width) anything is drawn. */
async function lookAt(src: string): Promise<{ type: string | null; size: string; drawnWithin: number; opaque: boolean }> {
  const response = await fetch(src);
  const type = response.headers.get('content-type');
  const image = await createImageBitmap(await response.blob());
  const { width, height } = image;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('expected a canvas');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  let drawnWithin = 0;
  let opaque = true;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] !== 255) opaque = false;
    if ([0, 1, 2].every((channel) => Math.abs((data[at + channel] ?? 0) - (data[channel] ?? 0)) < 3)) continue;
    const x = ((at / 4) % width) + 0.5 - width / 2;
    const y = Math.floor(at / 4 / width) + 0.5 - height / 2;
    drawnWithin = Math.max(drawnWithin, Math.hypot(x, y) / width);
  }
  return { type, size: `${width}x${height}`, drawnWithin, opaque };
}

test('the page is installable, and every icon has its declared size', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready);
  const client = await page.context().newCDPSession(page);
  const { errors, data = '' } = await client.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { installabilityErrors } = await client.send('Page.getInstallabilityErrors');
  // A test's window is a private one, where nothing can be installed.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);

  const manifest = parseJson(data) as unknown as Manifest;
  expect(manifest).toMatchObject({ name: 'Nightjar', short_name: 'Nightjar', start_url: './', display: 'standalone' });
  const icons = [...manifest.icons, ...manifest.shortcuts.flatMap((shortcut) => shortcut.icons)];
  expect(new Set(icons.map(({ sizes }) => sizes))).toEqual(new Set(['any', '192x192', '512x512']));
  for (const { src, sizes, type, purpose } of icons.filter((icon) => icon.sizes !== 'any')) {
    const seen = await page.evaluate(lookAt, src);
    expect(seen, src).toMatchObject({ type, size: sizes });
    if (purpose !== 'maskable') continue;
    // Any mask leaves the circle of four fifths of the width (W3C App Manifest, "Icon masks and safe zone").
    expect(seen.drawnWithin, src).toBeLessThan(0.4);
    expect(seen.opaque, src).toBe(true);
  }
  for (const { src, sizes, type, label } of manifest.screenshots) {
    expect(await page.evaluate(lookAt, src), src).toMatchObject({ type, size: sizes });
    expect(label).not.toBe('');
  }
  expect(new Set(manifest.screenshots.map(({ form_factor }) => form_factor))).toEqual(new Set(['wide', 'narrow']));
  // They are for that dialog alone: nobody fetches them to open the page offline.
  const kept = await page.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return stores.flat().map(({ url }) => url);
  });
  expect(kept.some((url) => url.includes('icon-192'))).toBe(true);
  expect(kept.filter((url) => url.includes('screenshots'))).toEqual([]);
});

test('a shortcut of the installed page leads there once the wallet is unlocked', async ({ page }) => {
  await createWallet(page);
  const { data = '' } = await (await page.context().newCDPSession(page)).send('Page.getAppManifest');
  for (const { url } of (parseJson(data) as unknown as Manifest).shortcuts) {
    await page.goto('about:blank');
    await page.goto(`/${url.replace('./', '')}`);
    await unlock(page);
    await expect(page.getByRole('heading', { level: 1, name: url.endsWith('send') ? 'Send' : 'Receive' })).toBeVisible();
  }
});

test('the page offers to be installed where the browser supports it, until it is installed', async ({ page }) => {
  await createWallet(page);
  await page.goto('/#/settings/app');
  await expect(page.getByText('Look in your browser’s menu for “Install”')).toBeVisible();
  // A private window is offered nothing: the browser's own event, as it would come.
  await page.evaluate(() => {
    const offer = new Event('beforeinstallprompt', { cancelable: true });
    Object.assign(offer, { prompt: async () => window.dispatchEvent(new Event('appinstalled')) });
    window.dispatchEvent(offer);
  });
  await page.getByRole('button', { name: 'Install Nightjar' }).click();
  await expect(page.getByText('Nightjar runs as an app.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Install Nightjar' })).toHaveCount(0);
});

test('a payment received while the page is hidden is notified and counted, without its amount, once the person turned that on', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['notifications']);
  await page.addInitScript(() => {
    const told: unknown[] = [];
    Object.assign(window, { told });
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => void told.push([title, options?.body]);
    navigator.setAppBadge = async (count) => void told.push(count);
    navigator.clearAppBadge = async () => void told.push('seen');
  });
  const told = (): Promise<unknown> => page.evaluate(() => (window as unknown as { told: unknown[] }).told);
  const hide = (hidden: boolean): Promise<void> =>
    page.evaluate((out) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => out });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await createWallet(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.goto('/#/settings/app');
  await page.getByLabel('Tell me about incoming payments').check();
  await getTestCoins(page);
  expect(await told(), 'what is seen is not told').toEqual([]);
  await hide(true);
  await page.getByRole('button', { name: 'Get test coins' }).click();
  await expect.poll(told, { timeout: 60_000 }).toEqual([1, ['A payment came in', 'Open Nightjar to see it.']]);
  await hide(false);
  await expect.poll(told).toEqual([1, ['A payment came in', 'Open Nightjar to see it.'], 'seen']);
});

test('on periodic sync, the service worker has an open wallet check for payments; a locked one does nothing and shows nothing', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['notifications']);
  // Records calls to the wallet worker and notifications. Periodic sync is stubbed, since only an installed page may register it.
  await page.addInitScript(() => {
    const seen: { calls: string[]; shown: unknown[]; tags: string[] } = { calls: [], shown: [], tags: [] };
    Object.assign(window, { seen });
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (this: Worker, message: unknown, ...rest: unknown[]) {
      seen.calls.push(JSON.stringify(message, (_, value) => (typeof value === 'bigint' ? String(value) : value)) ?? '');
      return Reflect.apply(postMessage, this, [message, ...rest]);
    };
    ServiceWorkerRegistration.prototype.showNotification = async (...told) => void seen.shown.push(told);
    const periodicSync = {
      register: async (tag: string) => void seen.tags.push(tag),
      unregister: async (tag: string) => void seen.tags.splice(seen.tags.indexOf(tag), 1),
      getTags: async () => seen.tags,
    };
    Object.defineProperty(ServiceWorkerRegistration.prototype, 'periodicSync', { get: () => periodicSync });
  });
  const seen = () => page.evaluate(() => (window as unknown as { seen: Record<'calls' | 'shown' | 'tags', string[]> }).seen);
  const looks = async (): Promise<number> => (await seen()).calls.filter((call) => call.includes('"refresh"')).length;

  await createWallet(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.goto('/#/settings/app');
  await page.getByLabel('Tell me about incoming payments').check();
  await expect(page.getByText('This browser also wakes Nightjar now and then')).toBeVisible();
  const [tag = ''] = (await seen()).tags;

  const tools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [ours] = registrations.filter(({ isDeleted }) => !isDeleted);
      if (ours) resolve(ours.registrationId);
    });
  });
  await tools.send('ServiceWorker.enable');
  const registrationId = await registered;
  const wake = () =>
    tools.send('ServiceWorker.dispatchPeriodicSyncEvent', { origin: new URL(page.url()).origin, registrationId, tag });
  expect(await looks()).toBe(0);
  // The page listens once its part for that has come.
  await expect.poll(async () => wake().then(looks)).toBeGreaterThan(0);

  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  const before = await looks();
  await wake();
  // The worker answers in turn: whatever the waking brought about has been asked of the page before this.
  await page.evaluate(async () => {
    const { port1, port2 } = new MessageChannel();
    const answered = new Promise((resolve) => {
      port1.onmessage = resolve;
    });
    navigator.serviceWorker.controller?.postMessage({ type: 'offered' }, [port2]);
    await answered;
  });
  expect(await looks()).toBe(before);
  expect((await seen()).shown).toEqual([]);

  await unlock(page);
  await page.goto('/#/settings/app');
  await page.getByLabel('Tell me about incoming payments').uncheck();
  await expect(page.getByText('This browser also wakes Nightjar now and then')).toHaveCount(0);
  expect((await seen()).tags).toEqual([]);
});
