/** What a daemon says. Answers are {@link Untrusted} until a check of the wallet has seen them. */

export type { Clock } from '../base/index.ts';
export type { DistributionRequest, HistogramRequest } from './calls/outputs.ts';
export { type ConnectOptions, DaemonClient, type DaemonClientOptions, UntrustedBlocks } from './client.ts';
export * from './errors.ts';
export type { RetryPolicy } from './rpc-client.ts';
export { isOnThisMachine } from './transport/address.ts';
export type { DaemonRequest, DaemonResponse, DaemonTransport } from './transport/port.ts';
export type { WatchdogLimits } from './transport/watchdog.ts';
export * from './types.ts';
export { Untrusted, type UnverifiedReason } from './untrusted.ts';
