/** The client of a daemon. Answers are {@link Untrusted} until the wallet has checked them. */

export { DaemonClient, UntrustedBlocks } from './client.ts';
export * from './errors.ts';
export { isOnThisMachine } from './transport/address.ts';
export type { DaemonTransport } from './transport/port.ts';
export * from './types.ts';
export { Untrusted } from './untrusted.ts';
