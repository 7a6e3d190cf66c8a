import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  amountAt,
  createWallet,
  createWithWords,
  expect,
  getTestCoins,
  goOn,
  goTo,
  isLive,
  leaveSight,
  NOTHING_KEPT,
  nameAndPassword,
  PASSWORD,
  showLongWords,
  showWords,
  test,
  unlock,
} from './support/wallet.ts';

test.use(NOTHING_KEPT);

// Each kind of bad input has its own words, says what to do, and leaves the wallet as it was.

const GOOD = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';
const STAGENET = '59Trt4eYzXw2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGrMxL7C';

test('seed words with a wrong checksum', async ({ page }) => {
  const words = await createWithWords(page);
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.goto('/#/restore');
  const field = page.getByLabel('The words, in order');
  await field.fill(words.slice(0, 15).concat('qqqqq').join(' ').concat(' '));
  await expect(page.getByText('Not in the word list: word 16')).toBeVisible();
  // Two words that changed places.
  const [first = '', ...others] = words;
  const other = others.find((word) => word !== first) ?? '';
  await field.fill([other, ...others.map((word) => (word === other ? first : word))].join(' '));
  await goOn(page);
  await expect(page.getByText('The words do not fit together')).toBeVisible();
  await field.fill([...words, ...words].slice(0, 20).join(' '));
  await expect(page.getByText('A seed has 13, 16 or 25 words')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Restore a wallet' })).toBeVisible();
});

test('a restore height above the chain is reported, and an earlier one can be chosen', async ({ page }) => {
  await createWallet(page);
  await showWords(page);
  const words = await showLongWords(page);
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.goto('/#/restore');
  await page.getByLabel('The words, in order').fill(words.join(' '));
  await goOn(page);
  await page.getByRole('radio', { name: 'By block' }).check();
  await page.getByLabel('Block height').fill('3456789');
  await goOn(page);
  await nameAndPassword(page, 'Too high');
  await page.getByRole('button', { name: 'Restore the wallet' }).click();
  await expect(page.locator('main .sync .title')).toHaveText('Waiting for the chain');
  await expect(page.getByText('from block 3,456,789 on')).toBeVisible();
  await page.getByRole('link', { name: 'Look from an earlier block' }).click();
  await page.getByLabel('Block height').fill('0');
  await page.getByRole('button', { name: 'Scan from this block' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Scan again' }).click();
  await goTo(page, 'Home');
  await isLive(page);
});

test('a button that is pressed right after a wrong address gets its click, and then the address is reported', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await createWallet(page);
  await goTo(page, 'Send');
  const address = page.getByLabel('Address', { exact: true });
  await address.fill('nothing');
  await page.getByRole('button', { name: 'Add a note' }).hover();
  await page.mouse.down();
  await expect(address).not.toBeFocused();
  await page.mouse.up();
  await expect(page.getByLabel('Note', { exact: true })).toBeVisible();
  await expect(address).toHaveAttribute('aria-invalid', 'true');
});

test('addresses and amounts that cannot be paid', async ({ page }) => {
  await createWallet(page);
  const had = await getTestCoins(page);
  await page.goto('/#/send');
  const address = page.getByLabel('Address', { exact: true });
  const amount = page.getByLabel('Amount', { exact: true });
  const review = page.getByRole('button', { name: 'Review' });

  await address.fill(GOOD);
  const said = page.getByRole('status').filter({ hasText: 'that can be spent' });
  await test.step('an amount above the balance is reported while it is typed', async () => {
    await amount.fill('11');
    await expect(said).toHaveText('More than the 10 XMR that can be spent.');
    await expect(amount).toHaveAccessibleDescription('More than the 10 XMR that can be spent.');
    await amount.fill('10');
    await expect(said).toHaveText(/^With a fee of about 0\.0\d+ XMR this is more than the 10 XMR that can be spent\.$/);
    await amount.fill('9');
    await expect(said).toHaveCount(0);
  });
  await address.fill('');
  await amount.fill('');
  await review.click();
  await expect(page.getByText('Enter the recipient’s address')).toBeVisible();
  await expect(page.getByText('Enter an amount')).toBeVisible();

  await address.fill(STAGENET);
  await amount.fill('1');
  await review.click();
  await expect(page.getByText('This address belongs to another network: Stagenet (test network)')).toBeVisible();

  await address.fill(`${GOOD.slice(0, 40)}x${GOOD.slice(41)}`);
  await review.click();
  await expect(page.getByText('A character of this address is wrong or missing')).toBeVisible();

  await address.fill('not an address');
  await review.click();
  await expect(page.getByText('This is not a Monero address')).toBeVisible();

  await address.fill(GOOD);
  for (const [text, words] of [
    ['0.1234567890123', 'at most 12 decimals'],
    ['1,000,5', 'without thousands separators'],
    ['0', 'The amount is zero'],
    ['99999999', 'There are not that many coins'],
    ['11', 'That is more than the wallet holds, 10'],
    ['10', 'That needs 10 and a fee of about'],
  ] as const) {
    await amount.fill(text);
    await review.click();
    await expect(page.getByText(words), text).toBeVisible();
  }
  await page.goto('/#/');
  expect(await amountAt(page, 'balance')).toBe(had);
  await expect(page.getByTestId('locked')).toHaveCount(0);
});

test('less than the fee to send it (dust) cannot be swept, and says so', async ({ page }) => {
  await createWallet(page);
  await page.goto('/#/send');
  await page.getByLabel('Address', { exact: true }).fill(GOOD);
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByText('Nothing can be spent right now')).toBeVisible();
});

test('a daemon of another network is reported, and nothing is scanned from it', async ({ page, baseURL }) => {
  await createWallet(page);
  // The gateway is as it is; what the daemon says of itself is changed on the way.
  await page.route('**/daemon/**', async (route) => {
    const response = await route.fetch();
    const text = (await response.body()).toString('latin1');
    if (!text.includes('"nettype"')) return route.fulfill({ response });
    return route.fulfill({
      response,
      body: text.replace('"fakechain"', '"stagenet"').replace(/"(mainnet|stagenet)":\s*(true|false)/g, '"$1": false'),
    });
  });
  await page.goto('/#/settings/daemon');
  await page.getByRole('radio', { name: 'A node you name' }).check();
  await page.getByLabel('Node address').fill(`${baseURL}/daemon`);
  await page.getByRole('button', { name: 'Use this node' }).click();
  await expect(page.getByRole('alert').getByText('This node serves another network')).toBeVisible();
  await page.getByRole('button', { name: 'Use it anyway' }).click();
  await expect(page.locator('main .sync [role=status] p')).toContainText('This node serves another network');
});

test('a full disk: nothing is lost, and the error says what to do', async ({ page, context }) => {
  await page.goto('/');
  const client = await context.newCDPSession(page);
  const { origin } = new URL(page.url());
  await client.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 4_000_000 });
  await createWallet(page);
  await page.goto('/#/receive');
  await page.getByRole('button', { name: 'New' }).click();
  await page.getByLabel('What is it for?').fill('x'.repeat(80));
  expect(await page.evaluate(fillDisk)).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Make the address' }).click();
  await expect(page.getByRole('dialog').getByText('There is no room left to write')).toBeVisible();
  // The person makes room. (What the browser deletes itself it may give back late.)
  await client.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 40_000_000 });
  await page.getByRole('button', { name: 'Make the address' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByText('x'.repeat(80)).first()).toBeVisible();
});

test('T13 a full disk while a payment is typed is reported, and the draft is saved once there is room', async ({
  page,
  context,
}) => {
  await page.goto('/');
  const client = await context.newCDPSession(page);
  const { origin } = new URL(page.url());
  await client.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 4_000_000 });
  await createWallet(page);
  await goTo(page, 'Send');
  expect(await page.evaluate(fillDisk)).toBeGreaterThan(0);
  const address = page.getByLabel('Address', { exact: true });
  await address.fill(GOOD);
  await expect(page.getByText('There is no room left to write')).toBeVisible();
  await client.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 40_000_000 });
  await leaveSight(page);
  await page.reload();
  await unlock(page);
  await goTo(page, 'Send');
  await expect(address).toHaveValue(GOOD);
});

test('a full disk while a wallet is created: the error says what to do, and it is created once there is room', async ({
  page,
  context,
}) => {
  await page.goto('/#/create');
  const client = await context.newCDPSession(page);
  const { origin } = new URL(page.url());
  await client.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 4_000_000 });
  await nameAndPassword(page, 'My wallet');
  expect(await page.evaluate(fillDisk)).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Create the wallet' }).click();
  await expect(page.getByText('There is no room left to write')).toBeVisible();
  await client.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 40_000_000 });
  await page.getByRole('button', { name: 'Create the wallet' }).click();
  await expect(page.getByTestId('balance')).toBeVisible();
});

test('a full disk while a PIN is set: the error says what to do, and it is set once there is room', async ({ page }) => {
  await createWallet(page);
  await page.goto('/#/settings/safety/unlock');
  await page.getByRole('button', { name: 'Set a PIN' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  for (const label of ['New PIN', 'New PIN, again']) await dialog.getByLabel(label, { exact: true }).fill('480215');
  // So few bytes are written past a quota that the tools of the browser set: it says no by our word, once.
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = () => {
      IDBObjectStore.prototype.put = put;
      throw new DOMException('', 'QuotaExceededError');
    };
  });
  await dialog.getByRole('button', { name: 'Set a PIN' }).click();
  await expect(dialog.getByText('There is no room left to write')).toBeVisible();
  await dialog.getByRole('button', { name: 'Set a PIN' }).click();
  await expect(page.getByText('The PIN opens this wallet now.')).toBeVisible();
});

/** Writes until the browser says that there is no room, in ever smaller pieces. Returns the bytes written. */
async function fillDisk(): Promise<number> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('filler');
    request.onupgradeneeded = () => request.result.createObjectStore('bytes', { autoIncrement: true });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const write = (size: number): Promise<boolean> =>
    new Promise((resolve) => {
      const transaction = database.transaction('bytes', 'readwrite', { durability: 'strict' });
      transaction.objectStore('bytes').put(crypto.getRandomValues(new Uint8Array(size)));
      transaction.oncomplete = () => resolve(true);
      transaction.onabort = () => resolve(false);
    });
  let written = 0;
  for (let size = 65_536; size >= 16; size /= 4) {
    while (written < 50_000_000 && (await write(size))) written += size;
  }
  database.close();
  return written;
}

test('T12 settings that somebody filled with anything at all: every place opens, and the settings can be set anew', async ({
  page,
}) => {
  await createWallet(page);
  const kept = keysOfSettings();
  expect(kept.length).toBeGreaterThan(25);
  for (const junk of [
    '',
    '{"mode":"hand","currency":5,"source":{"url":"","path":""},"days":[],"rate":{"currency":5,"price":"1","at":1e300}}',
  ]) {
    await page.evaluate(
      ([keys, text]) => {
        for (const key of keys) localStorage.setItem(key, text);
      },
      [kept, junk] as const,
    );
    await page.reload();
    await unlock(page);
    for (const [place, heading] of [
      ['', 'Home'],
      ['send', 'Send'],
      ['till', 'Till'],
      ['settings/money', 'Money and links'],
      ['settings/app', 'App and names'],
    ] as const) {
      await page.goto(`/#/${place}`);
      await expect(page.getByRole('heading', { level: 1 }), `${place} after ${junk}`).toHaveText(heading);
    }
    await expect(page.getByTestId('names')).toHaveText('Off: nobody is asked.');
  }
});

/** Names of all that the page keeps in local storage, also for this wallet. */
function keysOfSettings(): string[] {
  const folder = join(import.meta.dirname, '..', 'src', 'app');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(ts|svelte)$/.test(file));
  const texts = sources.map((file) => readFileSync(join(folder, file), 'utf8'));
  const keys = new Set(texts.flatMap((text) => [...text.matchAll(/['`](nightjar\.[a-z-]+)/g)].map(([, key = '']) => key)));
  keys.delete('nightjar.offline-device');
  return [...keys].flatMap((key) => [key, `${key}.My wallet`]);
}

test('a damaged record: the wallet is not opened, and restoring from a backup or the seed is offered', async ({ page }) => {
  await createWallet(page);
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible();
  const changed = await page.evaluate(damageLastRecord);
  expect(changed).toBeGreaterThan(0);
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText('A record of this wallet is damaged')).toBeVisible();
});

/** Flips a bit in the last record of each journal. Returns how many were changed. */
async function damageLastRecord(): Promise<number> {
  const done = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const flip = (value: unknown): boolean => {
    if (value instanceof Uint8Array && value.length > 40) {
      value[value.length - 5] = (value.at(-5) ?? 0) ^ 1;
      return true;
    }
    return typeof value === 'object' && value !== null && Object.values(value).some(flip);
  };
  let changed = 0;
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name ?? ''));
    for (const store of [...database.objectStoreNames].filter((entry) => entry === 'records')) {
      const transaction = database.transaction(store, 'readwrite');
      const cursor = await done(transaction.objectStore(store).openCursor(null, 'prev'));
      const value: unknown = cursor?.value;
      if (cursor && flip(value)) {
        await done(cursor.update(value));
        changed += 1;
      }
    }
    database.close();
  }
  return changed;
}

test('T6 a file that is too large, deleted meanwhile or another one than expected is refused, and not put into a field', async ({
  page,
}) => {
  const path = test.info().outputPath('wallet.keys');
  writeFileSync(path, 'x'.repeat(500));
  await page.goto('/#/backup');
  await page.getByLabel('Wallet file').setInputFiles(path);
  await page.getByLabel('Password of the file').fill(PASSWORD);
  await nameAndPassword(page, 'From a file');
  rmSync(path);
  await page.getByRole('button', { name: 'Restore the wallet' }).click();
  await expect(page.getByRole('alert')).toContainText('This file could not be read: it was changed, moved or deleted');

  await page.goto('/#/restore-group');
  const seed = page.getByLabel('Seed of your part');
  // The view before it has a place for a file, too.
  await expect(seed).toBeVisible();
  const choose = (buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name: 'file', mimeType: 'text/plain', buffer });
  await choose(Buffer.alloc(1_000_000, 'ab'));
  await expect(seed).toHaveAccessibleDescription(/^This file is too large/);
  await choose(Buffer.from('PK\x03\x04 not a seed'));
  await expect(seed).toHaveAccessibleDescription(/^Paste the seed/);
  await expect(seed).toHaveValue('');
  await choose(Buffer.alloc(600, 'ab'));
  await expect(seed).toHaveValue(/^(ab){300}$/);
  await expect(seed).toHaveAccessibleDescription('');

  await createWallet(page);
  await page.goto('/#/settings/contacts');
  await expect(page.getByRole('heading', { name: 'Address book', level: 1 })).toBeVisible();
  await choose(Buffer.alloc(3_000_000, 'x,y\n'));
  await expect(page.getByText('This file is too large')).toBeVisible();
  await goTo(page, 'Send');
  await page.getByRole('button', { name: 'Paste a list' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await choose(Buffer.alloc(100_000, 'x,1\n'));
  await expect(page.getByRole('dialog').getByText('This file is too large')).toBeVisible();
});
