import { expect, it } from 'vitest';
import { createWallet, restoreWallet, type Wallet } from '../../src/index.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import { CHEAP_KDF } from '../storage/samples.ts';
import { inside } from '../support/inside.ts';

const place = { store: new MemoryJournalStore({ kdf: CHEAP_KDF }), password: 'pw' };
const shown = async (wallet: Wallet) => (await wallet.subaddresses(0)).map(({ display, label }) => `${label} ${display}`);

it('an address is pinned or hidden for good: in a shorter journal, in a backup, and until it is undone', async () => {
  const wallet = await createWallet({ ...place, name: 'shop', network: 'stagenet' });
  await wallet.addresses.make(0, 'till', 2);
  await wallet.addresses.setDisplay({ major: 0, minor: 1 }, 'pinned');
  await wallet.addresses.setDisplay({ major: 0, minor: 2 }, 'hidden');
  await wallet.addresses.label({ major: 0, minor: 2 }, 'old');
  const kept = ['Primary account usual', 'till pinned', 'old hidden'];
  expect(await shown(wallet)).toEqual(kept);
  expect(wallet.addresses.view({ major: 0, minor: 2 }).display).toBe('hidden');
  await inside(wallet).compact();
  const again = await restoreWallet({ ...place, name: 'again', from: { backup: await wallet.backup() } });
  expect(await shown(again)).toEqual(kept);
  await again.addresses.setDisplay({ major: 0, minor: 2 }, 'usual');
  expect(await shown(again)).toEqual(['Primary account usual', 'till pinned', 'old usual']);
  const unmade = again.addresses.setDisplay({ major: 0, minor: 3 }, 'pinned');
  await expect(unmade).rejects.toMatchObject({ code: 'no-such-account' });
  await Promise.all([wallet.close(), again.close()]);
});
