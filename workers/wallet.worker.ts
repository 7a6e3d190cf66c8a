import type { Endpoint } from 'comlink';
import { IndexedDbJournalStore, type PasswordHash } from '../src/storage/index.ts';
import { environment } from '../src/wallet/index.ts';
import { carryCallsOnly } from './calls.ts';
import { servePage } from './page-door.ts';
import { PasswordHasher } from './password-hash.ts';
import { spawnScanPool } from './scan-pool.ts';
import { Host } from './wallet-host.ts';
import { carryTypedErrors } from './wire.ts';

/** The worker that owns the keys: a thin host of `src/wallet` behind comlink. */

carryTypedErrors();
carryCallsOnly();
const passwords = new PasswordHasher();
const hash: PasswordHash = (...asked) => passwords.hash(...asked);
const host: Host = new Host(
  environment({
    store: new IndexedDbJournalStore({ hash }),
    scanPool: spawnScanPool,
    believesRegtest: (settings) => host.believesRegtest(settings),
  }),
  passwords,
);
servePage(host, self as Endpoint);
