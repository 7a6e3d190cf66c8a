import type { Page } from '@playwright/test';
import { bytesToHex } from '../src/base/index.ts';
import { keysFromSeed, loadCrypto } from '../src/crypto/index.ts';
import { wordsToSeed } from '../src/protocol/index.ts';
import { authenticator, setUpPasskey } from './support/authenticator.ts';
import {
  createWallet,
  expect,
  getTestCoins,
  PASSWORD,
  primaryAddress,
  showLongWords,
  showWords,
  test,
  unlock,
} from './support/wallet.ts';

// Secrets that are known to the test, looked for wherever a browser keeps or sends something.

// A name, as passkeys belong to one and never to a number.
test.use({ baseURL: async ({ baseURL }, use) => use((baseURL ?? '').replace('127.0.0.1', 'localhost')) });

const PIN = '480215';
const NEXT_PASSWORD = 'staple of another kind';
const SCREENS = [
  ...['', 'receive', 'send', 'history', 'till', 'codes', 'recovery', 'settings', 'settings/coins', 'settings/contacts'],
  ...['settings/name', 'settings/daemon', 'settings/offline', 'settings/proof', 'settings/console', 'settings/safety'],
  ...['settings/safety/unlock', 'settings/safety/lock', 'settings/safety/programs', 'no such place'],
];

interface Secret {
  readonly name: string;
  readonly text: string;
}

/** All that this site keeps in the browser, bytes as hex. */
async function keptBy(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const written = (_: string, value: unknown): unknown => {
      if (value instanceof ArrayBuffer) return hex(new Uint8Array(value));
      if (ArrayBuffer.isView(value)) return hex(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
      if (value instanceof CryptoKey) return `key, extractable: ${value.extractable}`;
      return typeof value === 'bigint' ? String(value) : value;
    };
    const parts: unknown[] = [{ ...localStorage }, { ...sessionStorage }, history.state, location.href, document.cookie, name];
    for (const { name: database } of await indexedDB.databases()) {
      const open = await done(indexedDB.open(database ?? ''));
      for (const store of open.objectStoreNames) {
        const rows = open.transaction(store).objectStore(store);
        parts.push(database, store, await done(rows.getAllKeys()), await done(rows.getAll()));
      }
      open.close();
    }
    for (const cache of await caches.keys())
      parts.push((await (await caches.open(cache)).keys()).map(({ url, method }) => `${cache} ${method} ${url}`));
    return JSON.stringify(parts, written);
  });
}

/** Every message that the page gets from its workers, from the next document on. */
async function hearWorkers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const note = ({ data }: MessageEvent) => {
      heard.push(
        JSON.stringify(data, (_, value: unknown) => {
          if (value instanceof ArrayBuffer) return hex(new Uint8Array(value));
          if (ArrayBuffer.isView(value)) return hex(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
          if (value instanceof Map || value instanceof Set) return [...value];
          return typeof value === 'bigint' ? String(value) : value;
        }) ?? '',
      );
    };
    const listen = EventTarget.prototype.addEventListener;
    for (const kind of [Worker, MessagePort]) {
      kind.prototype.addEventListener = function (this: EventTarget, ...given: Parameters<typeof listen>) {
        if (given[0] === 'message') listen.call(this, 'message', note as EventListener);
        listen.apply(this, given);
      } as typeof listen;
    }
  });
}

const heardBy = (page: Page): Promise<string[]> => page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);

const asHex = (text: string): string => bytesToHex(new TextEncoder().encode(text));

/** The forms that a secret could lie in, and its halves. */
function formsOf({ text }: Secret): string[] {
  const isKey = /^[0-9a-f]{64}$/.test(text);
  const raw = isKey ? Buffer.from(text, 'hex') : Buffer.from(text);
  const base64 = [0, 1, 2].map((skip) => raw.subarray(skip).toString('base64').slice(0, 12));
  const halves = isKey ? [text.slice(0, 20), text.slice(-20)] : [];
  return [text, asHex(text), raw.toString('hex'), ...(raw.length > 12 ? base64 : []), ...halves];
}

function expectNone(secrets: readonly Secret[], where: string, said: string): void {
  const found = secrets.filter((secret) => formsOf(secret).some((form) => said.includes(form))).map(({ name }) => name);
  expect.soft(found, where).toEqual([]);
}

test('T19 seed, keys, passwords and PIN are in nothing the browser stores or sends, with a password, a PIN and a passkey', async ({
  page,
  context,
}) => {
  const sent: string[] = [];
  const printed: string[] = [];
  context.on('request', (request) => {
    sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postDataBuffer()?.toString('hex') ?? ''}`);
    sent.push(request.postDataBuffer()?.toString('latin1') ?? '');
  });
  context.on('console', (message) => printed.push(message.text()));
  await authenticator(page, true);
  await createWallet(page);
  await getTestCoins(page);
  const address = await primaryAddress(page);
  const short = await showWords(page);
  const long = await showLongWords(page);
  await loadCrypto();
  const { spendKey, viewKey } = keysFromSeed(wordsToSeed(long.join(' ')).seed);
  const parts = (words: readonly string[]) => words.slice(0, -2).map((_, i) => words.slice(i, i + 3));
  const secrets: Secret[] = [
    { name: 'spend key', text: bytesToHex(spendKey) },
    { name: 'view key', text: bytesToHex(viewKey) },
    { name: 'password', text: PASSWORD },
    { name: 'next password', text: NEXT_PASSWORD },
    ...[...parts(short), ...parts(long)].flatMap((three, i) =>
      [' ', ',', '","'].map((between) => ({ name: `words ${i}`, text: three.join(between) })),
    ),
  ];
  const pin: Secret = { name: 'PIN', text: PIN };
  const look = async (where: string) => {
    // Digits of amounts, times and sealed bytes could be a PIN by chance: as a text of its own it is none of them.
    const kept = await keptBy(page);
    expectNone([...secrets, { ...pin, text: `"${PIN}"` }], `${where}: kept`, kept);
    expectNone(secrets, `${where}: sent`, sent.join('\n'));
    expectNone([...secrets, pin], `${where}: console`, printed.join('\n'));
    return kept;
  };
  expect(await look('words shown')).toContain('nightjar');

  await setUpPasskey(page);
  await expect(page.getByText('The passkey opens this wallet now')).toBeVisible();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Set a PIN' }).click();
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByLabel('New PIN', { exact: true }).fill(PIN);
  await dialog.getByLabel('New PIN, again').fill(PIN);
  await dialog.getByRole('button', { name: 'Set a PIN' }).click();
  await expect(page.getByText('The PIN opens this wallet now.')).toBeVisible();
  await look('PIN and passkey set');

  await hearWorkers(page);
  await page.goto('/#/');
  await page.reload();
  await page.getByLabel('PIN', { exact: true }).fill(PIN);
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
  await expect(page.getByTestId('balance')).toBeVisible();
  for (const screen of SCREENS) {
    await page.goto(`/#/${screen}`);
    await expect(page.locator('main')).toBeVisible();
  }
  await look('all screens');

  await page.goto('/#/settings/safety/unlock');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await dialog.getByLabel('Current password').fill(`not ${PASSWORD}`);
  await dialog.getByLabel('New password', { exact: true }).fill(NEXT_PASSWORD);
  await dialog.getByLabel('New password, again').fill(NEXT_PASSWORD);
  await dialog.getByRole('button', { name: 'Change the password' }).click();
  await expect(dialog.getByText('That is not the password of this wallet')).toBeVisible();
  await dialog.getByLabel('Current password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Change the password' }).click();
  await expect(dialog).toBeHidden();
  await look('another password');
  const heard = await heardBy(page);
  expect(heard.join('\n'), 'workers were heard').toContain(address);
  expectNone(secrets, 'told to the page', heard.join('\n'));

  await page.goto('/#/');
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await unlock(page, PASSWORD);
  await expect(page.getByText('That is not the password')).toBeVisible();
  await unlock(page, NEXT_PASSWORD);
  await expect(page.getByTestId('balance')).toBeVisible();
  await look('unlocked again');
});
