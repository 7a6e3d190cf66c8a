import type { Page } from '@playwright/test';
import { type ServedDevnet, serveDevnet } from '../src/devnet/index.ts';
import { type Served, startSite } from './support/serve.ts';
import {
  test as base,
  coins,
  createWallet,
  expect,
  goTo,
  isLive,
  NOTHING_KEPT,
  primaryAddress,
  unlock,
} from './support/wallet.ts';

// A payment on its way in, on a chain whose blocks come when this test says so.

base.use(NOTHING_KEPT);

interface Chain {
  readonly site: Served;
  readonly devnet: ServedDevnet;
  mine(blocks: number): Promise<void>;
}

const OTHER = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';

const test = base.extend<{ chain: Chain }>({
  // biome-ignore lint/correctness/noEmptyPattern: the fixture's own form
  chain: async ({}, use) => {
    const devnet = await serveDevnet({ history: { blocks: 150, transactions: 12 } });
    const site = await startSite(['--port', '0', '--daemon', devnet.url]);
    const mine = async (blocks: number): Promise<void> => {
      const params = { wallet_address: OTHER, amount_of_blocks: blocks };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'generateblocks', params });
      const answer = await fetch(`${devnet.url}/json_rpc`, { method: 'POST', body });
      expect(await answer.text()).toContain('"OK"');
    };
    await use({ site, devnet, mine });
    await site.stop();
    await devnet.stop();
  },
  baseURL: ({ chain }, use) => use(chain.site.url),
});

/** Where the sign of an amount begins and where its digits do, in pixels from the left. */
const signAndDigits = (page: Page): Promise<[number, number]> =>
  page.evaluate(() => {
    const left = (part: string): number => document.querySelector(`main a .amount .${part}`)?.getBoundingClientRect().left ?? -1;
    return [left('sign'), left('whole')];
  });

test('Receive shows a payment as it comes: seen, in a block, confirmed; until then nothing of it can be spent', async ({
  page,
  chain,
}) => {
  await createWallet(page);
  await isLive(page);
  await goTo(page, 'Receive');
  const shown = page.getByTestId('address');
  await expect(shown, 'an address that nobody has yet').toHaveAttribute('data-address', /^8/);
  const address = (await shown.getAttribute('data-address')) ?? '';
  const arrivals = page.getByTestId('arrivals');
  await page.getByLabel('Amount', { exact: true }).fill('2,5');
  await expect(page.getByRole('alert'), 'a comma is the decimal sign of many keypads').toHaveCount(0);
  await expect(arrivals).toContainText('No payment');

  chain.devnet.faucet.give(address, coins('2.5'));
  await expect(arrivals).toContainText('2.5 monero');
  await expect(arrivals).toContainText('Seen, waiting for a block');
  await chain.mine(1);
  await expect(arrivals).toContainText(/In a block: \d+ of 10 confirmations/);

  await test.step('a balance that is all locked says so', async () => {
    await goTo(page, 'Send');
    await page.getByLabel('Address', { exact: true }).fill(OTHER);
    await page.getByLabel('Amount', { exact: true }).fill('1');
    await page.getByRole('button', { name: 'Review' }).click();
    await expect(page.getByRole('alert')).toContainText('All of your coins are still locked');
  });

  await goTo(page, 'Receive');
  await expect(shown, 'the next payer gets another').toHaveAttribute('data-address', /^8/);
  expect(await shown.getAttribute('data-address')).not.toBe(address);
  await page.getByRole('link', { name: /^Address 1/ }).click();
  await expect(shown).toHaveAttribute('data-address', address);
  await expect(arrivals).toContainText('2.5 monero');
  await chain.mine(10);
  await expect(arrivals).toContainText('Confirmed');
  await page.getByRole('button', { name: 'New address' }).click();
  await expect(shown).not.toHaveAttribute('data-address', address);
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByLabel('What is it for?').fill('Other');
  await page.getByRole('button', { name: 'Make the address' }).click();
  await expect(arrivals, 'another address has another story').toContainText('No payment');

  await test.step('right to left: signs stand before their numbers, arrows point the other way', async () => {
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl';
    });
    await goTo(page, 'Home');
    const [sign, digits] = await signAndDigits(page);
    expect(sign).toBeGreaterThan(0);
    expect(sign).toBeLessThan(digits);
    await goTo(page, 'Settings');
    const chevron = page
      .getByRole('link', { name: /Safety/ })
      .locator('svg')
      .last();
    expect(await chevron.evaluate((svg) => getComputedStyle(svg).transform)).toBe('matrix(-1, 0, 0, 1, 0, 0)');
  });
});

test('the till: a price in money, a new address for each customer, and how safe the payment is yet @wide', async ({
  page,
  chain,
}) => {
  await createWallet(page);
  await isLive(page);
  await goTo(page, 'Receive');
  await page.getByRole('link', { name: 'Open the till' }).click();
  await page.getByLabel('One XMR costs').fill('150');
  await page.getByLabel('Currency').fill('EUR');
  await page.getByLabel('To be paid, in EUR').fill('3,00');
  await expect(page.getByText('That is 0.02 XMR.')).toBeVisible();
  await page.getByRole('button', { name: 'Show the code' }).click();
  await expect(page.getByTestId('till-amount')).toContainText('0.02 monero');
  const state = page.getByTestId('till-state');
  await expect(state).toHaveText('Waiting for the payment');

  await page.getByRole('link', { name: 'Back' }).click();
  const address = async (): Promise<string> => (await page.getByTestId('address').getAttribute('data-address')) ?? '';
  await page.getByRole('link', { name: /^Till, / }).click();
  const first = await address();
  await page.goto('/#/till');
  await page.getByLabel('To be paid, in EUR').fill('1.5');
  await page.getByRole('button', { name: 'Show the code' }).click();
  await expect(page.getByTestId('till-amount')).toContainText('0.01 monero');
  const shown = page.getByTestId('till-address');
  const code = await page.getByTestId('till-address').getByRole('img').boundingBox();
  expect(code?.width, 'it is read across a counter').toBeGreaterThan(340);
  const second = (await shown.getAttribute('data-address')) ?? '';
  expect(second).not.toBe(first);
  chain.devnet.faucet.give(second, coins('0.004'));
  await expect(state).toHaveText('0.004 XMR received, less than asked for');
  await expect(page.getByTestId('till-rest'), 'who pays the rest is not asked for the whole').toContainText('0.006 XMR');
  chain.devnet.faucet.give(second, coins('0.006'));
  await expect(state).toHaveText('Paid, not in a block yet');
  await chain.mine(1);
  await expect(state).toContainText('Paid and in a block');
  await chain.mine(10);
  await expect(state).toHaveText('Paid and safe');
  await page.getByRole('button', { name: 'Next customer' }).click();
  await expect(page.getByLabel('To be paid, in EUR')).toHaveValue('');
});

test('while the node is unreachable, neither Receive nor the till claims that nothing was received @wide', async ({
  page,
  context,
  faults,
}) => {
  await createWallet(page);
  await isLive(page);
  await page.goto('/#/till');
  await page.getByLabel('To be paid').fill('0.02');
  await page.getByRole('button', { name: 'Show the code' }).click();
  const state = page.getByTestId('till-state');
  await expect(state).toHaveText('Waiting for the payment');
  await context.route('**/daemon/**', (route) => route.abort());
  await expect(state).toHaveText('Payments do not show here until the wallet is up to date.', { timeout: 60_000 });
  await expect(page.getByRole('main').getByRole('link', { name: 'Node out of reach' })).toBeVisible();
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page.getByRole('main').getByRole('link', { name: 'Node out of reach' })).toBeVisible();
  await expect(page.getByTestId('arrivals')).toHaveText('Payments do not show here until the wallet is up to date.');
  await context.unroute('**/daemon/**');
  await expect(page.getByTestId('arrivals')).toHaveText('No payment to this address is on its way.', { timeout: 60_000 });
  faults.length = 0;
});

test('T24 the block of an old payment is verified only after the person was told what the node learns', async ({
  page,
  chain,
}) => {
  await createWallet(page);
  await isLive(page);
  const address = await primaryAddress(page);
  await page.getByRole('button', { name: 'Lock wallet' }).click();
  chain.devnet.faucet.give(address, coins('2.5'));
  await chain.mine(40);
  await unlock(page);
  await isLive(page);
  await page.getByRole('link', { name: /Received/ }).click();
  await expect(page.getByText('its block was not checked')).toBeVisible();
  const check = page.getByRole('button', { name: 'Check this payment' });
  await check.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('somebody at your network address was paid in that block');
  await expect(dialog).toContainText('use a node of your own');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(check).toBeFocused();
  await check.click();
  const asked = page.waitForRequest(/get_blocks_by_height/);
  await dialog.getByRole('button', { name: 'Ask this node' }).click();
  await asked;
  await expect(page.getByText('The block holds this payment')).toBeVisible();
  await expect(page.getByText('its block was not checked')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('what is typed at a payment, and the focus, stay where they are through blocks and payments, as many as push it out of the page’s list', async ({
  page,
  chain,
}) => {
  await createWallet(page);
  await isLive(page);
  const address = await primaryAddress(page);
  const receive = (): unknown => chain.devnet.faucet.give(address, coins('0.1'));
  receive();
  await chain.mine(1);
  await goTo(page, 'History');
  await page.getByRole('link', { name: /Received/ }).click();
  const main = page.getByRole('main');
  await expect(main).toContainText(/1 of 10 confirmations/);
  const note = page.getByLabel('Note');
  await note.fill('half a sen');
  await chain.mine(1);
  await expect(main).toContainText(/2 of 10 confirmations/);
  await expect(note, 'a block came').toBeFocused();
  for (let count = 0; count < 50; count++) receive();
  await chain.mine(1);
  await expect(main).toContainText(/3 of 10 confirmations/);
  await expect(note, 'it is no longer on the page’s list').toBeFocused();
  await expect(note).toHaveValue('half a sen');
});

test('on Home the focus stays with its payment when another one comes @wide', async ({ page, chain }) => {
  await createWallet(page);
  await isLive(page);
  const address = await primaryAddress(page);
  await goTo(page, 'Home');
  const lines = page.getByRole('main').getByRole('link', { name: /Received/ });
  for (const [count, amount] of ['0.25', '0.5'].entries()) {
    chain.devnet.faucet.give(address, coins(amount));
    await expect(lines).toHaveCount(count + 1);
  }
  await lines.filter({ hasText: '0.25' }).focus();
  chain.devnet.faucet.give(address, coins('0.75'));
  await expect(lines.filter({ hasText: '0.75' })).toBeVisible();
  await expect(lines.filter({ hasText: '0.25' })).toBeFocused();
});
