import type { ScanError, ScanErrorCode } from './errors.ts';
import type { ScanAccount, ScanFindings } from './types.ts';

/** Request of the pool to a worker. The answer has the same `id`. */
export type ScanRequest =
  | { readonly id: number; readonly kind: 'account'; readonly account: ScanAccount }
  /** A complete reply, made of some blocks of a longer one; it belongs to the worker. */
  | { readonly id: number; readonly kind: 'scan'; readonly slice: ArrayBuffer }
  /** Wipes the view key; the worker then ends. */
  | { readonly id: number; readonly kind: 'close' };

/** Answer of a worker: done, findings, or an error. */
export type ScanAnswer =
  | { readonly id: number; readonly kind: 'done' }
  | { readonly id: number; readonly kind: 'result'; readonly findings: ScanFindings }
  | {
      readonly id: number;
      readonly kind: 'error';
      readonly code: ScanErrorCode;
      readonly data: ScanError['data'];
    };

/** First message of a web worker: its script runs. */
export const WORKER_STARTED = 'begun';

/** A message of either direction. */
export type ScanMessage = ScanRequest | ScanAnswer | typeof WORKER_STARTED;

/**
 * One end of the connection between the pool and a worker: a Worker, a MessagePort or a worker's own global scope, of the web or of Node.
 */
export interface ScanPort {
  postMessage(message: ScanMessage, transfer: ArrayBuffer[]): void;
  /** Calls back for every message, and for the other end's failure. */
  listen(message: (message: ScanMessage) => void, failure: () => void): void;
  /** Ends the other side, if this side owns it. */
  terminate(): void;
}

/** Common part of the web's Worker, MessagePort and worker scope. */
export interface WebEndpoint {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  addEventListener(type: string, listener: (event: Event) => void): void;
  start?(): void;
  terminate?(): void;
  close?(): void;
}

/** The port of a web Worker, a MessagePort, or (inside a worker) `self`. */
export function webPort(endpoint: WebEndpoint): ScanPort {
  return {
    postMessage: (message, transfer) => endpoint.postMessage(message, transfer),
    listen(message, failure) {
      endpoint.addEventListener('message', (event) => message((event as MessageEvent<ScanMessage>).data));
      for (const type of ['error', 'messageerror']) endpoint.addEventListener(type, failure);
      endpoint.start?.();
    },
    terminate: () => (endpoint.terminate ?? endpoint.close)?.call(endpoint),
  };
}

/** Common part of Node's Worker and parentPort. */
interface NodeEndpoint {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(type: string, listener: (value: unknown) => void): unknown;
  terminate?(): unknown;
  close?(): void;
}

/** The port of a worker_threads Worker, or (inside one) of `parentPort`. */
export function nodePort(endpoint: NodeEndpoint): ScanPort {
  return {
    postMessage: (message, transfer) => endpoint.postMessage(message, transfer),
    listen(message, failure) {
      endpoint.on('message', (value) => message(value as ScanMessage));
      for (const type of ['error', 'messageerror', 'exit']) endpoint.on(type, failure);
    },
    terminate: () => void (endpoint.terminate ?? endpoint.close)?.call(endpoint),
  };
}
