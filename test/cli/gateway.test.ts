import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientRequest, createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type JsonObject, parseJson } from '../../src/base/index.ts';
import { PageFiles } from '../../src/cli/http/files.ts';
import { createSiteServer, type Site } from '../../src/cli/http/server.ts';
import { devnetUpstream, MonerodUpstream } from '../../src/cli/http/upstream.ts';
import { type Devnet, openDevnet } from '../../src/devnet/index.ts';
import { encodePortableStorage, storage } from '../../src/protocol/index.ts';

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

let port: number;
const servers: Server[] = [];

function call(path: string, { method = 'POST', headers = {}, body = '' }: Call = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const outgoing: ClientRequest = request(
      { host: '127.0.0.1', port, path, method, agent: false, headers: { 'Content-Length': bytes.length, ...headers } },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', reject);
        incoming.once('end', () =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }),
        );
      },
    );
    outgoing.once('error', reject);
    outgoing.end(bytes);
  });
}

const json = (reply: Reply) => parseJson(reply.body.toString('utf8')) as JsonObject;
const code = (reply: Reply) => (json(reply).error as JsonObject | undefined)?.code;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const BINARY_TYPE = { 'Content-Type': 'application/octet-stream' };
const rpc = (method: string, headers: Readonly<Record<string, string>> = {}) =>
  call('/daemon/json_rpc', { headers: { ...JSON_TYPE, ...headers }, body: `{"jsonrpc":"2.0","id":"7","method":"${method}"}` });

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function serve(site: Site): Promise<void> {
  port = await listening(createSiteServer(site));
}

function endServers(): Promise<unknown> {
  const ended = servers.splice(0).map((server) => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    return closed;
  });
  return Promise.all(ended);
}

describe('T15 a hostile page in front of the gateway', () => {
  let devnet: Devnet;
  let folder: string;
  const asked: string[] = [];
  const address = () => devnet.minerWallet.address;

  beforeAll(async () => {
    devnet = await openDevnet({ history: { blocks: 85, transactions: 0 } });
    folder = mkdtempSync(join(tmpdir(), 'nightjar-page-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html>'.repeat(50));
    writeFileSync(join(folder, 'assets', 'main-Ab3dEf9h.js'), 'export {};'.repeat(50));
    writeFileSync(join(folder, 'assets', 'main-Ab3dEf9h.js.br'), brotliCompressSync('export {};'.repeat(50)));
    writeFileSync(join(folder, 'assets', 'kernel-Ab3dEf9h.wasm'), 'wasm');
    writeFileSync(join(folder, 'service-worker.js'), 'self');
    writeFileSync(join(folder, '..', 'nightjar-outside.txt'), 'outside');
    const upstream = devnetUpstream(devnet.rpc);
    const watched = {
      ...upstream,
      call: (path: string, type: string, body: Uint8Array) => {
        asked.push(path);
        return upstream.call(path, type, body);
      },
    };
    await serve({ network: 'regtest', regtest: true, upstream: watched, files: new PageFiles(folder), faucet: devnet.faucet });
  });
  afterAll(async () => {
    await endServers();
    devnet.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(join(folder, '..', 'nightjar-outside.txt'));
  });
  afterEach(() => {
    asked.length = 0;
  });

  it('serves its own page: calls pass', async () => {
    const reply = await rpc('get_version', { Origin: `http://127.0.0.1:${port}`, Host: `127.0.0.1:${port}` });
    expect(json(reply)).toMatchObject({ id: '7', result: { status: 'OK', version: 196_624 } });
    const own = { Origin: `http://localhost:${port}`, Host: `localhost:${port}`, 'Sec-Fetch-Site': 'same-origin' };
    expect((await rpc('get_info', own)).status).toBe(200);
    const { chain } = devnet.node;
    const body = encodePortableStorage(storage.object({ heights: storage.u64s([0n]) }));
    const binary = await call('/daemon/get_blocks_by_height.bin', { headers: BINARY_TYPE, body });
    expect(binary.body.includes(Buffer.from(chain.blockAt(0)!.blob))).toBe(true);
    expect(asked).toHaveLength(3);
  });

  it.each([
    'evil.example',
    `evil.example:8420`,
    '192.168.1.5',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '127.0.0.1:1',
  ])('refuses Host "%s" (a name that was made to lead here)', async (host) => {
    for (const path of ['/', '/nightjar.json', '/faucet', '/daemon/get_height']) {
      const method = path.startsWith('/daemon') || path === '/faucet' ? 'POST' : 'GET';
      const reply = await call(path, { method, headers: { ...JSON_TYPE, Host: host }, body: '{}' });
      expect([421, 400]).toContain(reply.status);
    }
    expect(asked).toEqual([]);
  });

  it.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost', 'file://', ''])(
    'refuses calls and coins to Origin "%s"',
    async (origin) => {
      const headers = { ...JSON_TYPE, Origin: origin };
      expect(code(await rpc('get_info', headers))).toBe('foreign-origin');
      expect(code(await call('/daemon/send_raw_transaction', { headers, body: '{"tx_as_hex":"00"}' }))).toBe('foreign-origin');
      expect(code(await call('/faucet', { headers, body: `{"address":"${address()}"}` }))).toBe('foreign-origin');
      expect(asked).toEqual([]);
      expect(devnet.node.pool.visible).toEqual([]);
    },
  );

  it('refuses calls that a browser says come from elsewhere, and lets a link open the page', async () => {
    for (const site of ['cross-site', 'same-site']) {
      expect(code(await rpc('get_info', { 'Sec-Fetch-Site': site }))).toBe('foreign-origin');
      expect((await call('/', { method: 'GET', headers: { 'Sec-Fetch-Site': site } })).status).toBe(200);
    }
  });

  it('passes no path that the wallet does not use, however it is written', async () => {
    const paths = [
      'stop_daemon',
      'start_mining',
      'set_log_level',
      'save_bc',
      'pop_blocks',
      'update',
      'set_bootstrap_daemon',
      'out_peers',
      '',
    ];
    const odd = ['json_rpc/', 'json_rpc%2f', 'JSON_RPC', 'get_height;x', '..%2fstop_daemon', 'get_info%00', '%6ason_rpc'];
    for (const path of [...paths, ...odd]) {
      const reply = await call(`/daemon/${path}`, { headers: JSON_TYPE, body: '{}' });
      expect([403, 404], path).toContain(reply.status);
    }
    expect(code(await call('/daemon/x/../stop_daemon', { headers: JSON_TYPE, body: '{}' }))).toBe('forbidden-path');
    expect(asked).toEqual([]);
  });

  it('passes no JSON-RPC method that the wallet does not use, and no batch', async () => {
    for (const method of [
      'generateblocks',
      'flush_txpool',
      'set_bans',
      'submit_block',
      'relay_tx',
      'prune_blockchain',
      'GET_INFO',
      '',
    ]) {
      expect(code(await rpc(method)), method).toBe('forbidden-method');
    }
    const bodies = [
      '[{"method":"get_info"}]',
      '{"method":["get_info"]}',
      '{}',
      '',
      'null',
      '{"method":"get_info"',
      '{"method":"get_info"}}',
    ];
    for (const body of bodies) {
      expect(code(await call('/daemon/json_rpc', { headers: JSON_TYPE, body })), body).toBe('malformed');
    }
    expect(asked).toEqual([]);
  });

  it('judges the method that the daemon will read, of several', async () => {
    const body = '{"method":"get_info","method":"generateblocks"}';
    expect(code(await call('/daemon/json_rpc', { headers: JSON_TYPE, body }))).toBe('forbidden-method');
    const hidden = '{"method":"generateblocks","m\\u0065thod":"get_version"}';
    expect(json(await call('/daemon/json_rpc', { headers: JSON_TYPE, body: hidden }))).toMatchObject({
      result: { version: 196_624 },
    });
  });

  it('wants the content type that a form or a plain request cannot have', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/octet-stream',
      '',
    ]) {
      const headers = { 'Content-Type': type };
      const body = '{"jsonrpc":"2.0","id":"7","method":"get_info"}';
      expect(code(await call('/daemon/json_rpc', { headers, body })), type).toBe('wrong-content-type');
      expect(code(await call('/faucet', { headers, body: `{"address":"${address()}"}` }))).toBe('wrong-content-type');
    }
    expect(code(await call('/daemon/get_blocks.bin', { headers: JSON_TYPE, body: '{}' }))).toBe('wrong-content-type');
    expect((await rpc('get_info', { 'Content-Type': 'application/json; charset=utf-8' })).status).toBe(200);
    expect(asked).toHaveLength(1);
  });

  it('answers POST only, and never as if other origins were allowed', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
      const reply = await call('/daemon/get_height', { method, headers: JSON_TYPE });
      expect(reply.status, method).toBe(405);
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
    const preflight = await call('/daemon/json_rpc', { method: 'OPTIONS', headers: { Origin: 'https://evil.example' } });
    expect(preflight.status).toBe(403);
  });

  it('refuses a body above its limit, announced or not, without reading it to its end', async () => {
    const headers = { ...JSON_TYPE, 'Content-Length': String(2 ** 40) };
    const announced = await rawRequest(port, 'POST /daemon/json_rpc', headers, '{');
    expect(announced).toMatch(/^HTTP\/1\.1 413/);
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const endless = await rawRequest(
      port,
      'POST /daemon/json_rpc',
      { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' },
      chunk.repeat(17),
    );
    expect(endless).toMatch(/^HTTP\/1\.1 413/);
    expect(code(await call('/faucet', { headers: JSON_TYPE, body: ' '.repeat(2000) }))).toBe('too-large');
    expect(asked).toEqual([]);
  });

  it('gives coins to the page that asks properly, and says what is wrong with an address', async () => {
    for (const body of ['{}', '[]', '{"address":5}', '{"address":']) {
      expect(code(await call('/faucet', { headers: JSON_TYPE, body })), body).toBe('malformed');
    }
    expect(code(await call('/faucet', { headers: JSON_TYPE, body: '{"address":"4nonsense"}' }))).toBe('bad-address');
    const reply = json(await call('/faucet', { headers: JSON_TYPE, body: `{"address":"${address()}"}` }));
    expect(devnet.node.pool.visible.map((entry) => entry.id)).toEqual([reply.tx_hash]);
    expect((await call('/faucet', { method: 'GET' })).status).toBe(405);
  });

  it('serves the page under a policy without inline script, with types, caching and compression', async () => {
    const page = await call('/', { method: 'GET', headers: { 'Accept-Encoding': 'gzip, br' } });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(page.body).toString()).toMatch(/^<!doctype html>/);
    const policy = page.headers['content-security-policy'] as string;
    expect(policy).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe-inline');
    expect(page.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    });
    const script = await call('/assets/main-Ab3dEf9h.js', { method: 'GET' });
    const codingOf = async (accepted: string) =>
      (await call('/assets/main-Ab3dEf9h.js', { method: 'GET', headers: { 'Accept-Encoding': accepted } })).headers[
        'content-encoding'
      ];
    expect(await Promise.all(['gzip, deflate, br', 'br;q=0, gzip;q=0.5', 'br;q=0.1', 'zstd, brr', ''].map(codingOf))).toEqual([
      ...['br', 'gzip', 'br'],
      ...[undefined, undefined],
    ]);
    expect((await call('/assets/main-Ab3dEf9h.js.br', { method: 'GET' })).status).toBe(404);
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect((await call('/assets/kernel-Ab3dEf9h.wasm', { method: 'GET' })).headers['content-type']).toBe('application/wasm');
    expect((await call('/service-worker.js', { method: 'GET' })).headers['cache-control']).toBe('private, max-age=86400');
    const again = await call('/', { method: 'GET', headers: { 'If-None-Match': page.headers.etag! } });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect(json(await call('/nightjar.json', { method: 'GET' }))).toEqual({
      network: 'regtest',
      regtest: true,
      daemon: { url: '/daemon', kind: 'devnet' },
      faucet: true,
    });
  });

  it('serves nothing from outside its folder', async () => {
    const paths = [
      '/../nightjar-outside.txt',
      '/%2e%2e/nightjar-outside.txt',
      '/..%2fnightjar-outside.txt',
      '/assets/../../nightjar-outside.txt',
    ];
    for (const path of [...paths, '/nightjar-outside.txt', '//etc/passwd', '/assets', '/assets/']) {
      expect((await call(path, { method: 'GET' })).status, path).toBe(404);
    }
  });
});

/** Writes bytes as they are and reads the head of what comes back: for requests that no client would send. */
function rawRequest(to: number, line: string, headers: Readonly<Record<string, string>>, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(to, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\r\n\r\n')) socket.destroy();
    });
    socket.once('close', () => resolve(text));
    // The other side may end the connection while we still write.
    socket.on('error', (error: NodeJS.ErrnoException) => (text === '' && error.code !== 'EPIPE' ? reject(error) : undefined));
    const head = Object.entries({ Host: `127.0.0.1:${to}`, ...headers }).map(([name, value]) => `${name}: ${value}`);
    socket.write(`${line} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

describe('a monerod behind the gateway', () => {
  afterEach(endServers);

  async function behind(daemon: Server, options: { timeout?: number } = {}): Promise<void> {
    const url = new URL(`http://127.0.0.1:${await listening(daemon)}`);
    await serve({ network: 'mainnet', regtest: false, upstream: new MonerodUpstream({ url, ...options }) });
  }

  it('gets every request with its length, and no header of the page', async () => {
    const seen: IncomingHttpHeaders[] = [];
    await behind(
      createServer((incoming, response) => {
        seen.push(incoming.headers);
        response.end('{}');
      }),
    );
    await rpc('get_info', { Cookie: 'a=b', Authorization: 'Basic eA==', 'X-Odd': '1' });
    expect(seen).toHaveLength(1);
    expect(Object.keys(seen[0]!).sort()).toEqual(['connection', 'content-length', 'content-type', 'host']);
  });

  it('is said to be away, silent, or locked, by name', async () => {
    const gone = createServer();
    const goneUrl = new URL(`http://127.0.0.1:${await listening(gone)}`);
    await endServers();
    await serve({ network: 'mainnet', regtest: false, upstream: new MonerodUpstream({ url: goneUrl }) });
    expect(code(await rpc('get_info'))).toBe('daemon-unreachable');
    await behind(
      createServer(() => {}),
      { timeout: 50 },
    );
    expect(code(await rpc('get_info'))).toBe('daemon-timeout');
    await behind(
      createServer((_, response) =>
        response.writeHead(401, { 'WWW-Authenticate': 'Digest qop="auth",algorithm=MD5,realm="r",nonce="n"' }).end(),
      ),
    );
    expect(code(await rpc('get_info'))).toBe('daemon-login');
  });

  it('that breaks off in the middle breaks off at the page too', async () => {
    await behind(
      createServer((_, response) => {
        response.writeHead(200, { 'Content-Length': 1000 });
        response.write('half', () => response.destroy());
      }),
    );
    await expect(rpc('get_info')).rejects.toThrow();
  });

  it('passes its status on', async () => {
    await behind(createServer((_, response) => response.writeHead(404).end()));
    expect((await rpc('get_info')).status).toBe(404);
  });
});
