import { createInlineScanPool } from '../../src/scan/index.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import { environment, type WalletEnvironment } from '../../src/wallet/environment.ts';

/** Wallets in memory that open at once and poll their daemon only when a test says so. */
export const quickEnvironment = (): WalletEnvironment =>
  environment({
    store: new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } }),
    scanPool: createInlineScanPool,
    sync: { pollEvery: 60_000, retryFirst: 50, retryMost: 200 },
  });
