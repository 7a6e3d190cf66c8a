import { nodeModule } from '../../base/index.ts';
import { NoConnectionError } from '../errors.ts';

/** Milliseconds after which an idle connection is closed: before a daemon closes it, which would fail the next request. */
const IDLE = 8_000;
/** Most milliseconds until a connection is ready, its TLS included: less than the transport waits for an answer. */
const OPENING = 15_000;

/**
 * A `fetch` for Node that uses a single connection, as digest login needs: the daemon binds its nonce to the connection, and Node's own
 * `fetch` spreads requests over several. Undefined elsewhere. Taken from the runtime, so that no bundle includes it.
 */
export function oneConnectionFetch(protocol: string): typeof fetch | undefined {
  const [module, ready] =
    protocol === 'https:' ? (['node:https', 'secureConnect'] as const) : (['node:http', 'connect'] as const);
  const http = nodeModule(module);
  const readable = nodeModule('node:stream')?.Readable;
  if (http === undefined || readable === undefined) return undefined;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1, timeout: IDLE });
  const opened = new WeakSet<object>();
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const body = init.body instanceof Uint8Array ? init.body : new Uint8Array();
      const headers = { ...(init.headers as Record<string, string>), 'Content-Length': String(body.length) };
      const options = { method: init.method ?? 'GET', headers, agent, ...(init.signal ? { signal: init.signal } : {}) };
      const outgoing = http.request(new URL(String(input)), options, (incoming) => {
        const answerHeaders = new Headers();
        for (const [name, value] of Object.entries(incoming.headers)) answerHeaders.set(name, String(value));
        const stream = readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>;
        resolve(new Response(stream, { status: incoming.statusCode ?? 0, headers: answerHeaders }));
      });
      let isOpen = false;
      outgoing.once('socket', (socket) => {
        isOpen = opened.has(socket);
        if (isOpen) return;
        // Until then the socket holds the request back.
        const late = setTimeout(() => outgoing.destroy(new Error(`expected a connection within ${OPENING / 1000} s`)), OPENING);
        socket.once(ready, () => {
          isOpen = true;
          opened.add(socket);
          clearTimeout(late);
        });
        outgoing.once('close', () => clearTimeout(late));
      });
      outgoing.once('error', (error) => {
        reject(new TypeError('fetch failed', { cause: isOpen ? error : new NoConnectionError(error) }));
      });
      outgoing.end(body);
    });
}
