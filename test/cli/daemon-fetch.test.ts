import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttp, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { daemonFetch } from '../../src/cli/wallet-rpc/daemon-fetch.ts';
import { DEFAULT_DAEMON_TLS } from '../../src/cli/wallet-rpc/host.ts';
import { DaemonClient, isDaemonError } from '../../src/daemon/index.ts';
import type { DaemonTls } from '../../src/rpc/host.ts';
import { type CertificateFiles, certificateFiles, fingerprintOf } from '../support/certificates.ts';
import { type SocksProxy, startSocksProxy } from '../support/socks-proxy.ts';

let folder: string;
let ours: CertificateFiles;
let mine: CertificateFiles;
let other: CertificateFiles;
const servers: TcpServer[] = [];
/** What the servers heard: the body, and whose certificate was shown. */
const heard: string[] = [];

async function listening(server: TcpServer): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const answering = (server: Server): Server =>
  server.on('request', (request, response) => {
    const certificate = (request.socket as TLSSocket).getPeerCertificate?.().raw;
    const shown = certificate === undefined ? 'nobody' : fingerprintOf(certificate);
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      heard.push(`${Buffer.concat(parts).toString()} ${shown}`);
      response.setHeader('X-Twice', ['a', 'b']);
      response.end(`answer ${request.method} ${request.url} ${request.headers.host}`);
    });
  });

let securePort: number;
let plainPort: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-daemon-fetch-'));
  ours = certificateFiles(folder, 'daemon');
  mine = certificateFiles(folder, 'mine');
  other = certificateFiles(folder, 'other');
  const options = { key: ours.key, cert: ours.cert, requestCert: true, rejectUnauthorized: false };
  securePort = await listening(answering(createHttps(options)));
  plainPort = await listening(answering(createHttp()));
});
afterAll(() => {
  for (const server of servers) {
    (server as Server).closeAllConnections?.();
    server.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

const ask = async (url: string, tls: Partial<DaemonTls>, proxy?: SocksProxy): Promise<string> => {
  const route = proxy === undefined ? undefined : { host: '127.0.0.1', port: proxy.port };
  const fetch = daemonFetch({ tls: { ...DEFAULT_DAEMON_TLS, ...tls }, proxy: route, oneConnection: false });
  return (await fetch(url, { method: 'POST', body: new TextEncoder().encode('secret') })).text();
};
const secureUrl = () => `https://127.0.0.1:${securePort}/path?q`;
const refused = /certificate is none of those allowed, nothing was sent/;

describe('the way to a daemon', () => {
  it('by a pinned certificate, with or without colons, SHA-1 too', async () => {
    const answer = `answer POST /path?q 127.0.0.1:${securePort}`;
    const colons = ours.fingerprint.toUpperCase().replace(/..(?=.)/g, '$&:');
    expect(await ask(secureUrl(), { fingerprints: [other.fingerprint, ours.fingerprint] })).toBe(answer);
    expect(await ask(secureUrl(), { fingerprints: [colons] })).toBe(answer);
    expect(await ask(secureUrl(), { fingerprints: [new X509Certificate(ours.cert).fingerprint] })).toBe(answer);
  });

  it('no request leaves for a certificate that is not the one pinned, and whoever runs the service is told once', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    const before = heard.length;
    const fetch = daemonFetch({
      tls: { ...DEFAULT_DAEMON_TLS, fingerprints: [other.fingerprint] },
      proxy: undefined,
      oneConnection: false,
    });
    for (let i = 0; i < 3; i++) await expect(fetch(secureUrl())).rejects.toThrow(refused);
    const line = `127.0.0.1:${securePort} showed a certificate that is none of those allowed: nothing is sent to it`;
    expect(told.mock.calls).toEqual([[line]]);
    await expect(ask(secureUrl(), { authoritiesFile: other.certificateFile })).rejects.toThrow(refused);
    // The system's authorities know none of ours.
    await expect(ask(secureUrl(), {})).rejects.toThrow(refused);
    expect(heard.length).toBe(before);
    told.mockRestore();
  });

  it('by an authority of a file, or any certificate at all', async () => {
    expect(await ask(secureUrl(), { authoritiesFile: ours.certificateFile })).toMatch(/^answer/);
    expect(await ask(secureUrl(), { anyCertificate: true })).toMatch(/^answer/);
    expect(() =>
      daemonFetch({ tls: { ...DEFAULT_DAEMON_TLS, authoritiesFile: 'none.pem' }, proxy: undefined, oneConnection: false }),
    ).toThrow(/none\.pem/);
  });

  it('shows a certificate of ours', async () => {
    await ask(secureUrl(), { anyCertificate: true, keyFile: mine.keyFile, certificateFile: mine.certificateFile });
    expect(heard.at(-1)).toBe(`secret ${mine.fingerprint}`);
    await ask(secureUrl(), { anyCertificate: true });
    expect(heard.at(-1)).toBe('secret nobody');
  });

  it('is detected: TLS where it is spoken, plain HTTP where it is not', async () => {
    expect(await ask(`http://127.0.0.1:${securePort}/x`, { mode: 'autodetect' })).toMatch(/^answer/);
    expect(await ask(`http://127.0.0.1:${plainPort}/x`, { mode: 'autodetect' })).toMatch(/^answer/);
    expect(await ask(`http://127.0.0.1:${plainPort}/x`, { mode: 'disabled' })).toMatch(/^answer/);
    await expect(ask(`http://127.0.0.1:${securePort}/x`, { mode: 'disabled' })).rejects.toThrow(TypeError);
    await expect(ask('http://127.0.0.1:1/x', { mode: 'autodetect' })).rejects.toThrow(/ECONNREFUSED/);
  });

  it('keeps to one connection when a login needs that', async () => {
    let connections = 0;
    const server = answering(createHttp());
    server.on('connection', () => connections++);
    const url = `http://127.0.0.1:${await listening(server)}/`;
    const fetch = daemonFetch({ tls: DEFAULT_DAEMON_TLS, proxy: undefined, oneConnection: true });
    await (await fetch(url)).text();
    await Promise.all([1, 2, 3].map(async () => (await fetch(url)).text()));
    expect(connections).toBe(1);
  });

  it('says that nothing has left where no connection came about, and only there', async () => {
    const closing = await listening(createTcp((socket) => socket.destroy()));
    const reading = await listening(createTcp((socket) => socket.once('data', () => socket.destroy())));
    const refusedBy = (url: string, tls: Partial<DaemonTls>) =>
      DaemonClient.connect({
        url,
        retry: { attempts: 1, firstPause: 5, longestPause: 5 },
        fetch: daemonFetch({ tls: { ...DEFAULT_DAEMON_TLS, ...tls }, proxy: undefined, oneConnection: false }),
      })
        .getHeight()
        .catch((error: unknown) => isDaemonError(error, 'unreachable') && error.data.refused === true);
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    for (const port of [plainPort, closing, reading])
      expect(await refusedBy(`https://127.0.0.1:${port}`, { anyCertificate: true }), 'no handshake').toBe(true);
    expect(await refusedBy(secureUrl(), { fingerprints: [other.fingerprint] }), 'another certificate').toBe(true);
    expect(await refusedBy(`http://127.0.0.1:${reading}`, { mode: 'disabled' }), 'it may have read').toBe(false);
    told.mockRestore();
  });

  it('has limits of its own for connecting and for the handshake: nothing has left when they are over', async () => {
    const silent = await listening(createTcp(() => {}));
    const before = heard.length;
    const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort(new Error('too late')));
    try {
      const tls = { ...DEFAULT_DAEMON_TLS, mode: 'disabled' } as const;
      for (const url of [`http://127.0.0.1:${plainPort}`, `https://127.0.0.1:${silent}`]) {
        const fetch = daemonFetch({ tls, proxy: undefined, oneConnection: false });
        const asked = DaemonClient.connect({ url, retry: { attempts: 1, firstPause: 5, longestPause: 5 }, fetch }).getHeight();
        await expect(asked, url).rejects.toMatchObject({ code: 'unreachable', data: { refused: true } });
      }
      expect(heard.length).toBe(before);
      expect(limit.mock.calls.map(([ms]) => ms)).toEqual([15_000, 15_000]);
    } finally {
      limit.mockRestore();
    }
  });

  it('ends when it is no longer wanted', async () => {
    const silent = createTcp(() => {});
    const url = `http://127.0.0.1:${await listening(silent)}/`;
    const fetch = daemonFetch({ tls: DEFAULT_DAEMON_TLS, proxy: undefined, oneConnection: false });
    const ended = new AbortController();
    const asked = fetch(url, { signal: ended.signal });
    ended.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  });
});

describe('a SOCKS proxy on the way', () => {
  it('finds names itself, and carries TLS', async () => {
    const proxy = await startSocksProxy({ 'hidden.onion': plainPort, 'secure.example': securePort });
    try {
      expect(await ask('http://hidden.onion:18081/x', {}, proxy)).toBe('answer POST /x hidden.onion:18081');
      const pinned = { fingerprints: [ours.fingerprint] };
      expect(await ask('https://secure.example/y', pinned, proxy)).toBe('answer POST /y secure.example');
      await expect(ask('https://secure.example/y', { fingerprints: [other.fingerprint] }, proxy)).rejects.toThrow(refused);
      expect(await ask(`http://127.0.0.1:${securePort}/z`, { mode: 'autodetect' }, proxy)).toMatch(/^answer POST \/z/);
      expect(proxy.asked).toEqual(['hidden.onion:18081', 'secure.example:443', 'secure.example:443', `127.0.0.1:${securePort}`]);
    } finally {
      await proxy.stop();
    }
  });

  it('says so when the proxy refuses, is none, or is not there', async () => {
    const proxy = await startSocksProxy({});
    await expect(ask('http://unknown.onion/', {}, proxy)).rejects.toThrow(/did not connect to unknown\.onion:80 \(code 91\)/);
    await proxy.stop();
    await expect(ask('http://unknown.onion/', {}, proxy)).rejects.toThrow(/ECONNREFUSED/);
    const other = { ...proxy, port: plainPort };
    await expect(ask('http://unknown.onion/', {}, other)).rejects.toThrow(/SOCKS/);
    const silent = createTcp((socket) => socket.end());
    await expect(ask('http://unknown.onion/', {}, { ...proxy, port: await listening(silent) })).rejects.toThrow(
      /SOCKS|ECONNRESET/,
    );
  });
});
