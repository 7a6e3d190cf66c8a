import { type ServedDevnet, serveDevnet } from '../src/devnet/index.ts';
import { type FileServer, serveFiles } from './support/file-server.ts';
import { createWallet, expect, isLive, NOTHING_KEPT, test } from './support/wallet.ts';

// The page on a server that has nothing but its files, in a folder of its own.

test.use(NOTHING_KEPT);

let node: ServedDevnet;
const servers: FileServer[] = [];

async function served(...given: Parameters<typeof serveFiles>): Promise<FileServer> {
  const server = await serveFiles(...given);
  servers.push(server);
  return server;
}

test.beforeAll(async () => {
  node = await serveDevnet({ history: { blocks: 100, transactions: 0 }, origins: ['*'] });
});

test.afterAll(async () => {
  await Promise.all([node.stop(), ...servers.map((server) => server.stop())]);
});

test('a page without a node says so, and asks its server for none; the person chooses one', async ({ page }) => {
  const { url, asked } = await served({ network: 'regtest' });
  await createWallet(page, 'Alone', url);
  const chip = page.locator('.sync').first();
  await expect(chip).toContainText('No node yet');
  await expect(chip).toContainText('This page comes without a node.');
  await page.getByRole('link', { name: 'Choose a node' }).click();
  await expect(page.getByRole('radio', { name: 'This site’s gateway' })).toHaveCount(0);
  await expect(page.getByTestId('node'), 'none is in use').toHaveCount(0);
  await page.getByLabel('Node address').fill(node.url);
  await page.getByRole('button', { name: 'Use this node' }).click();
  await expect(page.getByText('Node changed')).toBeVisible();
  await expect(page.getByTestId('node')).toContainText('in use');
  await page.goto(`${url}/#/`);
  await isLive(page);
  expect(new Set(asked)).toEqual(new Set(['/wallet/nightjar.json']));
});

test('a server that names a node has new wallets use it', async ({ page }) => {
  const { url } = await served({ network: 'regtest', daemon: { url: node.url } });
  await createWallet(page, 'Named', url);
  await isLive(page);
  await page.goto(`${url}/#/settings/daemon`);
  await expect(page.getByLabel('Node address')).toHaveValue(node.url);
});

test('T12 a document whose server sends no policy has its own; where no network is named, a wallet is one of the main network', async ({
  page,
  watched,
}) => {
  const { url } = await served(undefined, {});
  await createWallet(page, 'Main', url);
  await expect(page.locator('.sync').first()).toContainText('No node yet');
  await expect(page.getByText('test network')).toHaveCount(0);
  const inject = (): void => document.body.setAttribute('onclick', 'document.title = "injected"');
  await expect(page.evaluate(inject)).rejects.toThrow('TrustedScript');
  const refused = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
        const frame = document.createElement('iframe');
        frame.src = 'https://elsewhere.example/';
        document.body.append(frame);
      }),
  );
  expect(await refused).toBe('frame-src');
  expect(watched.breaches.splice(0)).toHaveLength(3);
});
