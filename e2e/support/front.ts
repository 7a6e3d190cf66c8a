import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The server as it is, on another port, with some files of it as another build has them. */
export interface FrontServer {
  readonly url: string;
  /** Every path that was asked for, by whatever part of the page. */
  readonly asked: ReadonlySet<string>;
  /** Changes the text of a file from now on. */
  change(path: string, change: (text: string) => string): void;
  close(): Promise<void>;
}

export async function startFront(target: string): Promise<FrontServer> {
  const { hostname, port, origin, host } = new URL(target);
  const changes = new Map<string, (text: string) => string>();
  const asked = new Set<string>();
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    asked.add(path);
    const { origin: _, 'accept-encoding': __, 'if-none-match': ___, ...headers } = incoming.headers;
    const forwarded = { hostname, port, path, method: incoming.method ?? 'GET', headers: { ...headers, host, origin } };
    const call = request(forwarded, async (answer) => {
      const change = changes.get(path);
      if (!change) {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        return;
      }
      const { 'content-length': _length, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, kept);
      outgoing.end(change(await text(answer)));
    });
    call.on('error', () => outgoing.destroy());
    incoming.pipe(call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    change: (path, change) => void changes.set(path, change),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Has the server offer another build: its document carries a mark, and the list of parts in its service worker another revision of it. */
export function release(front: FrontServer, mark: string): void {
  for (const path of ['/', '/index.html'])
    front.change(path, (page) => page.replace('</head>', `<meta name="build" content="${mark}"></head>`));
  front.change('/service-worker.js', (script) => {
    const changed = script.replace(/(revision[`"]?:[`"])[^`"]*([`"],[`"]?url[`"]?:[`"]index\.html)/, `$1${mark}$2`);
    if (changed === script) throw new Error('expected the service worker to list index.html with a revision');
    return changed;
  });
}
