import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator } from '@playwright/test';
import { serveDevnet } from '../src/devnet/index.ts';
import { createWallet, expect, isLive, NOTHING_KEPT, test } from './support/wallet.ts';

test.use(NOTHING_KEPT);

test('nodes are measured and described: one with the same blocks, one that is gone; the person switches to one @wide', async ({
  page,
  baseURL,
}) => {
  await createWallet(page);
  await isLive(page);
  await page.goto('/#/settings/daemon');
  const list = page.getByTestId('node');
  await expect(list).toHaveCount(1);
  const same = `${baseURL}/daemon`;
  for (const url of [same, 'http://127.0.0.1:9']) {
    await page.getByLabel('Address of another node').fill(url);
    await page.getByRole('button', { name: 'Add the node' }).click();
  }
  const other = list.filter({ hasText: same });
  await expect(other).toContainText('the same blocks as the node in use');
  // A table has its own columns for what a list says in a line.
  const isTable = await page.getByRole('columnheader', { name: 'Block' }).isVisible();
  await expect(other).toContainText(isTable ? /[\d,]+\s*[\d,]+ ms/ : /block [\d,]+ · [\d,]+ ms/);
  await expect(list.filter({ hasText: 'http://127.0.0.1:9' }).getByRole('status')).not.toContainText('It answers');
  await page.getByRole('button', { name: 'Check them' }).click();
  await expect(list.first().getByRole('status')).toContainText('has the whole chain');

  await other.getByRole('button', { name: 'Use this one' }).click();
  await expect(page.getByText('Node changed')).toBeVisible();
  await expect(list.first()).toContainText(same);
  await expect(list.first()).toContainText('in use');
  await expect(list.first()).toContainText('it saw your network address');
  await page.reload();
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
  await expect(list, 'the list is kept').toHaveCount(2);
});

test('a node is asked by hand: what it tells, in words too; what it does not take, and what does not pass the gateway', async ({
  page,
}) => {
  await createWallet(page);
  await isLive(page);
  const scripts = (): Promise<number> =>
    page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /AskNode/.test(name)).length);
  await page.goto('/#/settings/daemon');
  const own = page.getByTestId('node').first();
  const open = own.getByRole('button', { name: 'Ask it something' });
  await expect(open).toHaveAttribute('aria-expanded', 'false');
  expect(await scripts()).toBe(0);
  await open.focus();
  await page.keyboard.press('Enter');
  const question = own.getByRole('combobox', { name: 'Question', exact: true });
  await expect(question).toBeVisible();
  expect(await scripts()).toBeGreaterThan(0);
  const answer = own.getByTestId('answer');
  const ask = own.getByRole('button', { name: 'Ask', exact: true });

  await ask.click();
  await expect(answer).toContainText(/nettype\s*fakechain/);
  await expect(answer).toContainText(/cumulative_difficulty\s*\d+/);
  await expect(answer).not.toContainText('top64');
  await question.selectOption('get_block_header_by_height');
  await expect(answer).toHaveCount(0);
  await ask.click();
  await expect(own.getByText('Fill this in.')).toBeVisible();
  const height = own.getByLabel('Height of the block');
  await expect(height).toBeFocused();
  await height.fill('many');
  await page.keyboard.press('Enter');
  await expect(own.getByText('Write a whole number')).toBeVisible();
  await height.fill('5');
  await page.keyboard.press('Enter');
  await expect(answer).toContainText(/reward\s*\d{13,14}\s*= \d+\.\d+ XMR/);
  await expect(answer).toContainText(/timestamp\s*\d+\s*= .*20\d\d/);
  await height.fill('99999999');
  await page.keyboard.press('Enter');
  await expect(own.getByRole('alert')).toContainText('The node says:');
  await expect(answer).toHaveCount(0);

  // 64 bits and two lists, in what the person writes.
  await question.selectOption('get_outs');
  await own.getByLabel('Amount and index, a pair a line').fill('0 1\n0 2');
  await ask.click();
  await expect(answer).toContainText(/outs \[1\]\s*height/);

  await question.selectOption('get_connections');
  await ask.click();
  await expect(own.getByRole('alert')).toContainText('gateway does not pass this question on');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await open.click();
  await expect(question).toHaveCount(0);
});

test('an unusable node is reported by its cause: no CORS, an invalid certificate, or nothing there', async ({ page, faults }) => {
  // A node whose owner has let no pages in, and one with a certificate that no browser knows.
  const closed = await serveDevnet({ history: { blocks: 10, transactions: 0 } });
  const credentials = {
    cert: readFileSync('test/fixtures/certificates/direct.crt'),
    key: readFileSync('test/fixtures/certificates/direct.key'),
  };
  const unknown = createServer(credentials, (_, answer) => answer.end('{}'));
  await new Promise<void>((resolve) => unknown.listen(0, '127.0.0.1', resolve));
  const secure = `https://127.0.0.1:${(unknown.address() as AddressInfo).port}`;
  await createWallet(page);
  await page.goto('/#/settings/daemon');
  const said = async (url: string): Promise<Locator> => {
    await page.getByLabel('Address of another node').fill(url);
    await page.getByRole('button', { name: 'Add the node' }).click();
    return page.getByTestId('node').filter({ hasText: url }).getByRole('status');
  };
  await expect(await said(closed.url)).toContainText('The node must allow this page');
  await expect(await said(secure)).toContainText('does not accept its certificate');
  await expect(await said('http://127.0.0.1:9')).toHaveText('It cannot be reached: it is switched off, or the address is wrong.');
  // The first of them has this address in its words, too.
  const other = (await said(process.env.NIGHTJAR_URL ?? '')).last();
  await expect(other).toHaveText(/^Something answers there, but not as a node does/);
  const many = await page.getByTestId('node').count();
  await said('http://user:secret@127.0.0.1:9');
  await expect(page.getByText('Leave name and password out of the address')).toBeVisible();
  await expect(page.getByTestId('node'), 'no login is kept in a list').toHaveCount(many);
  faults.length = 0;
  await new Promise((resolve) => unknown.close(resolve));
  await closed.stop();
});
