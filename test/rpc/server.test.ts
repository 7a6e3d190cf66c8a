import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { encodeJson, LazyList, parseJson } from '../../src/base/index.ts';
import { PIECE } from '../../src/base/json-print.ts';
import type { ServiceTls } from '../../src/cli/service-tls.ts';
import { createRpcServer } from '../../src/cli/wallet-rpc/server.ts';
import type { RpcService } from '../../src/rpc/service.ts';
import { jsonText } from '../support/json-text.ts';
import { send } from '../support/rpc-wire.ts';
import { serviceOf } from './support.ts';

// Long replies over sockets: in pieces, as fast as the client takes them, and others are answered meanwhile.

/** Elements of the long list: twenty megabytes, more than sockets hold on their way. */
const LONG = 200_000;
const MIDDLE = LONG / 2;

let made: number;
let unprintable: number | undefined;
let service: RpcService;
let server: Server;
let url: string;
let sockets: Socket[];
let logged: string[];

const element = (index: number) => {
  made += 1;
  return index === unprintable ? Number.NaN : { index, text: 'ab'.repeat(32) };
};
const listOf = (length: number) => ({
  list: LazyList.of(
    Array.from({ length }, (_, i) => i),
    element,
  ),
});

const makeService = () =>
  serviceOf({
    long: { handler: () => listOf(LONG) },
    short: { handler: () => listOf(3) },
    middling: { handler: () => listOf(1000) },
  });

beforeEach(() => serve(60_000));

/** @param stall milliseconds that the service waits for a client that takes nothing */
async function serve(stall: number, mode: ServiceTls['mode'] = 'disabled'): Promise<void> {
  made = 0;
  unprintable = undefined;
  sockets = [];
  logged = [];
  service = makeService();
  server = createRpcServer({
    service,
    login: undefined,
    origins: [],
    connectionLimits: { all: 100, eachNear: undefined, eachFar: undefined },
    stall,
    tls: {
      mode,
      keyFile: '',
      certificateFile: '',
      clients: { fingerprints: [], authoritiesFile: '', chained: false },
    },
    log: (_level, _category, message) => void logged.push(typeof message === 'string' ? message : message()),
    afterReply: () => undefined,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(end);

async function end(): Promise<void> {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
}

async function connected(): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** A client that has asked, and reads nothing yet. */
async function ask(method: string, first = 'POST /json_rpc HTTP/1.1'): Promise<Socket> {
  const socket = await connected();
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method });
  socket.write(`${first}\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  return socket;
}

/** All that comes until the connection ends. */
async function everything(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}

const call = (method: string) => send(url, { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }) });
const textOf = (length: number) => {
  const list = Array.from({ length }, (_, index) => ({ index, text: 'ab'.repeat(32) }));
  return jsonText(encodeJson({ id: 1, jsonrpc: '2.0', result: { list } }));
};
const LONG_TEXT = textOf(LONG);

it('T15 a body without end is refused and logged, and the service goes on', async () => {
  const socket = await connected();
  const refused = once(socket, 'data');
  socket.write('POST /json_rpc HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n');
  // More than any request may have, in one chunk that has no end.
  socket.on('error', () => undefined).write(`ffffffff\r\n${' '.repeat(service.longestRequest + 1)}`);
  expect(String(await refused)).toMatch(/^HTTP\/1\.1 413/);
  expect(logged).toEqual(['127.0.0.1 POST /json_rpc: 413']);
  expect((await call('short')).status).toBe(200);
});

it('a failure of the service itself is status 500 and a warning, ends the connection without its message, and the service goes on', async () => {
  vi.spyOn(service, 'has').mockImplementationOnce(() => {
    throw new Error('a fault with a message');
  });
  const warned = once(process, 'warning');
  const socket = await connected();
  const request = '{"id":1,"method":"short"}';
  // A client that would send more over the same connection.
  socket.write(`POST /json_rpc HTTP/1.1\r\nContent-Length: ${request.length}\r\n\r\n${request}`);
  const reply = await everything(socket);
  expect(reply).toMatch(/^HTTP\/1\.1 500 .*Connection: close.*\r\n\r\n$/s);
  expect(reply).not.toContain('fault');
  expect(String(await warned)).toContain('a fault with a message');
  expect((await call('short')).status).toBe(200);
});

describe('replies over HTTP', () => {
  it('tell their length up to one piece, and come in chunks beyond', async () => {
    for (const [method, length] of [
      ['short', 3],
      ['middling', 1000],
    ] as const) {
      const { headers, body } = await call(method);
      expect(body).toBe(textOf(length));
      expect(headers).toMatchObject({ 'content-length': String(body.length) });
    }
    const { headers, body } = await call('long');
    expect(body === LONG_TEXT).toBe(true);
    expect(headers).toMatchObject({ 'transfer-encoding': 'chunked', 'content-type': 'application/json' });
    expect(headers).not.toHaveProperty('content-length');
  });

  it('end with the connection for a client of HTTP/1.0, which knows no chunks', async () => {
    const reply = await everything(await ask('long', 'POST /json_rpc HTTP/1.0'));
    const end = reply.indexOf('\r\n\r\n');
    expect(reply.slice(0, end)).not.toMatch(/chunked|content-length/i);
    expect(reply.slice(end + 4) === LONG_TEXT).toBe(true);
  });

  it.each(['disabled', 'autodetect'] as const)('go out whole to a client that has ended its half, TLS %s', async (mode) => {
    await end();
    await serve(60_000, mode);
    const socket = await ask('long');
    socket.end();
    const reply = await everything(socket);
    expect(reply.endsWith('\r\n0\r\n\r\n')).toBe(true);
    expect(reply.length).toBeGreaterThan(LONG_TEXT.length);
  });

  it('go to plain clients: no Host, and expectations of any kind', async () => {
    const body = '{"id":1,"method":"short"}';
    for (const header of ['', 'Expect: tea\r\n']) {
      const socket = await connected();
      socket.write(`POST /json_rpc HTTP/1.1\r\n${header}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      expect(await everything(socket)).toMatch(/^HTTP\/1\.1 200 .*"list"/s);
    }
  });

  it('are made as their client reads: one that does not read holds up nobody and fills no memory', async () => {
    const slow = await ask('long');
    while (made === 0) await call('short');
    let before: number;
    do {
      before = made;
      expect((await call('short')).body).toBe(textOf(3));
    } while (made > before + 3);
    expect(made).toBeLessThan(MIDDLE);
    expect((await everything(slow)).length).toBeGreaterThan(LONG_TEXT.length);
    expect(made).toBeGreaterThan(LONG);
  });

  it('break off when their client takes nothing for too long', async () => {
    await end();
    await serve(300);
    const held = once(server, 'connection') as Promise<[Socket]>;
    await ask('long');
    const [line] = await held;
    await once(line, 'close');
    expect(made).toBeLessThan(MIDDLE);
  });

  it('let others be answered between their pieces', async () => {
    const answered: number[] = [];
    let done = false;
    const long = call('long').finally(() => {
      done = true;
    });
    while (!done) {
      await call('short');
      answered.push(made);
    }
    await long;
    // Each piece is some thousand elements: nobody waits for many of them.
    expect(answered.filter((count) => count > 3 && count < LONG).length).toBeGreaterThan(10);
    expect(LONG_TEXT.length / PIECE).toBeGreaterThan(50);
  });

  it('are not made for a client that has left', async () => {
    const socket = await ask('long');
    await once(socket, 'readable');
    socket.resetAndDestroy();
    await once(socket, 'close');
    let before: number;
    do {
      before = made;
      await call('short');
    } while (made > before + 3);
    expect(made).toBeLessThan(MIDDLE);
  });

  it('that can no longer be printed break the connection off, and the service goes on', async () => {
    unprintable = MIDDLE;
    const warned = once(process, 'warning');
    await expect(call('long')).rejects.toThrow(/aborted|hang up|reset/);
    expect(String(await warned)).toContain('expected a finite number');
    const { result } = parseJson((await call('short')).body) as { result: unknown };
    expect(result).toHaveProperty('list');
  });
});
