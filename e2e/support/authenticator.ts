import type { CDPSession, Page } from '@playwright/test';
import { PASSWORD } from './wallet.ts';

/** An authenticator that the browser plays: it shows its owner when it is told to. */
export interface Authenticator {
  readonly client: CDPSession;
  readonly authenticatorId: string;
}

export async function authenticator(page: Page, hasPrf: boolean): Promise<Authenticator> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal', hasPrf },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  });
  return { client, authenticatorId };
}

/** A passkey for the open wallet, through Settings. */
export async function setUpPasskey(page: Page): Promise<void> {
  await page.goto('/#/settings/safety/unlock');
  await page.getByRole('button', { name: 'Set up a passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Set up a passkey' }).click();
}
