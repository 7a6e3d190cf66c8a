import {
  createWallet,
  createWithWords,
  expect,
  getTestCoins,
  isLive,
  NOTHING_KEPT,
  PASSWORD,
  seedWords,
  send,
  test,
  unlock,
} from './support/wallet.ts';

test.use(NOTHING_KEPT);

const MARKUP = '<img src=x onerror="window.hurt=1"><b>bold</b>';

const OTHER = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

test('T12 labels are text, and the browser refuses markup and inline script', async ({ page, watched }) => {
  await createWallet(page);
  await page.goto('/#/receive');
  await page.getByRole('button', { name: 'New' }).click();
  await page.getByLabel('What is it for?').fill(MARKUP);
  await page.getByRole('button', { name: 'Make the address' }).click();
  await expect(page.getByText(MARKUP).first()).toBeVisible();
  expect(await page.locator('img[src=x], b').count()).toBe(0);

  const outcomes = await page.evaluate(() => {
    const attempts: readonly (() => void)[] = [
      () => {
        document.body.innerHTML = '<b>markup</b>';
      },
      () => document.createElement('button').setAttribute('onclick', 'window.hurt = 1'),
      () => {
        const script = document.createElement('script');
        script.textContent = 'window.hurt = 1';
        document.head.append(script);
      },
      () => void new Worker('https://evil.example/worker.js'),
      // No policy of the page makes HTML, so script that runs in it cannot have such a one made, either.
      () => {
        const { trustedTypes } = window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } };
        trustedTypes.createPolicy('svelte-trusted-html', { createHTML: (text: string) => text });
      },
    ];
    return attempts.map((attempt) => {
      try {
        attempt();
        return 'done';
      } catch (error) {
        return (error as Error).name;
      }
    });
  });
  expect(outcomes).toEqual(Array(5).fill('TypeError'));
  expect(await page.evaluate(() => 'hurt' in window)).toBe(false);
  // The refusals were asked for, and seen as every test would see them.
  expect(watched.breaches.length).toBeGreaterThan(0);
  watched.breaches.length = 0;
  watched.faults.length = 0;
});

test('T23 a wallet that found nothing offers to rescan from an earlier block', async ({ page }) => {
  await createWallet(page);
  await page.goto('/#/');
  await isLive(page);
  await page.getByRole('link', { name: 'Missing a payment? Look from an earlier block' }).click();
  await expect(page).toHaveURL(/#\/settings\/scan$/);
  await expect(page.getByText('search the chain again from an earlier block')).toBeVisible();
});

/** Swaps two wallets' records in IndexedDB. Both have the same password, so that they still open. */
async function exchange(names: readonly [string, string]): Promise<void> {
  const done = <T>(asked: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
  const database = await done(indexedDB.open('nightjar'));
  const transaction = database.transaction(['wallets', 'records'], 'readwrite');
  const [wallets, records] = [transaction.objectStore('wallets'), transaction.objectStore('records')];
  const all = (name: string): IDBKeyRange => IDBKeyRange.bound([name], [name, []]);
  const kept = await Promise.all(
    names.map(async (name) => ({
      wallet: await done(wallets.get(name)),
      keys: (await done(records.getAllKeys(all(name)))) as [string, number, number][],
      values: await done(records.getAll(all(name))),
    })),
  );
  for (const name of names) await done(records.delete(all(name)));
  for (const [at, { wallet, keys, values }] of kept.entries()) {
    const name = names[1 - at] ?? '';
    await done(wallets.put(wallet, name));
    for (const [n, [, ...rest]] of keys.entries()) await done(records.put(values[n], [name, ...rest]));
  }
  database.close();
}

test('T18 wallets that were swapped in the browser’s storage are shown by their own names, and neither is removed as the other', async ({
  page,
}) => {
  await createWallet(page, 'Savings');
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await createWallet(page, 'Pocket');
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await expect(page.getByRole('button', { name: 'Unlock', exact: true })).toBeVisible();
  await page.evaluate(exchange, ['Savings', 'Pocket'] as const);
  await page.goto('/');
  await page.getByRole('radio', { name: 'Savings' }).check();
  await unlock(page);
  await expect(page.getByText('This wallet was made or restored here as “Pocket”')).toBeVisible();
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.getByRole('radio', { name: 'Savings' }).check();
  await page.getByRole('button', { name: 'Remove', exact: false }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(dialog.getByText('Nothing was removed')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Savings', includeHidden: true })).toHaveCount(1);
});

/** Runs inside the wallet worker: logs what it writes and what it sends, in order. */
function keepLog(): void {
  const log: string[] = [];
  const transaction = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (names, mode, options) {
    const made = transaction.call(this, names as string | string[], mode, options);
    if (mode === 'readwrite') made.addEventListener('complete', () => log.push(`${made.durability} write`));
    return made;
  };
  const asked = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    log.push(new URL(input instanceof Request ? input.url : String(input), location.href).pathname.split('/').at(-1) ?? '');
    return asked(input, init);
  };
  Object.assign(globalThis, { keptLog: log });
}

test('T16 in a browser ring, transaction and keys are written strictly before any byte of them leaves', async ({ page }) => {
  await createWallet(page);
  await getTestCoins(page);
  const worker = page.workers().find((candidate) => candidate.url().includes('wallet.worker'));
  if (worker === undefined) throw new Error('expected a wallet worker');
  await worker.evaluate(keepLog);
  await send(page, OTHER, '0.5');
  const log = await worker.evaluate(() => (globalThis as unknown as { keptLog: string[] }).keptLog);
  const lastWriteBefore = (call: string): string | undefined => {
    expect(log).toContain(call);
    return log.slice(0, log.indexOf(call)).findLast((entry) => entry.endsWith(' write'));
  };
  expect(lastWriteBefore('get_outs.bin')).toBe('strict write');
  expect(lastWriteBefore('send_raw_transaction')).toBe('strict write');
});

test('T16 a wallet that another tab removed while it was open says so, and shows its words as long as it is open', async ({
  page,
  context,
}) => {
  const words = await createWithWords(page, 'Removed');
  await isLive(page);
  const second = await context.newPage();
  await second.goto('/#/create');
  await second.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const asked = indexedDB.deleteDatabase('nightjar');
        asked.onsuccess = resolve;
        asked.onerror = reject;
      }),
  );
  // With the next block that is to be written.
  await expect(page.getByText('This wallet was removed from this browser')).toBeVisible();
  await page.getByRole('link', { name: 'Recovery words', exact: true }).click();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Show the words' }).click();
  await expect(seedWords(page)).toHaveText(words);
});
