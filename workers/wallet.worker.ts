import { expose, proxy } from 'comlink';
import { IndexedDbJournalStore } from '../src/storage/index.ts';
import { environment } from '../src/wallet/environment.ts';
import { spawnScanPool } from './scan-pool.ts';
import { Host } from './wallet-host.ts';
import { carryTypedErrors } from './wire.ts';

/** The worker that owns the keys: a thin host of `src/wallet` behind comlink. */

carryTypedErrors();
const host = new Host(environment({ store: new IndexedDbJournalStore(), scanPool: spawnScanPool }), proxy);
expose(host);
