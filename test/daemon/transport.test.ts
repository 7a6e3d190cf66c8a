import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import { DaemonClient, DaemonError, type DaemonTransport } from '../../src/daemon/index.ts';
import { callUrl, daemonBase, isLocalAddress } from '../../src/daemon/transport/address.ts';
import { BodyCollector } from '../../src/daemon/transport/body.ts';
import { DigestLogin, parseChallenge } from '../../src/daemon/transport/digest.ts';
import { FetchTransport } from '../../src/daemon/transport/fetch.ts';
import { Watchdog } from '../../src/daemon/transport/watchdog.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const random = { bytes: (n: number) => new Uint8Array(n).fill(0xab) };

describe('digest login', () => {
  it('answers the challenge of RFC 2617 without qop (RFC 2069) as the RFC computes it', () => {
    const login = new DigestLogin('Mufasa', 'CircleOfLife', random);
    login.accept('Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"');
    expect(login.authorize('GET', '/dir/index.html')).toContain('response="1949323746fe6a43ef61f9606e7febea"');
  });

  it('writes no name that would end its own field or the header', () => {
    for (const name of ['us"er', 'user\\', 'user\r\nCookie: a', 'user\n']) {
      const login = new DigestLogin(name, 'pass', random);
      login.accept('Digest realm="monero-rpc", nonce="one", qop="auth"');
      expect(() => login.authorize('POST', '/json_rpc'), JSON.stringify(name)).toThrow(
        expect.objectContaining({ name: 'DaemonError', code: 'login-refused' }),
      );
    }
  });

  it('counts the uses of a nonce from 1, and again from 1 with a new one', () => {
    const login = new DigestLogin('user', 'pass', random);
    expect(login.authorize('POST', '/json_rpc')).toBeUndefined();
    const challenge = (nonce: string, stale: boolean) =>
      `Digest qop="auth",algorithm=MD5,realm="monero-rpc",nonce="${nonce}",stale=${stale}, Digest qop="auth",algorithm=MD5-sess,realm="monero-rpc",nonce="${nonce}",stale=${stale}`;
    expect(login.accept(challenge('one==', false))).toEqual({ answered: false, stale: false });
    const [first, second] = [login.authorize('POST', '/json_rpc'), login.authorize('POST', '/json_rpc')];
    expect(first).toContain('nc=00000001');
    expect(second).toContain('nc=00000002');
    expect(second).not.toBe(first);
    expect(login.accept(challenge('two==', true))).toEqual({ answered: true, stale: true });
    expect(login.authorize('POST', '/json_rpc')).toMatch(/nonce="two==".*nc=00000001/);
  });

  it('takes MD5 out of several challenges and refuses what it cannot do', () => {
    expect(
      parseChallenge('Digest algorithm=SHA-256,nonce="x",realm="r", Digest algorithm=MD5,nonce="y",realm="a, b"'),
    ).toMatchObject({
      nonce: 'y',
      realm: 'a, b',
    });
    for (const other of [
      'Basic realm="x"',
      'Digest algorithm=MD5-sess,nonce="x"',
      'Digest qop="auth-int",nonce="x"',
      '',
      'Digest ',
    ]) {
      expect(parseChallenge(other)).toBeUndefined();
      expect(() => new DigestLogin('u', 'p', random).accept(other)).toThrowError(/digest login/);
    }
    expect(() => new DigestLogin('u', 'p', random).accept(null)).toThrowError(/digest login/);
  });
});

describe("a daemon's address", () => {
  const secure = new URL('https://wallet.example/app/');

  it('is an absolute URL, a host, or a path of the page', () => {
    expect(daemonBase('http://node.example:18081', undefined).href).toBe('http://node.example:18081/');
    expect(daemonBase(' node.example:18081 ', undefined).href).toBe('http://node.example:18081/');
    expect(callUrl(daemonBase('/daemon/', secure), '/get_info').href).toBe('https://wallet.example/daemon/get_info');
    expect(callUrl(daemonBase('https://n.example/rpc', undefined), '/json_rpc').href).toBe('https://n.example/rpc/json_rpc');
  });

  it('is refused when it is none', () => {
    for (const url of [
      '',
      'ftp://n.example',
      'javascript:alert(1)',
      'http://',
      '/daemon',
      '//evil.example',
      'http://u:p@n.example',
    ]) {
      expect(() => daemonBase(url, undefined), url).toThrowError(expect.objectContaining({ code: 'bad-url' }));
    }
    for (const elsewhere of ['//evil.example', '/\\evil.example', '/\\@']) {
      expect(() => daemonBase(elsewhere, secure), elsewhere).toThrowError(expect.objectContaining({ code: 'bad-url' }));
    }
  });

  it('of plain http is refused to an https page, except on the same machine', () => {
    expect(() => daemonBase('http://node.example:18081', secure)).toThrowError(
      expect.objectContaining({ code: 'mixed-content' }),
    );
    expect(daemonBase('http://127.0.0.1:18081', secure).port).toBe('18081');
    expect(daemonBase('http://node.example', new URL('http://localhost/')).host).toBe('node.example');
  });

  it('is known to be local or not', () => {
    for (const host of [
      'localhost',
      '127.0.0.1',
      '10.1.2.3',
      '192.168.0.9',
      '172.20.1.1',
      'box.local',
      '[::1]',
      '[fd00::1]',
      '[fe80::1]',
    ]) {
      expect(isLocalAddress(host), host).toBe(true);
    }
    for (const host of ['node.example', '172.32.0.1', '11.0.0.1', '10.evil.example', '[2001:db8::1]']) {
      expect(isLocalAddress(host), host).toBe(false);
    }
  });
});

describe('why a page cannot reach a daemon', () => {
  const ask = async (url: string, page: string, answer: (mode: string | undefined) => boolean) => {
    const fetchOnce = async (_input: unknown, init?: RequestInit) => {
      if (!answer(init?.mode)) throw new TypeError('Failed to fetch');
      return new Response('');
    };
    const before = Object.getOwnPropertyDescriptor(globalThis, 'location');
    Object.defineProperty(globalThis, 'location', { value: new URL(page), configurable: true });
    try {
      const transport = new FetchTransport({ url, clock: systemClock, random, fetch: fetchOnce });
      return await transport
        .request({ path: '/get_info', body: new Uint8Array(), contentType: 'application/json', maxBytes: 10 })
        .then(
          () => 'no error',
          (error: { code?: string }) => error.code,
        );
    } finally {
      if (before === undefined) Reflect.deleteProperty(globalThis, 'location');
      else Object.defineProperty(globalThis, 'location', before);
    }
  };

  it('is distinguished: no CORS header, no permission for local addresses, nobody there', async () => {
    expect(await ask('https://node.example', 'https://wallet.example/', (mode) => mode === 'no-cors')).toBe('cors');
    expect(await ask('http://127.0.0.1:18081', 'https://wallet.example/', () => false)).toBe('local-network');
    expect(await ask('https://node.example', 'https://wallet.example/', () => false)).toBe('unreachable');
    expect(await ask('/daemon', 'http://127.0.0.1:8080/', () => false)).toBe('unreachable');
    expect(await ask('/daemon', 'http://127.0.0.1:8080/', () => true)).toBe('no error');
  });
});

describe('T6 malformed bytes: a body', () => {
  it('grows to its cap and not beyond', () => {
    expect(() => new BodyCollector(100, 101)).toThrowError(expect.objectContaining({ code: 'too-large' }));
    for (const announced of [undefined, 10, 100]) {
      const collector = new BodyCollector(100, announced);
      collector.add(new Uint8Array(60).fill(1));
      collector.add(new Uint8Array(40).fill(2));
      expect(() => collector.add(new Uint8Array(1))).toThrowError(expect.objectContaining({ code: 'too-large' }));
      const body = collector.finish();
      expect([body.length, body.buffer.byteLength, body[59], body[60]]).toEqual([100, 100, 1, 2]);
    }
  });

  it('that drips is bounded by what has arrived, whatever the pauses', () => {
    let now = 0;
    const limits = { firstByte: 1e6, idle: 1e6, grace: 1_000, minRate: 100, total: 1e9, fullRate: 1 };
    const watchdog = new Watchdog(limits, 0, { ...systemClock, now: () => now }, undefined);
    watchdog.headers();
    now = 999;
    watchdog.progress(0);
    now = 10_000;
    watchdog.progress(1_000);
    now = 11_001;
    expect(() => watchdog.progress(0)).toThrowError(expect.objectContaining({ code: 'timeout' }));
    expect(watchdog.signal.aborted).toBe(true);
    watchdog.stop();
  });

  it.each([
    ['a small one', 0, 60],
    ['one of at most 120 kB', 120_000, 120],
  ])('that comes just fast enough is bounded in all: %s', (_, maxBytes, seconds) => {
    let now = 0;
    const limits = { firstByte: 1e6, idle: 1e6, grace: 1_000, minRate: 100, total: 60_000, fullRate: 2_000 };
    const watchdog = new Watchdog(limits, maxBytes, { ...systemClock, now: () => now }, undefined);
    watchdog.headers();
    for (now = 1_000; now < seconds * 1_000; now += 1_000) watchdog.progress(101);
    expect(() => watchdog.progress(101)).toThrowError(expect.objectContaining({ code: 'timeout' }));
    watchdog.stop();
  });
});

describe('T6 the length that an answer announces', () => {
  const answered = (headers: HeadersInit, maxBytes: number) => {
    const fetch = async () => new Response(new Uint8Array(100), { headers });
    const transport = new FetchTransport({ url: 'http://127.0.0.1:1', clock: systemClock, random, fetch });
    return transport.request({ path: '/get_info', body: new Uint8Array(), contentType: 'application/json', maxBytes });
  };

  it.each([
    ['counts packed bytes', { 'Content-Length': '200', 'Content-Encoding': 'gzip' }],
    ['is said twice', { 'Content-Length': '100, 100' }],
    ['is none', { 'Content-Length': '1e3' }],
  ])('is not gone by where it %s', async (_, headers) => {
    expect((await answered(headers, 150)).body).toHaveLength(100);
  });

  it('counts otherwise', async () => {
    await expect(answered({ 'Content-Length': '200' }, 150)).rejects.toMatchObject({ code: 'too-large' });
  });
});

describe('T6 an answer that stops', () => {
  it('is given up in time, though by then the collector took what Node had of the signal', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('{');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const transport = new FetchTransport({ url, clock: systemClock, random, limits: { idle: 500 } });
    const onBytes = () => void setImmediate(collect);
    const body = new Uint8Array();
    const answer = transport.request({ path: '/get_info', body, contentType: 'application/json', maxBytes: 100, onBytes });
    await expect(answer).rejects.toMatchObject({ code: 'timeout' });
    server.close().closeAllConnections();
  }, 10_000);
});

describe('a request of which nothing can have left', () => {
  const ask = (options: Partial<ConstructorParameters<typeof FetchTransport>[0]>) =>
    new FetchTransport({ url: 'https://127.0.0.1', clock: systemClock, random, ...options })
      .request({ path: '/get_info', body: new Uint8Array(), contentType: 'application/json', maxBytes: 100 })
      .catch((error: DaemonError) => [error.code, error.data.refused]);

  it.each([
    ['ENOTFOUND', true],
    ['ECONNREFUSED', true],
    ['UND_ERR_CONNECT_TIMEOUT', true],
    ['ECONNRESET', undefined],
  ])('is known by what Node says: %s', async (code, refused) => {
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) }));
    expect(await ask({ fetch })).toEqual(['unreachable', refused]);
  });

  it('is none on a connection that was open before, however long its answer takes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let connections = 0;
    let asked = 0;
    const server = createServer((_, response) => {
      if (++asked === 2) vi.advanceTimersByTime(20_000);
      if (asked < 3) response.end('{}');
      else response.destroy();
    }).on('connection', () => connections++);
    try {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const transport = new FetchTransport({ url, username: 'user', password: 'pass', clock: systemClock, random });
      const body = new Uint8Array();
      const again = () => transport.request({ path: '/get_info', body, contentType: 'application/json', maxBytes: 100 });
      const replies = [again(), again(), again().catch((error: DaemonError) => [error.code, error.data.refused])];
      expect(await Promise.all(replies)).toMatchObject([{ status: 200 }, { status: 200 }, ['unreachable', undefined]]);
      expect(connections).toBe(1);
    } finally {
      vi.useRealTimers();
      server.close().closeAllConnections();
    }
  });

  it.each([
    ['https', 'is silent', true],
    ['https', 'ends', true],
    ['http', 'ends', undefined],
  ])('with a login, over %s, if a daemon %s after the first bytes: %o', async (protocol, does, refused) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const sockets: Socket[] = [];
    const server = createTcpServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      socket.once('data', () => void (does === 'ends' ? socket.destroy() : vi.advanceTimersByTime(15_000)));
    }).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const url = `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`;
      expect(await ask({ url, username: 'user', password: 'pass' })).toEqual(['unreachable', refused]);
    } finally {
      vi.useRealTimers();
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });
});

describe('retries', () => {
  it('T6 end with a try that has taken long, so that a daemon that drips holds a call no longer than one answer may last', async () => {
    let now = 0;
    let asked = 0;
    const transport: DaemonTransport = {
      async request() {
        asked++;
        now += asked === 1 ? 299_000 : 2_000;
        throw new DaemonError('timeout', 'too slow');
      },
    };
    const clock = { now: () => now, sleep: async () => undefined };
    const none = { bytes: (n: number) => new Uint8Array(n) };
    await expect(new DaemonClient({ transport, clock, random: none }).getInfo()).rejects.toMatchObject({ code: 'timeout' });
    expect(asked).toBe(2);
  });

  it.each([
    [502, 'unreachable'],
    [504, 'timeout'],
    [500, 'http-status'],
  ])('of a gateway that says %i mean that its daemon is %s', async (status, code) => {
    const transport: DaemonTransport = { request: async () => ({ status, body: new Uint8Array() }) };
    const clock = { now: () => 0, sleep: async () => undefined };
    const none = { bytes: (n: number) => new Uint8Array(n) };
    await expect(new DaemonClient({ transport, clock, random: none }).getInfo()).rejects.toMatchObject({
      code,
      data: { status },
    });
  });

  it('pause at random below a doubling ceiling, and only for what may pass', async () => {
    const pauses: number[] = [];
    const clock = { now: () => 0, sleep: async (ms: number) => void pauses.push(ms) };
    const full = { bytes: (n: number) => new Uint8Array(n).fill(0xff) };
    let asked = 0;
    const transport: DaemonTransport = {
      async request() {
        asked++;
        return { status: 503, body: new Uint8Array() };
      },
    };
    const retry = { attempts: 6, firstPause: 100, longestPause: 500 };
    const client = new DaemonClient({ transport, clock, random: full, retry });
    await expect(client.getInfo()).rejects.toMatchObject({ code: 'http-status', data: { status: 503 } });
    expect([asked, pauses]).toEqual([6, [100, 200, 400, 500, 500]]);
    pauses.length = 0;
    const none = { bytes: (n: number) => new Uint8Array(n) };
    await expect(new DaemonClient({ transport, clock, random: none, retry }).getInfo()).rejects.toThrow();
    expect(pauses).toEqual([0, 0, 0, 0, 0]);
    const forbidden: DaemonTransport = { request: async () => ({ status: 403, body: new Uint8Array() }) };
    pauses.length = 0;
    await expect(new DaemonClient({ transport: forbidden, clock, random: full, retry }).getInfo()).rejects.toThrow();
    expect(pauses).toEqual([]);
  });
});
