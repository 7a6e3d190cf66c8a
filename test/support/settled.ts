import { expect } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import type { DevnetNode } from '../../src/devnet/index.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import type { NewWallet } from '../../src/wallet/create-wallet.ts';
import type { WalletEnvironment } from '../../src/wallet/environment.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { ledgerOfOurs, refreshToTip } from './two-wallets.ts';

interface Chain {
  readonly url: string;
  readonly node: DevnetNode;
  readonly minerWallet: Parameters<DevnetNode['mine']>[0];
}

/** A wallet that was killed, and its keys from when it was created. */
export interface Survivor {
  readonly name: string;
  readonly password: string;
  readonly made: NewWallet;
}

/**
 * Payments cut short before their bytes were sent are resent after a while; then nothing is pending, and the wallet has the same as one of the same
 * seed restored from the chain.
 */
export async function expectNothingLost(env: WalletEnvironment, chain: Chain, { name, password, made }: Survivor): Promise<void> {
  let ahead = 0;
  const clock = { ...systemClock, now: () => Date.now() + ahead };
  const survivor = await Wallet.open({ ...env, clock }, name, password);
  await survivor.setDaemon({ url: chain.url, trusted: false });
  for (const seconds of [0, 61, 122]) {
    ahead = seconds * 1000;
    await refreshToTip(survivor, chain.node.chain.height);
    chain.node.mine(chain.minerWallet);
  }
  await refreshToTip(survivor, chain.node.chain.height);
  expect((await survivor.history()).map(({ state }) => state)).not.toContain('sent');
  const store = new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } });
  const untouched = await Wallet.create({ ...env, store }, 'untouched', 'pw', made);
  await untouched.setDaemon({ url: chain.url, trusted: false });
  await refreshToTip(untouched, chain.node.chain.height);
  expect((await ledgerOfOurs(survivor)).accounts).toEqual((await ledgerOfOurs(untouched)).accounts);
  expect((await ledgerOfOurs(survivor)).outputs).toEqual((await ledgerOfOurs(untouched)).outputs);
  await Promise.all([survivor.close(), untouched.close()]);
}
