import { systemClock } from '../../../src/base/index.ts';
import { createInlineScanPool } from '../../../src/scan/index.ts';
import { MemoryJournalStore } from '../../../src/storage/index.ts';
import { walletFromWords } from '../../../src/wallet/create-wallet.ts';
import { environment } from '../../../src/wallet/environment.ts';
import { Wallet } from '../../../src/wallet/wallet.ts';
import { callAt, callsByName, PASSWORD, type SoakWallet } from './wallet.ts';

const NAME = 'ours';

/** Our wallet as the library in this process. It polls the daemon only when told to. */
export async function startNodeWallet(words: string, daemonUrl: string): Promise<SoakWallet> {
  let timePassed = 0;
  const env = environment({
    store: new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } }),
    scanPool: createInlineScanPool,
    clock: { ...systemClock, now: () => Date.now() + timePassed },
    sync: { pollEvery: 600_000, retryFirst: 50, retryMost: 500 },
  });
  const daemon = { url: daemonUrl, trusted: true };
  let wallet = await Wallet.create(
    env,
    NAME,
    PASSWORD,
    await walletFromWords(words, { network: 'regtest', from: { height: 0 }, now: 0 }),
  );
  await wallet.setDaemon(daemon);
  return {
    api: callsByName(async (path, args) => callAt(wallet, path, args)),
    passTime: async (ms) => {
      timePassed += ms;
    },
    reopen: async () => {
      await wallet.close();
      wallet = await Wallet.open(env, NAME, PASSWORD);
      await wallet.setDaemon(daemon);
    },
    stop: () => wallet.close(),
  };
}
