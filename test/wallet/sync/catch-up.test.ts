import { beforeAll, expect, it } from 'vitest';
import { bytesToHex } from '../../../src/base/index.ts';
import { loadCrypto, systemRandom } from '../../../src/crypto/index.ts';
import type { ScanAccount } from '../../../src/scan/index.ts';
import { newWallet } from '../../../src/wallet/index.ts';
import { WalletKeys } from '../../../src/wallet/keys.ts';
import { SubaddressTable } from '../../../src/wallet/subaddresses.ts';
import { CatchUp } from '../../../src/wallet/sync/catch-up.ts';
import type { SyncContext, SyncDaemon } from '../../../src/wallet/sync/context.ts';
import { foldEvents } from '../../support/fold.ts';

beforeAll(async () => loadCrypto());

it('a wallet that gets other keys is scanned with them, as many as there were before', async () => {
  const { secrets, first } = await newWallet(systemRandom, { network: 'regtest', from: { height: 5 }, now: 0 });
  const state = foldEvents(first);
  const keys = WalletKeys.of(secrets, state.description);
  const table = new SubaddressTable(keys);
  const given: string[] = [];
  const scanPool = {
    width: 1,
    setAccount: async ({ spendKeys }: ScanAccount) => void given.push(bytesToHex(spendKeys.slice(0, 32))),
  };
  const catchUp = new CatchUp({ state, keys, table, scanPool } as unknown as SyncContext, {} as never, 10);
  const gone = new Error('no daemon');
  const daemon = new Proxy({}, { get: () => () => Promise.reject(gone) }) as SyncDaemon;
  const look = () => catchUp.run(daemon, new AbortController().signal, {} as never).catch(() => undefined);
  await look();
  await look();
  expect(given).toHaveLength(1);
  const other = await newWallet(systemRandom, { network: 'regtest', from: { height: 5 }, now: 0 });
  const { description } = foldEvents(other.first);
  const others = WalletKeys.of(other.secrets, description);
  const { spendKey, viewKey } = others.primary;
  keys.become({ groupKey: spendKey, commonKey: viewKey, commonSecret: others.viewKey } as never, description.primaryAddress);
  table.clear();
  await look();
  expect(given).toEqual([given[0], bytesToHex(spendKey)]);
});
