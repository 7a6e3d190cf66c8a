import type { Endpoint } from 'comlink';
import { IndexedDbJournalStore } from '../src/storage/index.ts';
import { environment } from '../src/wallet/index.ts';
import { carryCallsOnly } from './calls.ts';
import { servePage } from './page-door.ts';
import { spawnScanPool } from './scan-pool.ts';
import { Host } from './wallet-host.ts';
import { carryTypedErrors } from './wire.ts';

/** The worker that owns the keys: a thin host of `src/wallet` behind comlink. */

carryTypedErrors();
carryCallsOnly();
const host: Host = new Host(
  environment({
    store: new IndexedDbJournalStore(),
    scanPool: spawnScanPool,
    believesRegtest: (settings) => host.believesRegtest(settings),
  }),
);
servePage(host, self as Endpoint);
