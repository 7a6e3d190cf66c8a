import type { Page } from '@playwright/test';
import { type DeskLedger, held, putLedger } from './support/ledger.ts';
import { checkLooks } from './support/looks.ts';
import {
  allUnlocked,
  amountAt,
  coins,
  createWallet,
  expect,
  fillPayment,
  goTo,
  isLive,
  NOTHING_KEPT,
  nameAndPassword,
  otherBrowser,
  primaryAddress,
  test,
  toReview,
} from './support/wallet.ts';

// The tests' double of the Monero app under the browser's own HID: what a person does with a Ledger, and what can come between.

test.use(NOTHING_KEPT);

const OTHER_SEED = `${'zoo '.repeat(11)}wrong`;
const alert = (page: Page) => page.getByRole('main').getByRole('alert');
const connect = (page: Page) => page.getByRole('button', { name: 'Connect the Ledger' }).click();

test('a wallet on a Ledger: made, compared, refused, unplugged, and paid from', async ({ page, context }) => {
  page.setDefaultTimeout(30_000);
  const desk = await putLedger(context);
  const shop = await otherBrowser(context);
  const [theirs] = await Promise.all([createWallet(shop, 'Shop').then(() => primaryAddress(shop)), make(page, desk)]);

  await isLive(page);
  const ask = page.getByRole('button', { name: 'Get test coins' });
  for (const so of ['10', '20']) {
    await ask.click();
    await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBe(coins(so));
  }
  await compareSubaddress(page, desk);
  await secondTab(page, context.newPage());
  await goTo(page, 'Home');
  await allUnlocked(page);
  await askForKeyImages(page, desk);
  await pay(page, desk, theirs);
  await shop.goto('/#/');
  await expect.poll(() => amountAt(shop, 'balance'), { timeout: 60_000 }).toBe(coins('15'));
  await shop.context().close();
});

/** Locked first; then met, its address compared, its no taken, and a wallet made with its yes. */
async function make(page: Page, desk: DeskLedger): Promise<void> {
  await page.goto('/');
  await page.getByText('Other ways to begin').click();
  await page.getByRole('link', { name: 'Use a Ledger' }).click();
  desk.locked = true;
  await connect(page);
  await expect(alert(page)).toContainText('Enter its PIN');
  await checkLooks(page, 'connect, locked');
  desk.locked = false;
  await desk.plug(desk.make({ other: 'Bitcoin' }));
  await connect(page);
  await expect(alert(page)).toContainText('“Bitcoin” is open on the Ledger');
  await desk.plug(desk.make({ version: '2.0.2' }));
  await connect(page);
  await expect(alert(page)).toContainText('version 2.0.2; 2.1.3 or newer is needed');
  await desk.plug(desk.make());
  await connect(page);
  await expect(page.getByTestId('fingerprint')).toHaveText(/^[0-9A-F]{4} [0-9A-F]{4}$/);
  await checkLooks(page, 'met');

  await page.getByRole('button', { name: 'Show it on the Ledger' }).click();
  await page.getByRole('button', { name: 'Yes, the same' }).click();
  const primary = await page.getByTestId('ledger-address').locator('[data-address]').getAttribute('data-address');
  expect(desk.shown).toEqual({ title: 'Address', text: primary });

  await nameAndPassword(page, 'On a Ledger');
  await page.getByRole('radio', { name: 'Not sure' }).check();
  const finish = page.getByRole('button', { name: 'Ask the Ledger and make the wallet' });
  desk.owner = () => false;
  await finish.click();
  await expect(alert(page)).toContainText('You said no on the Ledger');
  await checkLooks(page, 'make, refused');
  desk.owner = () => true;
  await finish.click();
  await expect(page.getByTestId('balance')).toBeVisible();
  expect(desk.shown).toEqual({ title: 'Export', text: 'View Key' });
}

/** An address for a payer, as the Ledger has it. */
async function compareSubaddress(page: Page, desk: DeskLedger): Promise<void> {
  await goTo(page, 'Receive');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByLabel('What is it for?').fill('Invoice 7');
  await page.getByRole('button', { name: 'Make the address' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  const look = held(desk, 'Address');
  await page.getByRole('button', { name: 'Show it on the Ledger' }).click();
  await expect(page.getByText('“Sub Address”, “Major: 0”, “minor: 2”')).toBeVisible();
  await checkLooks(page, 'compare an address');
  look.say(true);
  await page.getByRole('button', { name: 'Yes, the same' }).click();
  await expect(page.getByText('This address is the Ledger’s.')).toBeVisible();
  const address = await page.getByTestId('address').getAttribute('data-address');
  expect(desk.shown).toEqual({ title: 'Address', text: address });
}

/** Only one tab can use the device; another can once the first releases it. */
async function secondTab(page: Page, opened: Promise<Page>): Promise<void> {
  const other = await opened;
  await other.goto('/#/ledger');
  await connect(other);
  await expect(alert(other)).toContainText('Another tab of Nightjar uses the Ledger');
  await page.goto('/#/settings/ledger');
  await page.getByRole('button', { name: 'Disconnect the Ledger' }).click();
  await expect(page.getByRole('heading', { name: 'Not connected' })).toBeVisible();
  await checkLooks(page, 'not connected');
  await connect(other);
  await expect(other.getByTestId('fingerprint')).toBeVisible();
  await other.close();
}

async function askForKeyImages(page: Page, desk: DeskLedger): Promise<void> {
  await expect(page.getByTestId('balance-label')).toHaveText('Balance, at most');
  // What a payment costs is not known before: that is the cause, and not that the coins would not cover it.
  await goTo(page, 'Send');
  await page.getByLabel('Amount', { exact: true }).fill('1');
  const cause = page.getByText('yours can be worked out once the key images of your coins are known');
  await cause.getByRole('link', { name: 'Ask the Ledger' }).click();
  await expect(page.getByTestId('images-missing')).toContainText('2');
  const before = desk.screens.length;
  await page.getByRole('button', { name: 'Ask the Ledger' }).click();
  await expect(page.getByText('It has been asked about every coin.')).toBeVisible({ timeout: 60_000 });
  // And the blocks since the first of them were looked through.
  await expect(page.getByText('Key images from the Ledger: 2')).toBeVisible({ timeout: 60_000 });
  expect(desk.screens.length, 'nothing is shown for that').toBe(before);
}

/** Two inputs; what may come between comes first, and leaves nothing behind. */
async function pay(page: Page, desk: DeskLedger, theirs: string): Promise<void> {
  const own = desk.app;
  const review = async () => {
    await toReview(page);
  };
  const sign = () => page.getByRole('button', { name: 'Sign on the Ledger' }).click();
  await fillPayment(page, theirs, '15');

  await review();
  await expect(page.getByTestId('will-show')).toContainText('15. XMR');
  await checkLooks(page, 'review');
  await desk.plug(desk.make({ mnemonic: OTHER_SEED }));
  await sign();
  await expect(alert(page)).toContainText('This device has other keys');
  desk.locked = true;
  await desk.plug(own);
  await sign();
  await expect(alert(page)).toContainText('Enter its PIN');
  desk.locked = false;

  desk.owner = ({ title }) => title !== 'Change';
  await sign();
  await expect(alert(page)).toContainText('The payment was refused on the Ledger. Nothing was sent');

  desk.owner = () => true;
  desk.unplugAfter = 70;
  await review();
  await sign();
  await expect(alert(page)).toContainText('The Ledger went away');
  await checkLooks(page, 'unplugged');
  desk.unplugAfter = Number.POSITIVE_INFINITY;
  await desk.plug(own);

  await review();
  const fee = await page.getByTestId('will-show').locator('dd').first().textContent();
  const before = desk.screens.length;
  const look = held(desk, 'Amount');
  await sign();
  await expect(page.getByTestId('on-ledger')).toContainText('It shows “Amount” 15. XMR');
  await expect(page.getByTestId('on-ledger').locator('[data-address]')).toHaveAttribute('data-address', theirs);
  await checkLooks(page, 'signing');
  look.say(true);
  await expect(page.getByRole('heading', { name: 'Sent' })).toBeVisible({ timeout: 60_000 });
  const shown = desk.screens.slice(before);
  expect(shown[0]).toEqual({ title: 'Fee', text: fee });
  expect(shown.find(({ title }) => title === 'Amount')).toEqual({ title: 'Amount', text: '15. XMR', destination: theirs });
  expect(shown.map(({ title }) => title).sort()).toEqual(['Amount', 'Change', 'Fee']);
}

test('a browser without WebHID says so, and what to do instead', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'hid'));
  await page.goto('/#/ledger');
  await expect(page.getByText('This browser cannot connect to a Ledger (it has no WebHID).')).toBeVisible();
  await expect(page.getByText('Chrome, Edge, Brave')).toBeVisible();
  await checkLooks(page, 'no WebHID');
  await expect(page.getByRole('button', { name: 'Connect the Ledger' })).toHaveCount(0);
});
