import { mkdirSync } from 'node:fs';
import { PAYEE } from './support/by-codes.ts';
import { addOf, beginGroup, exchange, goRound, handOut, type Person, takeIn } from './support/group.ts';
import { FOLDER, take } from './support/pictures.ts';
import { allUnlocked, amountAt, expect, fillPayment, isLive, otherBrowser, test } from './support/wallet.ts';

// `npm run screenshots`: a shared wallet, from its making to a payment.

const NAMES = ['Ada', 'Ben', 'Carl'] as const;

test('pictures of a shared wallet', async ({ page, context }) => {
  test.setTimeout(400_000);
  mkdirSync(FOLDER, { recursive: true });
  const pages = [page, await otherBrowser(context), await otherBrowser(context)];
  const people = NAMES.map((name, i): Person => ({ name, page: pages[i]! }));
  const [ada, ben] = people as [Person, Person, Person];
  await page.goto('/#/group');
  await page.getByLabel('What the others call you').fill('Ada');
  await take(page, ['group-make', 'phone', 'light']);
  await page.goto('/');
  await Promise.all(
    people.map((person) =>
      beginGroup(
        person,
        NAMES.filter((name) => name !== person.name),
        2,
      ),
    ),
  );
  await takeIn(ada, await handOut(ben, 'text'), addOf('Ben'));
  await expect(page.locator('.notices p')).toHaveCount(0);
  await page.evaluate(() => window.scrollTo(0, 0));
  await take(page, ['group-round', 'phone', 'light']);
  await take(page, ['group-round', 'desktop', 'dark']);
  await page.getByRole('button', { name: 'Show as codes' }).click();
  await expect(page.getByTestId('code')).toBeVisible();
  await take(page, ['group-codes', 'phone', 'dark']);
  for (const round of [1, 2, 3]) await goRound(people, 'text', round);
  await page.goto('/#/');
  await isLive(page);
  await page.getByRole('button', { name: 'Get test coins' }).click();
  await expect.poll(() => amountAt(page, 'balance'), { timeout: 60_000 }).toBeGreaterThan(0n);
  await expect(page.locator('.notices p')).toHaveCount(0);
  await page.evaluate(() => window.scrollTo(0, 0));
  await take(page, ['group-home', 'phone', 'light']);
  await allUnlocked(page);
  await exchange(people, 'text');
  await page.goto('/#/');
  await page.goto('/#/group');
  await expect(page.getByText('Enough of you are up to date')).toBeVisible();
  await take(page, ['group', 'phone', 'dark']);
  await take(page, ['group', 'desktop', 'light']);

  await fillPayment(ben.page, PAYEE, '2.5');
  await ben.page.getByRole('button', { name: 'Review' }).click();
  await ben.page.getByRole('button', { name: 'Sign and propose' }).click({ timeout: 60_000 });
  await takeIn(ada, await handOut(ben, 'file'));
  await expect(page.getByRole('button', { name: 'Sign', exact: true })).toBeVisible();
  await take(page, ['group-payment', 'phone', 'light']);
  await take(page, ['group-payment', 'desktop', 'dark']);
});
