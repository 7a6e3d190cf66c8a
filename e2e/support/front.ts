import { createHash } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import packageJson from '../../package.json' with { type: 'json' };
import { asObject, parseJson, stringifyJson } from '../../src/base/index.ts';

/** The server as it is, on another port, with some files of it as another build has them. */
export interface FrontServer {
  readonly url: string;
  /** Every path that was asked for, by whatever part of the page. */
  readonly asked: ReadonlySet<string>;
  /** Changes the text of a file from now on. */
  change(path: string, change: (text: string) => string): void;
  /** The text of a file as the server behind has it. */
  original(path: string): Promise<string>;
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
    original: async (path) => (await fetch(target + path)).text(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Another build's document: the page with a mark. */
const marked = (mark: string) => (page: string) => page.replace('</head>', `<meta name="build" content="${mark}"></head>`);

/**
 * Has the server offer another build, whose service worker knows its document by its hash.
 * @param document what that is made of the page's own: the page with the build's mark, where nothing else is said
 * @param version that it says it is of, where that is another one
 */
export async function release(front: FrontServer, mark: string, document = marked(mark), version?: string): Promise<void> {
  const page = document(await front.original('/index.html'));
  showDocument(front, () => page);
  const integrity = `sha256-${createHash('sha256').update(page).digest('base64')}`;
  front.change('/service-worker.js', (script) => {
    const [listed] = /\{[^{}]*"index\.html"\}/.exec(script) ?? [];
    if (listed === undefined) throw new Error('expected the service worker to list index.html');
    const entry = asObject(parseJson(listed));
    const other = script.replace(listed, stringifyJson({ ...entry, revision: mark, ...('integrity' in entry && { integrity }) }));
    return version === undefined ? other : named(other, version);
  });
}

/** A service worker, with another version's name in it. */
function named(script: string, version: string): string {
  const own = packageJson.version.replaceAll('.', '\\.');
  const renamed = script.replace(new RegExp(`(["'\`])${own}\\1`), (_, quote: string) => quote + version + quote);
  if (renamed === script) throw new Error('expected the service worker to name its version');
  return renamed;
}

/** The server has another build's document from now on, whatever its service worker says. */
export function showDocument(front: FrontServer, document: (page: string) => string): void {
  for (const path of ['/', '/index.html']) front.change(path, document);
}
