import { addOf, beginGroup, exchange, goRound, handOut, offer, type Person, takeIn } from './support/group.ts';
import { checkLooks } from './support/looks.ts';
import {
  allUnlocked,
  amountAt,
  coins,
  expect,
  fillPayment,
  fromTheStart,
  isLive,
  nameAndPassword,
  otherBrowser,
  PASSWORD,
  test,
  toReview,
  unlock,
} from './support/wallet.ts';

// Three browsers make a wallet of 2 of 3, are paid, and pay: messages go from one to the other as people would carry them.

const PAYEE = '49FpoDjbLvq2qQHw6hTbSi1yM1X1k9HwpUUiayFxg4BuicwxgAJyUYLcUfidVUAeF7ZaXcuGZG4h4SKwpLJ5ZYYzGpLZwWm';
const PAID = '0.123456789012';
const NAMES = ['Ada', 'Ben', 'Carl'] as const;

test('three browsers make a wallet of 2 of 3, receive, and spend', async ({ page, context }) => {
  const pages = [page, await otherBrowser(context), await otherBrowser(context)];
  const people = NAMES.map((name, i): Person => ({ name, page: pages[i]! }));
  const [ada, ben, carl] = people as [Person, Person, Person];

  await ada.page.goto('/#/add');
  await ada.page.getByText('Other ways to begin').click();
  await ada.page.getByRole('link', { name: /Make or join a shared wallet/ }).click();
  await expect(ada.page.getByText('Shared wallets are an experiment of Monero itself')).toBeVisible();
  await checkLooks(ada.page, 'making');
  await Promise.all(
    people.map((person) =>
      beginGroup(
        person,
        NAMES.filter((name) => name !== person.name),
        2,
      ),
    ),
  );
  await checkLooks(ada.page, 'round 1');

  // What is wrong is said, and nothing is taken from it.
  const [fromAda, fromBen] = await Promise.all([handOut(ada, 'text'), handOut(ben, 'text')]);
  const dialog = ben.page.getByRole('dialog');
  const close = () => dialog.getByRole('button', { name: 'Close' }).click();
  await offer(ben, fromBen, addOf('Ada'));
  await expect(dialog.getByText('This is your own message')).toBeVisible();
  await close();
  await offer(ben, { text: 'hello' }, addOf('Ada'));
  await expect(dialog.getByText('This is not a message of a shared wallet')).toBeVisible();
  await checkLooks(ben.page, 'a wrong message');
  await close();
  const told = 'text' in fromAda ? fromAda.text : '';
  await offer(ben, { text: told.slice(0, -1) + (told.endsWith('1') ? '2' : '1') }, addOf('Ada'));
  await expect(dialog.getByText('changed or damaged on the way')).toBeVisible();
  await close();
  await expect(ben.page.getByText('Missing: Ada and Carl')).toBeVisible();
  await takeIn(ben, fromAda, addOf('Ada'));
  await offer(ben, fromAda, addOf('Carl'));
  await expect(dialog.getByText('This message is here already')).toBeVisible();

  // Left in the middle of a round and come back to, by keyboard alone from here on.
  await ben.page.reload();
  await unlock(ben.page);
  await expect(ben.page.getByText('Missing: Carl')).toBeVisible();
  await ben.page.getByRole('button', { name: addOf('Carl') }).focus();
  await ben.page.keyboard.press('Enter');
  await expect(dialog.getByLabel('The message')).toBeFocused();
  await ben.page.keyboard.press('Escape');
  await expect(ben.page.getByRole('button', { name: addOf('Carl') })).toBeFocused();

  await goRound(people, 'text', 1);
  await offer(carl, fromAda, addOf('Ada'));
  await expect(carl.page.getByText('This message is of round 1, and round 2 is under way')).toBeVisible();
  await carl.page.keyboard.press('Escape');
  await goRound(people, 'file', 2);
  await ada.page.reload();
  await unlock(ada.page);
  await expect(ada.page.getByTestId('round')).toHaveText('Round 3 of 3');
  await goRound(people, 'text', 3);

  // The same address for all, to be compared.
  const code = ada.page.getByRole('img', { name: 'QR code of this address' });
  await ada.page.setViewportSize({ width: 1440, height: 900 });
  await isLive(ada.page);
  await expect(code, 'an address that was not compared').toHaveCount(0);
  const addresses = await Promise.all(
    people.map(async (person) => {
      await expect(person.page.getByText('Compare the address with the others')).toBeVisible();
      await person.page.getByRole('link', { name: 'Open the shared wallet' }).click();
      return person.page.getByTestId('group-address').getAttribute('data-address');
    }),
  );
  expect(new Set(addresses).size).toBe(1);
  await ada.page.getByRole('button', { name: 'It is the same for all of us' }).click();
  await expect(ada.page.getByText('You compared the address')).toBeVisible();

  await ada.page.goto('/#/');
  await isLive(ada.page);
  await expect(code, 'beside the balance, on a wide screen').toBeVisible();
  await ada.page.setViewportSize({ width: 390, height: 844 });
  await ada.page.getByRole('button', { name: 'Get test coins' }).click();
  await expect.poll(() => amountAt(ada.page, 'balance'), { timeout: 60_000 }).toBeGreaterThan(0n);
  await expect(ada.page.getByTestId('balance-label')).toHaveText('Balance, at most');
  await expect(ada.page.getByText('Ask Ben and Carl for the newest message')).toBeVisible();
  await checkLooks(ada.page, 'home');
  await allUnlocked(ada.page);
  await exchange(people, 'text');
  await checkLooks(ada.page, 'overview');
  const before = await Promise.all(
    people.map(async (person) => {
      await person.page.goto('/#/');
      await expect(person.page.getByTestId('balance-label')).toHaveText('Balance');
      await allUnlocked(person.page);
      return amountAt(person.page, 'balance');
    }),
  );
  expect(new Set(before).size).toBe(1);

  // Proposed, looked at, signed, and sent: by file.
  await fillPayment(ben.page, PAYEE, PAID);
  await toReview(ben.page, 'Check before you propose it');
  const fee = await amountAt(ben.page, 'fee');
  await ben.page.getByRole('button', { name: 'Sign and propose' }).click();
  await expect(ben.page.getByRole('heading', { name: 'Proposed by you' })).toBeVisible();
  await expect(ben.page.getByTestId('set-state')).toHaveText('1 more must sign');
  const proposal = await handOut(ben, 'file');

  await ada.page.goto('/#/group');
  await takeIn(ada, proposal);
  await expect(ada.page.getByRole('heading', { name: 'Proposed by Ben' })).toBeVisible();
  await expect(ada.page.locator(`[data-address="${PAYEE}"]`)).toBeVisible();
  expect([await amountAt(ada.page, 'amount'), await amountAt(ada.page, 'fee')]).toEqual([coins(PAID), fee]);
  expect(await amountAt(ada.page, 'change')).toBe(before[0]! - coins(PAID) - fee);
  await checkLooks(ada.page, 'a payment');
  await ada.page.getByRole('button', { name: 'Sign', exact: true }).click();
  await expect(ada.page.getByTestId('set-state')).toHaveText('Ready to be sent');
  await expect(ada.page.getByText('Signed by Ben and Ada (you)')).toBeVisible();
  await expect(
    ada.page.getByRole('heading', { name: 'Proposed by Ben', exact: true }),
    'who signs it did not propose it',
  ).toBeVisible();
  await expect(ada.page.getByRole('heading', { name: 'Give it to one of: Ben and Carl', exact: true })).toBeVisible();

  // The one who is asked last sends it; it is seen by all.
  const signed = await handOut(ada, 'file');
  await carl.page.goto('/#/group');
  await takeIn(carl, signed);
  await carl.page.getByRole('button', { name: 'Send now' }).click();
  await expect(carl.page.getByRole('heading', { name: 'Sent' })).toBeVisible();
  for (const { page: seen } of people) {
    await seen.goto('/#/history');
    await expect(seen.getByRole('link', { name: /Sent/ })).toHaveCount(1, { timeout: 60_000 });
  }
  await ada.page.goto('/#/group');
  await expect(ada.page.getByText('Its coins are spent')).toBeVisible();

  // The seed of one's part brings it back.
  await ada.page.goto('/#/group/seed');
  await ada.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await ada.page.getByRole('button', { name: 'Show the seed' }).click();
  await expect(ada.page.getByTestId('group-seed')).toHaveValue(/^0200000003000000[0-9a-f]{500}/);
  const seed = await ada.page.getByTestId('group-seed').inputValue();
  const again = await otherBrowser(context);
  await again.goto('/#/restore');
  await again.getByRole('link', { name: 'It is a shared wallet’s seed' }).click();
  await again.getByLabel('Seed of your part').fill(seed);
  await fromTheStart(again);
  await nameAndPassword(again, 'Ada again');
  await again.getByRole('button', { name: 'Restore my part' }).click();
  await expect(again.getByTestId('group')).toContainText('2 of 3');
  await again.getByRole('link', { name: 'Open the shared wallet' }).click();
  await expect(again.getByTestId('group-address')).toHaveAttribute('data-address', addresses[0] ?? '');
});
