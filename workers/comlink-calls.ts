import { type Endpoint, expose, transferHandlers } from 'comlink';
import type { HostErrorCode } from './host.ts';
import type { WireError } from './wire.ts';

/**
 * Restricts comlink to function calls (T12). Comlink by itself lets the other side read, set and construct along any path from the exposed
 * object, prototypes included. Here an endpoint accepts only calls of the listed functions and refuses everything else.
 */

export type Call = (...args: never[]) => unknown;
/** A function, or nested records of functions. */
export type Calls = Call | { readonly [name: string]: Calls };

/** Serves these functions at an endpoint, by their paths. Any other message is refused with `no-such-call`. */
export function serveCalls(calls: Calls, endpoint: Endpoint): void {
  expose(calls, onlyCalls(calls, endpoint));
}

/** Applies the same restriction to functions that comlink passes as proxies. To be called in both threads. */
export function proxyCallsOnly(): void {
  const handler = transferHandlers.get('proxy');
  if (!handler) throw new Error('comlink has no handler for proxies');
  transferHandlers.set('proxy', {
    ...handler,
    serialize: (call: unknown) => {
      const { port1, port2 } = new MessageChannel();
      serveCalls(call as Call, port1);
      return [port2, [port2]];
    },
  });
}

function onlyCalls(calls: Calls, endpoint: Endpoint): Endpoint {
  const listeners = new Map<EventListenerOrEventListenerObject, EventListener>();
  return {
    postMessage: (message, transfer) => endpoint.postMessage(message, transfer ?? []),
    addEventListener: (type, listener) => {
      const hear: EventListener = (event) => {
        const { data } = event as MessageEvent<unknown>;
        if (!isCall(calls, data) && !isRelease(data)) refuse(endpoint, data);
        else if (typeof listener === 'function') listener(event);
        else listener.handleEvent(event);
      };
      listeners.set(listener, hear);
      endpoint.addEventListener(type, hear);
    },
    // Comlink stops listening when the other side has released the proxy.
    removeEventListener: (type, listener) => {
      const hear = listeners.get(listener);
      if (hear) endpoint.removeEventListener(type, hear);
      if (endpoint instanceof MessagePort) endpoint.close();
    },
    start: () => endpoint.start?.(),
  };
}

/** Whether a message calls one of the functions. Only own properties count, never inherited ones. */
function isCall(calls: Calls, message: unknown): boolean {
  const { type, path } = fieldsOf(message);
  if (type !== 'APPLY' || !Array.isArray(path)) return false;
  let at: Calls | undefined = calls;
  for (const name of path as readonly unknown[]) {
    if (typeof name !== 'string' || typeof at !== 'object' || !Object.hasOwn(at, name)) return false;
    at = at[name];
  }
  return typeof at === 'function';
}

function isRelease(message: unknown): boolean {
  const { type, path } = fieldsOf(message);
  return type === 'RELEASE' && path === undefined;
}

/** Answers in comlink's own error format. A message without an id expects no answer. */
function refuse(endpoint: Endpoint, message: unknown): void {
  const { id } = fieldsOf(message);
  if (id === undefined) return;
  const code: HostErrorCode = 'no-such-call';
  const value: WireError = { room: 'HostError', code, message: 'expected a call of the list', data: undefined };
  endpoint.postMessage({ id, type: 'HANDLER', name: 'throw', value }, []);
}

const fieldsOf = (message: unknown): { readonly id?: unknown; readonly type?: unknown; readonly path?: unknown } =>
  typeof message === 'object' && message !== null ? message : {};
