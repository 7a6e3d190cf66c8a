import { serveScan, webPort } from '../src/scan/index.ts';

/** A scan worker: holds the view key and a kernel of its own, sees blocks, returns what is ours. */

serveScan(webPort(self));
