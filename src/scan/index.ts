/** Scanning: the kernel's host, the connection to workers, and pools of them. The pool of Node threads is `pool-node.ts`. */
export { releaseResult } from './columns.ts';
export { ScanError, type ScanErrorCode } from './errors.ts';
export { ScanKernel } from './kernel.ts';
export { type ReplyLayout, ReplyWalk } from './layout.ts';
export { createInlineScanPool, createScanPool } from './pool.ts';
export { createWebScanPool } from './pool-web.ts';
export { nodePort } from './port.ts';
export { serveScan, serveScanWorker } from './serve.ts';
export type * from './types.ts';
