/** Scanning: the kernel's host, the line to workers, and pools over them. Node's own pool is `pool-node.ts`. */
export type * from './contract.ts';
export { ScanError, type ScanErrorCode } from './errors.ts';
export { ScanKernel } from './kernel.ts';
export { type ReplyLayout, ReplyWalk } from './layout.ts';
export { createInlineScanPool, createScanPool } from './pool.ts';
export { nodePort, type ScanPort, webPort } from './port.ts';
export { serveScan } from './serve.ts';
