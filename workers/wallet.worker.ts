import type { Endpoint } from 'comlink';
import { IndexedDbJournalStore, type PasswordHash } from '../src/storage/index.ts';
import { environment } from '../src/wallet/index.ts';
import { proxyCallsOnly } from './comlink-calls.ts';
import { servePage } from './page-api.ts';
import { PasswordHasher } from './password-hash.ts';
import { spawnScanPool } from './scan-pool.ts';
import { Host } from './wallet-host.ts';
import { transferTypedErrors } from './wire.ts';

/** The worker that owns the keys: a thin host of `src/wallet` behind comlink. */

transferTypedErrors();
proxyCallsOnly();
const passwords = new PasswordHasher();
const hash: PasswordHash = (...args) => passwords.hash(...args);
const store = new IndexedDbJournalStore({ hash });
const host: Host = new Host(
  environment({
    store,
    scanPool: spawnScanPool,
    believesRegtest: (settings) => host.believesRegtest(settings),
  }),
  {
    hash,
    prepare: () => passwords.prepare(),
    ahead: (name, password) => store.hashAhead(name, password, (...asked) => passwords.ahead(...asked)),
    hashInThisThread: (here) => passwords.hashInThisThread(here),
  },
);
servePage(host, self as Endpoint);
