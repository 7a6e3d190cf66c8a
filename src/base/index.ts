/** Shared utilities: bytes, JSON with 64-bit integers, URLs, clocks, queues and the base class of errors. Nothing here knows of Monero. */
export * from './bytes.ts';
export * from './clock.ts';
export * from './crc32.ts';
export * from './errors.ts';
export * from './json.ts';
export * from './lazy-list.ts';
export * from './lists.ts';
export * from './log.ts';
export * from './log-categories.ts';
export { type NodeCiphers, nodeModule } from './node-module.ts';
export * from './random-sampler.ts';
export * from './response.ts';
export * from './serial-queue.ts';
export * from './url.ts';
