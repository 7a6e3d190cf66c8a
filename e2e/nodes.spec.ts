import { createWallet, expect, isLive, test } from './support/wallet.ts';

test('nodes are measured and told in words: one with the same blocks, one that is gone; one is used at the person’s word', async ({
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
  await expect(other).toContainText(/block [\d,]+ · [\d,]+ ms/);
  await expect(list.filter({ hasText: 'http://127.0.0.1:9' }).getByRole('status')).not.toContainText('It answers');
  await page.getByRole('button', { name: 'See how they are' }).click();
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
