import type { Log } from '../../base/index.ts';

/** Logs each call of a daemon: destination, result, duration. Never its body or its login. */
export function loggedFetch(inner: typeof fetch, log: Log): typeof fetch {
  return async (input, init) => {
    const began = performance.now();
    const { method, url } = input instanceof Request ? input : { method: init?.method ?? 'GET', url: String(input) };
    const { host, pathname } = new URL(url);
    const call = `${method} ${host}${pathname}`;
    const took = () => `${(performance.now() - began).toFixed(0)} ms`;
    try {
      const response = await inner(input, init);
      log('DEBUG', 'net.http', () => `daemon: ${call}: ${response.status} in ${took()}`);
      return response;
    } catch (error) {
      log('WARNING', 'net.http', () => `daemon: ${call}: ${reason(error)} after ${took()}`);
      throw error;
    }
  };
}

/** The system's own message, if there is one. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
