import type { Page } from '@playwright/test';
import { type Monerod, startMonerod } from '../test/support/programs.ts';
import { type Served, startSite } from './support/serve.ts';
import { createWallet, expect, isLive, NOTHING_KEPT, test } from './support/wallet.ts';

// A real monerod behind --rpc-login. It exposes its challenge to pages it allows (Access-Control-Expose-Headers), so a page can log in by itself.

test.use(NOTHING_KEPT);

interface Programs {
  readonly monerod: Monerod;
  readonly site: Served;
}

const withLogin = test.extend<{ gatewayLogin: string; programs: Programs }>({
  gatewayLogin: ['user:password', { option: true }],
  programs: async ({ gatewayLogin }, use) => {
    const monerod = await startMonerod({ login: 'user:password', extraArgs: ['--rpc-access-control-origins', '*'] });
    const daemon = ['--daemon', monerod.url, '--daemon-login', gatewayLogin, '--network', 'regtest'];
    const site = await startSite(['--port', '0', ...daemon]);
    await use({ monerod, site });
    await site.stop();
    await monerod.stop();
  },
  baseURL: ({ programs }, use) => use(programs.site.url),
});

async function useDirectly(page: Page, url: string, user: string, password: string): Promise<void> {
  await page.getByLabel('Node address').fill(url);
  await page.getByLabel('Login, if it has one').fill(user);
  if (user !== '') await page.getByLabel('Login password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Use this node' }).click();
}

withLogin(
  'through the gateway, and directly with the login of the settings; a wrong one is named',
  async ({ page, programs }) => {
    await createWallet(page);
    await isLive(page);

    const { url } = programs.monerod;
    const reason = page.locator('main .sync [role=status] p');
    await page.goto('/#/settings/daemon');
    await page.getByRole('radio', { name: 'A node you name' }).check();
    await page.getByLabel('Node address').fill(url);
    await page.getByLabel('Login, if it has one').fill('user');
    await page.getByRole('button', { name: 'Use this node' }).click();
    await expect(page.getByText('Enter the login password.')).toBeVisible();
    await expect(page.getByLabel('Login password', { exact: true })).toBeFocused();

    await useDirectly(page, url, 'user', 'wrong');
    const refused = page.getByRole('alert');
    await expect(refused).toContainText('The node did not accept the name and password. Correct them in Settings, Node.');
    await page.getByRole('button', { name: 'Use it anyway' }).click();
    await expect(reason).toHaveText('The node did not accept the name and password. Correct them in Settings, Node.');

    await useDirectly(page, url, '', '');
    await expect(refused).toContainText('This node wants a name and a password.');

    const answered = page.waitForResponse((response) => response.url().startsWith(url) && response.status() === 200);
    await useDirectly(page, url, 'user', 'password');
    const { authorization } = await (await answered).request().allHeaders();
    expect(authorization).toMatch(/^Digest /);
    await isLive(page);
    await expect(reason).toHaveCount(0);
  },
);

withLogin.describe('a gateway whose own login is wrong', () => {
  withLogin.use({ gatewayLogin: 'user:wrong' });

  withLogin('says where to correct it', async ({ page }) => {
    await createWallet(page);
    await expect(page.locator('main .sync [role=status] p')).toContainText('start Nightjar with --daemon-login');
  });
});
