/** What a daemon says. Answers are {@link Untrusted} until a check of the wallet has seen them. */

export { DaemonClient, UntrustedBlocks } from './client.ts';
export * from './errors.ts';
export { isOnThisMachine } from './transport/address.ts';
export type { DaemonTransport } from './transport/port.ts';
export * from './types.ts';
export { Untrusted } from './untrusted.ts';
