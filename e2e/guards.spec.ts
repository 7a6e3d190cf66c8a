import { readFile, writeFile } from 'node:fs/promises';
import { isKept, keepAnswers, keepBack, letGo } from './support/late.ts';
import {
  createWallet,
  createWithWords,
  expect,
  fromTheStart,
  goOn,
  goTo,
  isLive,
  NOTHING_KEPT,
  nameAndPassword,
  PASSWORD,
  primaryAddress,
  restoreWallet,
  seedWords,
  showLongWords,
  showWords,
  test,
  unlock,
  writeWordsDown,
} from './support/wallet.ts';

// What a person loses by a slip, by leaving in the middle, or by whoever sits down at an open page.

test.use(NOTHING_KEPT);

test('a new wallet is there at once, reminds of its seed words until they are written down, and is restored from them and their date', async ({
  page,
}) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Create a wallet' }).click();

  // A password that everybody tries first is no password.
  await nameAndPassword(page, 'Mine', 'password');
  await page.getByRole('button', { name: 'Create the wallet' }).click();
  await expect(page.getByText('one of the first passwords anybody would try')).toBeVisible();
  for (const weak of ['Passw0rd!', '12345678', 'aaaaaaaaaa', 'qwertyuiop1']) {
    await nameAndPassword(page, 'Mine', weak);
    await expect(page.getByText('one of the first passwords anybody would try'), weak).toBeVisible();
  }
  await nameAndPassword(page, 'Mine');
  await page.getByRole('button', { name: 'Create the wallet' }).click();
  await isLive(page);

  // It asks again after every unlocking, until three of the words were read back.
  await page.reload();
  await unlock(page);
  const asks = page.getByRole('link', { name: 'Write down the recovery words' });
  await expect(asks).toBeVisible();
  const words = await showWords(page);
  await expect(page.getByTestId('restore-from')).toContainText(/^Made on or after .*: the words tell the month themselves/);
  await page.getByRole('button', { name: 'I wrote them down' }).click();
  await expect(page.getByRole('heading', { name: 'Check what you wrote' })).toBeVisible();
  await page.goBack();
  await expect(seedWords(page)).toHaveText(words);
  await page.goto('/#/');
  await writeWordsDown(page);
  await expect(asks).toHaveCount(0);

  // Twenty-five words stand for the same wallet, and need their date or height beside them.
  await showWords(page);
  const long = await showLongWords(page);
  const from = page.getByTestId('restore-from');
  await expect(from).toContainText(String(new Date().getFullYear()));
  await expect(from).toContainText(/block [\d,]+/);
  const height = /block ([\d,]*\d)/.exec((await from.textContent()) ?? '')?.[1] ?? '';
  const address = await primaryAddress(page);
  await page.goto('/#/settings/scan');
  await expect(page.getByTestId('scan-began')).toContainText(`block ${height}, two days before`);
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.goto('/#/restore');
  await page.getByLabel('The words, in order').fill(long.join(' '));
  await goOn(page);
  await goOn(page);
  // Never with the whole chain unasked.
  await expect(page.getByText('Choose a day between')).toBeVisible();
  await page.getByLabel('Made on or after').fill('2024-03-01');
  await expect(page.getByText('two days before that, on February 28, 2024')).toBeVisible();
  await page.getByRole('radio', { name: 'By block' }).check();
  await page.getByLabel('Block height').fill(height.replaceAll(',', ''));
  await goOn(page);
  await nameAndPassword(page, 'Again');
  await page.getByRole('button', { name: 'Restore the wallet' }).click();
  await isLive(page);
  expect(await primaryAddress(page)).toBe(address);
});

test('restoring in steps: the browser’s back button loses nothing, and reloading a later step leads to the first @wide', async ({
  page,
}) => {
  await createWallet(page);
  await showWords(page);
  const long = await showLongWords(page);
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.goto('/#/restore');
  const heading = page.getByRole('heading', { level: 1 });
  const field = page.getByLabel('The words, in order');
  await expect(page.getByText('Step 1 of 3')).toBeVisible();
  await field.fill(long.slice(1).join(' '));
  await goOn(page);
  await expect(field, 'what is wrong has the focus').toBeFocused();
  await field.fill(long.join(' '));
  await goOn(page);
  await expect(heading).toHaveText('When was this wallet made?');
  await expect(heading).toBeFocused();
  await expect(page.getByText('Step 2 of 3')).toBeVisible();
  await page.getByLabel('Made on or after').fill('2024-03-01');
  await goOn(page);
  await expect(heading).toHaveText('Name and password');
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused();
  await nameAndPassword(page, 'Again');

  await page.goBack();
  await expect(page.getByLabel('Made on or after')).toHaveValue('2024-03-01');
  await page.goBack();
  await expect(field).toHaveValue(long.join(' '));
  await page.goForward();
  await page.goForward();
  await expect(page.getByLabel('Name of the wallet')).toHaveValue('Again');
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(heading).toHaveText('When was this wallet made?');
  await page.goForward();
  await expect(page.getByLabel('New password, again')).toHaveValue(PASSWORD);
  await page.reload();
  await expect(heading).toHaveText('Restore a wallet');
  await expect(field).toHaveValue('');
  await expect(page).toHaveURL(/#\/restore$/);
});

test('words are completed as they are typed, marked, and may be of another language', async ({ page }) => {
  await page.goto('/#/create');
  await page.locator('summary').click();
  await page.getByLabel('Language of the words').selectOption('Spanish');
  await nameAndPassword(page, 'Mine');
  await page.getByRole('button', { name: 'Create the wallet' }).click();
  await isLive(page);
  const words = await showWords(page);
  const address = await primaryAddress(page);
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.goto('/#/restore');
  const field = page.getByLabel('The words, in order');
  await field.pressSequentially('rav');
  await page.getByRole('button', { name: 'raven', exact: true }).click();
  await expect(field).toHaveValue('raven ');
  await expect(field).toBeFocused();
  await field.pressSequentially('xyzzy ');
  await expect(page.locator('.marks .bad')).toHaveText(['xyzzy']);
  // Typed without accents, the first four letters of each.
  const bare = words.map((word) => [...word.normalize('NFD').replace(/\p{M}/gu, '')].slice(0, 4).join(''));
  await field.fill(bare.join(' '));
  await expect(page.getByText('These words were made in')).toBeVisible();
  await goOn(page);
  await nameAndPassword(page, 'Again');
  await page.getByRole('button', { name: 'Restore the wallet' }).click();
  await isLive(page);
  expect(await primaryAddress(page)).toBe(address);
});

test('an old MyMonero seed restores its wallet and is shown again; twelve words must be confirmed, as they have no checksum', async ({
  page,
}) => {
  // A seed that MyMonero gave, with the address that it had there.
  const words = 'slid otherwise jeers lurk swung tawny zodiac tusks twang cajun swagger peaches tawny'.split(' ');
  const address = '48VWHdLTEpE5dqa5VpAy5xgQWBHZARiGmEmojNLqD4ef1FAzkPxCe9JXUYwCShRR5XNMGnyusrnkmMWr2HMdfDRx2vsrG7c';
  const restore = page.getByRole('button', { name: 'Restore the wallet' });
  await page.goto('/#/restore');
  const field = page.getByLabel('The words, in order');
  await field.fill([...words.slice(0, 12), 'otherwise'].join(' '));
  // Marks of the words move the button down as they come.
  await expect(page.getByText('13 words;')).toBeVisible();
  await goOn(page);
  await expect(page.getByText('The words do not fit together')).toBeVisible();
  await field.fill(words.join(' '));
  await expect(page.getByText('These are the words of an old MyMonero wallet')).toBeVisible();
  await fromTheStart(page);
  await nameAndPassword(page, 'Old');
  await restore.click();
  await isLive(page);
  expect(await primaryAddress(page)).toBe(address);
  await page.goto('/#/recovery');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Show the words' }).click();
  await expect(seedWords(page)).toHaveText(words);
  await expect(page.getByRole('button', { name: 'Show 25 words instead' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.goto('/#/restore');
  await field.fill(words.slice(0, 12).join(' '));
  await goOn(page);
  await expect(page.getByText('A seed has 13, 16 or 25 words')).toBeVisible();
  await page.getByLabel('These 12 words are the whole seed').check();
  await fromTheStart(page);
  await nameAndPassword(page, 'Again');
  await restore.click();
  await isLive(page);
  expect(await primaryAddress(page)).toBe(address);
});

test('at the lock screen: typing goes to the password; a wallet is removed for its password or its name, never by two taps', async ({
  page,
}) => {
  const seed = await createWithWords(page, 'Savings');
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();

  await page.getByRole('button', { name: 'Remove from this browser' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('No backup of this wallet was saved from this browser')).toBeVisible();
  const remove = dialog.getByRole('button', { name: 'Remove this wallet' });
  await expect(remove).toBeDisabled();
  await dialog.getByLabel('Password', { exact: true }).fill('wrong');
  await remove.click();
  await expect(dialog.getByText('That is not the password of this wallet')).toBeVisible();
  await dialog.getByRole('button', { name: 'I forgot the password' }).click();
  await expect(remove).toBeDisabled();
  await dialog.getByLabel('Name of the wallet').fill('Saving');
  await expect(remove).toBeDisabled();
  await dialog.getByLabel('Name of the wallet').fill('Savings');
  await remove.click();
  await expect(page.getByRole('link', { name: 'Create a wallet' })).toBeVisible();

  await restoreWallet(page, seed, 'Again');
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.getByRole('button', { name: 'Remove from this browser' }).click();
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await remove.click();
  await expect(page.getByRole('link', { name: 'Create a wallet' })).toBeVisible();
});

test('a file that is no backup is reported as such, and a truncated backup as damaged', async ({ page }) => {
  await createWallet(page);
  await page.goto('/#/settings/safety/backup');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save a backup file' }).click();
  const backup = await readFile(await (await downloading).path());
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.goto('/#/backup');
  const given = (name: string, buffer: Buffer): Promise<void> =>
    page.getByLabel('Wallet file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  await given('photo.jpg', Buffer.from('no wallet at all, but long enough to be one'));
  await nameAndPassword(page, 'A photo');
  await page.getByRole('button', { name: 'Restore the wallet' }).click();
  await expect(page.getByText('This is neither a backup of Nightjar')).toBeVisible();
  await expect(page.getByLabel('Wallet file')).toBeFocused();
  await given('Part 2026-11-27.nightjar', backup.subarray(0, -7));
  const name = page.getByLabel('Name of the wallet');
  await expect(name, 'by the file’s').toHaveValue('Part');
  await name.fill('Another');
  await given('part.nightjar', backup.subarray(0, -7));
  await expect(name, 'what was typed stays').toHaveValue('Another');
  await expect(page.getByText('This is neither a backup of Nightjar'), 'it was about another file').toHaveCount(0);
  await page.getByLabel('Password of the backup').fill(PASSWORD);
  await page.getByRole('button', { name: 'Restore the wallet' }).click();
  await expect(page.getByText('This backup file is damaged')).toBeVisible();
  await expect(page.getByLabel('Wallet file')).toBeFocused();
  await expect(page.getByText('A record of this wallet')).toHaveCount(0);
});

test('a daemon is tried before it is used, and trust is given to one address', async ({ page, baseURL, faults }) => {
  await createWallet(page);
  await isLive(page);
  await page.goto('/#/settings/daemon');
  const trust = page.getByRole('checkbox', { name: 'I trust this node' });
  await expect(trust).toBeChecked();
  await page.getByRole('radio', { name: 'A node you name' }).check();
  await page.getByLabel('Node address').fill('http://127.0.0.1:9');
  await expect(trust).not.toBeChecked();
  await trust.check();
  await page.getByLabel('Node address').fill('http://127.0.0.1:99');
  await expect(trust).not.toBeChecked();

  await page.getByRole('button', { name: 'Use this node' }).click();
  await expect(page.getByText('It cannot be reached: it is switched off, or the address is wrong.')).toBeVisible();
  await expect(page.getByText('The wallet stays with the node it had')).toBeVisible();
  await isLive(page);
  await page.goto('/#/settings/about');
  await expect(page.getByRole('heading', { name: 'About and security', level: 1 })).toBeVisible();
  await page.goto('/#/settings/daemon');
  await expect(page.getByRole('radio', { name: 'This site’s gateway' })).toBeChecked();
  await expect(trust).toBeChecked();

  // One that answers is used at once; one that does not, at the person's word.
  await page.getByRole('radio', { name: 'A node you name' }).check();
  await page.getByLabel('Node address').fill(`${baseURL}/daemon`);
  const useIt = page.getByRole('button', { name: 'Use this node' });
  await useIt.click();
  await expect(page.getByText('Node changed')).toBeVisible();
  await isLive(page);
  await expect(useIt, 'the node in use is not offered').toHaveCount(0);
  await page.getByLabel('Node address').fill('http://127.0.0.1:9');
  await page.getByRole('button', { name: 'Use this node' }).click();
  await page.getByRole('button', { name: 'Use it anyway' }).click();
  await expect(page.locator('main .sync .title')).toHaveText('Node out of reach');
  await expect(page.getByRole('button', { name: 'Try it again' })).toBeVisible();
  // The browser reports what it could not reach.
  faults.length = 0;
});

test('a rescan asks for confirmation with its duration, and a scanning wallet can be locked', async ({ page }) => {
  await page.clock.install();
  await createWallet(page);
  await isLive(page);
  await page.goto('/#/settings/scan');
  const field = page.getByLabel('Block height');
  await expect(field).toHaveValue('');
  await page.getByRole('button', { name: 'Scan from this block' }).click();
  await expect(page.getByText('Enter a block height')).toBeVisible();
  await field.fill('0');
  await page.getByRole('button', { name: 'Scan from this block' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('The whole chain is searched')).toBeVisible();
  await expect(dialog).toContainText(/blocks to search: [\d,]+/i);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await goTo(page, 'Home');
  await isLive(page);

  // Blocks do not come: the scan stays under way.
  await page.route('**/daemon/get*blocks.bin', () => undefined);
  await page.goto('/#/settings/scan');
  await field.fill('0');
  await page.getByRole('button', { name: 'Scan from this block' }).click();
  await dialog.getByRole('button', { name: 'Scan again' }).click();
  await expect(page.locator('main .sync .title')).toContainText('Scanning');
  await page.clock.fastForward('16:00');
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible();
  await page.unroute('**/daemon/get*blocks.bin');
  await unlock(page);
  await isLive(page);
});

for (const asked of ['list', 'create'])
  test(`navigating while the wallet is being created is not undone (${asked} comes late)`, async ({ page }) => {
    await page.addInitScript(keepBack);
    await page.goto('/#/create');
    await nameAndPassword(page, 'Mine');
    await keepAnswers(page, asked);
    await page.getByRole('button', { name: 'Create the wallet' }).click();
    if (asked === 'list') await expect(page.getByRole('navigation', { name: 'Wallet' })).toBeVisible();
    await page.goto('/#/settings/daemon');
    await letGo(page);
    await expect(page.getByRole('heading', { level: 1, name: 'Node' })).toBeVisible();
    await expect(page).toHaveURL(/#\/settings\/daemon$/);
    await page.getByRole('button', { name: 'Lock wallet' }).click();
    await expect(page.getByText('Mine')).toBeVisible();
    await unlock(page);
    await expect(page.getByRole('navigation', { name: 'Wallet' })).toBeVisible();
    await showWords(page);
  });

test('navigating while the wallet is being created is not undone, even where the browser announces it late', async ({ page }) => {
  await page.addInitScript(keepBack);
  await page.addInitScript(() => {
    const announceLate = (event: Event): void => {
      if (!event.isTrusted) return;
      event.stopImmediatePropagation();
      setTimeout(() => window.dispatchEvent(new HashChangeEvent('hashchange')), 1000);
    };
    window.addEventListener('hashchange', announceLate, { capture: true });
  });
  await page.goto('/#/create');
  await nameAndPassword(page, 'Mine');
  await keepAnswers(page, 'list');
  await page.getByRole('button', { name: 'Create the wallet' }).click();
  await expect(page.getByRole('navigation', { name: 'Wallet' })).toBeVisible();
  await page.goto('/#/settings/daemon');
  await letGo(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Node' })).toBeVisible();
});

test('navigating while the last wallet is being removed is not undone', async ({ page }) => {
  await page.addInitScript(keepBack);
  await createWallet(page, 'Mine');
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  await page.getByRole('button', { name: 'Remove from this browser' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await keepAnswers(page, 'list');
  await dialog.getByRole('button', { name: 'Remove this wallet' }).click();
  await isKept(page);
  await page.goto('/#/restore');
  await letGo(page);
  await expect(page.getByLabel('The words, in order')).toBeVisible();
  await expect(page).toHaveURL(/#\/restore$/);
});

test('the daemon’s form comes once its settings are read, however late: what is chosen in it is not undone', async ({ page }) => {
  await page.addInitScript(() => {
    const held: (() => void)[] = [];
    const door = {
      holding: false,
      held: () => held.length,
      release: () => {
        for (const send of held.splice(0)) send();
      },
    };
    Object.assign(window, { door });
    const post = Worker.prototype.postMessage as (this: Worker, ...args: unknown[]) => void;
    Worker.prototype.postMessage = function (this: Worker, ...args: unknown[]) {
      const { path } = (args[0] ?? {}) as { path?: readonly string[] };
      if (door.holding && path?.join('.') === 'daemon') held.push(() => post.apply(this, args));
      else post.apply(this, args);
    } as typeof Worker.prototype.postMessage;
  });
  type Door = { holding: boolean; held(): number; release(): void };
  const atDoor = <T>(look: (door: Door) => T): Promise<T> => page.evaluate(`(${look.toString()})(window.door)`) as Promise<T>;

  await createWallet(page);
  await atDoor((door) => {
    door.holding = true;
  });
  await page.goto('/#/settings/daemon');
  await expect.poll(() => atDoor((door) => door.held())).toBe(1);
  await expect(page.getByRole('radio', { name: 'A node you name' })).toHaveCount(0);
  await atDoor((door) => door.release());
  await page.getByRole('radio', { name: 'A node you name' }).check();
  await page.getByLabel('Node address').fill('http://127.0.0.1:9');
  await expect(page.getByRole('radio', { name: 'A node you name' })).toBeChecked();
  await expect(page.getByLabel('Node address')).toHaveValue('http://127.0.0.1:9');
});

test('the buttons of the node settings do not move while the wallet syncs', async ({ page }) => {
  let letIn = (): void => undefined;
  const open = new Promise<void>((resolve) => {
    letIn = resolve;
  });
  await page.context().route('**/daemon/**', async (route) => {
    await open;
    await route.continue();
  });
  await createWallet(page);
  await page.goto('/#/settings/daemon');
  const radio = page.getByRole('radio', { name: 'A node you name' });
  await expect(radio).toBeVisible();
  await expect(page.locator('main .sync').getByRole('progressbar')).toBeVisible();
  const tops = await radio.evaluateHandle((element) => {
    const tops = new Set<number>();
    const look = (): void => {
      tops.add(element.getBoundingClientRect().top + scrollY);
      requestAnimationFrame(look);
    };
    look();
    return tops;
  });
  letIn();
  await expect(page.locator('main .sync .title')).toHaveText('Up to date', { timeout: 60_000 });
  expect(await tops.evaluate((all) => [...all]), 'pixels from the top').toHaveLength(1);
});

test('several files that are dropped where one is wanted are refused in words, and one is taken afterwards', async ({
  page,
}, info) => {
  await page.goto('/#/backup');
  const field = page.getByLabel('Wallet file');
  const paths = ['a.nightjar', 'b.nightjar'].map((name) => info.outputPath(name));
  for (const path of paths) await writeFile(path, 'nightjar');
  const box = await field.boundingBox();
  const at = { x: box!.x + box!.width / 2, y: box!.y + box!.height / 2 };
  const desk = await page.context().newCDPSession(page);
  const drop = async (files: string[]) => {
    const data = { items: [], files, dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await desk.send('Input.dispatchDragEvent', { type, ...at, data });
  };
  await drop(paths);
  await expect(page.getByText('Those are several files. Choose one.')).toBeVisible();
  await drop(paths.slice(0, 1));
  await expect(page.getByText('a.nightjar')).toBeVisible();
  await expect(page.getByText('Those are several files')).toHaveCount(0);
});
