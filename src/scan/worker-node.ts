import { parentPort } from 'node:worker_threads';
import { nodePort } from './port.ts';
import { serveScan } from './serve.ts';

// The body of a worker thread of `pool-node.ts`.
if (parentPort !== null) serveScan(nodePort(parentPort));
