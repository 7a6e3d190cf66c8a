import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expect, isLive, nameAndPassword } from './wallet.ts';

/** A shared wallet as three people make it and use it, each with a browser of their own. */

export interface Person {
  readonly page: Page;
  readonly name: string;
}

/** How a message goes from one to another. */
export type Way = 'text' | 'file';

/** A message as it was handed over. */
export type Handed = { readonly text: string } | { readonly name: string; readonly bytes: Buffer };

/** Says how many they are and who, and begins. */
export async function beginGroup({ page, name }: Person, others: readonly string[], threshold: number): Promise<void> {
  await page.goto('/#/group');
  await page.getByLabel('What the others call you').fill(name);
  await page.getByLabel('How many of you are there?').selectOption(String(others.length + 1));
  await page.getByLabel('How many must sign to spend?').selectOption(String(threshold));
  for (const [i, other] of others.entries()) await page.getByLabel(`Name of member ${i + 2}`).fill(other);
  await nameAndPassword(page, `${name}’s part`);
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect(page.getByTestId('round')).toHaveText(/^Round 1 of/);
}

/** What is shown to be given to the others. */
export async function handOut({ page }: Pick<Person, 'page'>, way: Way, part: Page | Locator = page): Promise<Handed> {
  await expect(part.getByTestId('message')).toHaveCount(1);
  if (way === 'text') return { text: await part.getByTestId('message').inputValue() };
  const downloading = page.waitForEvent('download');
  await part.getByRole('button', { name: 'Save as a file' }).first().click();
  const download = await downloading;
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** Gives somebody a message, and sees the dialog go. @param button that asks for it */
export async function takeIn(person: Person, handed: Handed, button = 'Add a message'): Promise<void> {
  await offer(person, handed, button);
  await expect(person.page.getByRole('dialog')).toBeHidden();
}

/** The same, whatever comes of it. */
export async function offer({ page }: Person, handed: Handed, button = 'Add a message'): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).first().click();
  await give(page, handed);
}

export const addOf = (name: string): string => `Add ${name}’s message`;

/** One round: everybody hands out, everybody takes in what is missing, everybody goes on. */
export async function goRound(people: readonly Person[], way: Way, round: number): Promise<void> {
  const last = round === people.length;
  const handed = await Promise.all(people.map((person) => handOut(person, way)));
  await Promise.all(
    people.map(async (person, i) => {
      for (const [j, from] of people.entries()) {
        const add = person.page.getByRole('button', { name: addOf(from.name), exact: true });
        if (i !== j && (await add.count()) > 0) await takeIn(person, handed[j]!, addOf(from.name));
      }
      await person.page.getByRole('button', { name: last ? 'Make the wallet' : `Go on to round ${round + 1}` }).click();
      if (last) await expect(person.page.getByTestId('balance')).toBeVisible();
      else await expect(person.page.getByTestId('round')).toHaveText(new RegExp(`^Round ${round + 1} of`));
    }),
  );
}

/** Everybody tells everybody what a payment needs. */
export async function exchange(people: readonly Person[], way: Way): Promise<void> {
  const handed = await Promise.all(
    people.map(async (person) => {
      const { page } = person;
      await page.goto('/#/');
      await isLive(page);
      await page.goto('/#/group');
      await page.getByRole('button', { name: 'Make my message' }).click();
      return handOut(person, way);
    }),
  );
  await Promise.all(
    people.map(async (person, i) => {
      const before = person.page.getByRole('region', { name: 'Before a payment' });
      for (const [j, message] of handed.entries()) {
        if (i === j) continue;
        await before.getByRole('button', { name: 'Add a message' }).click();
        await give(person.page, message);
        await expect(person.page.getByRole('dialog')).toBeHidden();
      }
      await expect(before.getByText('Enough of you are up to date')).toBeVisible();
    }),
  );
}

async function give(page: Page, handed: Handed): Promise<void> {
  const dialog = page.getByRole('dialog');
  if ('text' in handed) {
    await dialog.getByLabel('The message').fill(handed.text);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  } else {
    const choosing = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Choose a file' }).click();
    await (await choosing).setFiles({ name: handed.name, mimeType: 'application/octet-stream', buffer: handed.bytes });
  }
}
