import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The server as it is, on another port, with something added to the end of some answers. */
export interface FrontServer {
  readonly url: string;
  /** Every path that was asked for, by whatever part of the page. */
  readonly asked: ReadonlySet<string>;
  /** Appends text to a file from now on. */
  append(path: string, text: string): void;
  close(): Promise<void>;
}

export async function startFront(target: string): Promise<FrontServer> {
  const { hostname, port, origin, host } = new URL(target);
  const additions = new Map<string, string>();
  const asked = new Set<string>();
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    asked.add(path);
    const { origin: _, 'accept-encoding': __, 'if-none-match': ___, ...headers } = incoming.headers;
    const forwarded = { hostname, port, path, method: incoming.method ?? 'GET', headers: { ...headers, host, origin } };
    const call = request(forwarded, (answer) => {
      const extra = additions.get(path) ?? '';
      const { 'content-length': length, ...kept } = answer.headers;
      outgoing.writeHead(
        answer.statusCode ?? 502,
        extra === '' && length !== undefined ? { ...kept, 'content-length': length } : kept,
      );
      answer.on('data', (chunk) => outgoing.write(chunk));
      answer.on('end', () => outgoing.end(extra));
    });
    call.on('error', () => outgoing.destroy());
    incoming.pipe(call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    append: (path, text) => void additions.set(path, text),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
