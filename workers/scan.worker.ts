import { serveScan } from '../src/protocol/scan/index.ts';

/** A scan worker: holds the view key and a kernel of its own, sees blocks, returns what is ours. */

declare const self: DedicatedWorkerGlobalScope;

serveScan(self);
