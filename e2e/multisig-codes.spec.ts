import type { Page } from '@playwright/test';
import { code, makeLarge, PAYEE } from './support/by-codes.ts';
import { addOf, beginGroup } from './support/group.ts';
import { type Device, startDevice } from './support/screens.ts';
import { allUnlocked, amountAt, coins, expect, fillPayment, isLive, test, toReview } from './support/wallet.ts';

// A wallet of two, whose messages go by camera alone: each sees the codes on the other's screen.

const PAID = '0.123456789012';

interface Holder extends Device {
  readonly name: string;
}

const withHolders = test.extend<{ holders: readonly [Holder, Holder] }>({
  // biome-ignore lint/correctness/noEmptyPattern: the fixture's own form
  holders: async ({}, use) => {
    const url = process.env.NIGHTJAR_URL ?? '';
    const [ada, ben] = await Promise.all([startDevice({ url }), startDevice({ url })]);
    await use([
      { ...ada, name: 'Ada' },
      { ...ben, name: 'Ben' },
    ]);
    await Promise.all([ada.close(), ben.close()]);
  },
});

/** One shows a message, the other reads it. */
async function scan(from: Holder, to: Holder, button = 'Add a message'): Promise<void> {
  await film(from, to);
  await read(to, button);
}

async function film(from: Holder, to: Holder): Promise<void> {
  const show = from.page.getByRole('button', { name: 'Show as codes' });
  if ((await code(from.page).count()) === 0) await show.first().click();
  await to.look(code(from.page));
}

async function read(to: Holder, button = 'Add a message'): Promise<void> {
  await to.page.getByRole('button', { name: button, exact: true }).first().click();
  const dialog = to.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Scan codes' }).click();
  await expect(dialog).toBeHidden({ timeout: 60_000 });
}

async function tellBeforePayment({ page }: Holder): Promise<void> {
  await page.goto('/#/');
  await isLive(page);
  await page.goto('/#/group');
  await page.getByRole('button', { name: 'Make my message' }).click();
  await page.getByRole('button', { name: 'Show as codes' }).click();
}

const enough = (page: Page) => expect(page.getByText('Enough of you are up to date')).toBeVisible();

/** With LONG=1: software that films and reads codes has both processors for minutes. */
(process.env.LONG === '1' ? withHolders : withHolders.skip)(
  'a wallet of two is made and spends with messages that cameras read',
  async ({ holders }) => {
    const [ada, ben] = holders;
    for (const { page } of holders) page.setDefaultTimeout(30_000);
    await beginGroup(ada, ['Ben'], 2);
    await beginGroup(ben, ['Ada'], 2);
    for (const { page } of holders) {
      await page.getByRole('button', { name: 'Show as codes' }).click();
      await makeLarge(page);
    }
    for (const go of ['Go on to round 2', 'Make the wallet']) {
      await scan(ada, ben, addOf('Ada'));
      await scan(ben, ada, addOf('Ben'));
      for (const { page } of holders) {
        await page.getByRole('button', { name: go }).click();
        if (go !== 'Make the wallet') await expect(page.getByTestId('round')).toHaveText('Round 2 of 2');
      }
    }
    const addresses: (string | null)[] = [];
    for (const { page } of holders) {
      await page.getByRole('link', { name: 'Open the shared wallet' }).click();
      addresses.push(await page.getByTestId('group-address').getAttribute('data-address'));
    }
    expect(addresses[0]).toBe(addresses[1]);

    await ada.page.goto('/#/');
    await isLive(ada.page);
    await ada.page.getByRole('button', { name: 'Get test coins' }).click();
    await expect.poll(() => amountAt(ada.page, 'balance'), { timeout: 60_000 }).toBeGreaterThan(0n);
    await allUnlocked(ada.page);
    for (const holder of holders) await tellBeforePayment(holder);
    // What comes in has coins looked for again: both messages are filmed before.
    await film(ada, ben);
    await film(ben, ada);
    for (const holder of holders) await read(holder);
    for (const { page } of holders) await enough(page);

    await fillPayment(ada.page, PAYEE, PAID);
    await toReview(ada.page, 'Check before you propose it');
    await ada.page.getByRole('button', { name: 'Sign and propose' }).click();
    await expect(ada.page.getByTestId('set-state')).toHaveText('1 more must sign');
    await scan(ada, ben);
    await expect(ben.page.getByRole('heading', { name: 'Proposed by Ada' })).toBeVisible();
    expect(await amountAt(ben.page, 'amount')).toBe(coins(PAID));
    await ben.page.getByRole('button', { name: 'Sign', exact: true }).click();
    await ben.page.getByRole('button', { name: 'Send now' }).click();
    await expect(ben.page.getByRole('heading', { name: 'Sent' })).toBeVisible();
  },
);
