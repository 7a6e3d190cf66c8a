import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { DaemonTls } from '../../rpc/host.ts';

/** Whether anything is asked of TLS that the platform's own `fetch` does not do. */
export function isSpecial(tls: DaemonTls): boolean {
  return (
    tls.keyFile !== '' ||
    tls.certificateFile !== '' ||
    tls.authoritiesFile !== '' ||
    tls.fingerprints.length > 0 ||
    tls.anyCertificate
  );
}

/**
 * `fetch` over https with authorities, pinned certificates or a certificate of our own. A certificate that is pinned needs no
 * authority; otherwise the chain is checked, unless any certificate will do.
 * @throws Error when a file cannot be read
 */
export function tlsFetch(tls: DaemonTls): typeof fetch {
  const pinned = new Set(tls.fingerprints.map((text) => text.replaceAll(':', '').toLowerCase()));
  const file = (path: string) => (path === '' ? undefined : readFileSync(path));
  const agent = new Agent({
    keepAlive: true,
    ca: file(tls.authoritiesFile),
    key: file(tls.keyFile),
    cert: file(tls.certificateFile),
    rejectUnauthorized: !tls.anyCertificate && pinned.size === 0,
  });
  return (input, init) => exchange(agent, pinned, new Request(input, init), init?.body);
}

function exchange(agent: Agent, pinned: ReadonlySet<string>, asked: Request, body: unknown): Promise<Response> {
  return new Promise((done, fail) => {
    const { method, signal, url } = asked;
    const sent = request(url, { method, agent, signal, headers: Object.fromEntries(asked.headers) }, (response) => {
      if (pinned.size > 0 && !isPinned(pinned, response.socket as TLSSocket)) {
        response.destroy();
        fail(new TypeError('expected a certificate of the daemon that is pinned'));
        return;
      }
      const headers = new Headers();
      for (const [name, value] of Object.entries(response.headers)) {
        for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one);
      }
      const stream = Readable.toWeb(response) as ReadableStream<Uint8Array>;
      done(new Response(stream, { status: response.statusCode ?? 502, headers }));
    });
    // Nothing of the request leaves before the certificate is known to be the right one.
    sent.on('socket', (socket) => {
      const tls = socket as TLSSocket;
      if (pinned.size === 0 || tls.getPeerCertificate?.().raw !== undefined) sent.end(body as Uint8Array | string | undefined);
      else {
        tls.once('secureConnect', () => {
          if (isPinned(pinned, tls)) sent.end(body as Uint8Array | string | undefined);
          else sent.destroy(new TypeError('expected a certificate of the daemon that is pinned'));
        });
      }
    });
    sent.on('error', (error) => fail(signal.aborted ? signal.reason : new TypeError(error.message, { cause: error })));
  });
}

function isPinned(pinned: ReadonlySet<string>, socket: TLSSocket): boolean {
  const { raw } = socket.getPeerCertificate();
  if (raw === undefined) return false;
  return ['sha256', 'sha1'].some((name) => pinned.has(createHash(name).update(raw).digest('hex')));
}
