import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readFlags } from '../../src/cli/flags.ts';
import { type RunningService, startService } from '../../src/cli/wallet-rpc/command.ts';
import { FLAGS, readSettings } from '../../src/cli/wallet-rpc/flags.ts';
import { digestHeader } from '../support/fuzz/digest.ts';
import { framed, RawConnection } from '../support/fuzz/wire.ts';
import { callOver, send } from '../support/rpc-wire.ts';

// Guards of the wallet service, through the service: what other people's pages and programs may not do with it.

const PATIENCE = 20_000;
const REQUEST = '{"id":1,"method":"get_version"}';
const OPEN = ['--disable-rpc-login'];
const LOGIN = ['--rpc-login', 'user:pass'];

let root: string;
let folder: string;
let running: RunningService | undefined;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'nightjar-guards-'));
  folder = join(root, 'wallets');
  mkdirSync(folder);
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The port of a service with these flags. */
async function serve(flags: readonly string[]): Promise<number> {
  const base = ['--rpc-bind-port', '0', '--offline', '--wallet-dir', folder];
  running = await startService(readSettings(readFlags('wallet-rpc', FLAGS, [...base, ...flags])));
  return running.port;
}

/** One more request on a connection. */
async function ask(line: RawConnection, headers: readonly string[]): Promise<{ status: number; headers: string }> {
  await line.send(framed(Buffer.from(REQUEST), headers));
  return (await line.replies(1, PATIENCE)).replies[0] ?? { status: 0, headers: '' };
}

describe('T15 local service: pages of others', () => {
  it('with an Origin of their own are refused, those that were named are served', async () => {
    const url = `http://127.0.0.1:${await serve([...OPEN, '--rpc-access-control-origins', 'https://mine.example'])}`;
    const from = async (Origin: string) => (await send(url, { body: REQUEST, headers: { Origin } })).status;
    expect(await from('https://evil.example')).toBe(403);
    expect(await from('null')).toBe(403);
    expect(await from(url)).toBe(403);
    expect(await from('https://mine.example')).toBe(200);
  });

  it('under a name that leads to this machine are refused without a login, whatever they send', async () => {
    const port = await serve([...OPEN, '--rpc-access-control-origins', 'https://mine.example']);
    const named = async (Host: string) => (await send(`http://127.0.0.1:${port}`, { body: REQUEST, headers: { Host } })).status;
    const foreign = ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example'];
    const hidden = [
      'evil.example@localhost',
      'evil.example:80@127.0.0.1',
      'localhost/evil.example',
      'localhost?x',
      'localhost#x',
      'localhost\\x',
    ];
    for (const host of [...foreign, ...hidden]) expect(await named(host), host).toBe(403);
    for (const host of ['localhost', `localhost:${port}`, '127.0.0.1', `[::1]:${port}`, '192.168.7.7', 'mine.example'])
      expect(await named(host), host).toBe(200);
  });

  it('that send no Origin are known by their site: no form of theirs is served', async () => {
    const url = `http://127.0.0.1:${await serve([...OPEN, '--rpc-access-control-origins', 'https://mine.example'])}`;
    const from = async (site: string, method: string, more = {}) =>
      (await send(url, { method, body: REQUEST, headers: { 'Sec-Fetch-Site': site, ...more } })).status;
    for (const site of ['cross-site', 'same-site'])
      for (const method of ['GET', 'POST']) expect(await from(site, method), `${method} ${site}`).toBe(403);
    for (const site of ['none', 'same-origin']) expect(await from(site, 'GET'), site).toBe(200);
    expect(await from('cross-site', 'POST', { Origin: 'https://mine.example' })).toBe(200);
  });

  it('may have any name where they must log in', async () => {
    const url = `http://127.0.0.1:${await serve(LOGIN)}`;
    expect((await send(url, { body: REQUEST, headers: { Host: 'wallet.example' } })).status).toBe(401);
  });
});

describe('T15 local service: connections without a login', () => {
  it('are not held by half a request: a client that sends a whole one is served, and stays connected', async () => {
    const port = await serve([...OPEN, '--rpc-max-connections', '6']);
    const friend = await RawConnection.open(port);
    expect((await ask(friend, [])).status).toBe(200);
    const halves: RawConnection[] = [];
    for (let i = 0; i < 24; i++) {
      const line = await RawConnection.open(port);
      await line.send(framed(Buffer.from(REQUEST)).slice(0, -5));
      halves.push(line);
      // The service has read it before the next one comes.
      expect((await ask(friend, [])).status).toBe(200);
    }
    const another = await RawConnection.open(port);
    expect((await ask(another, [])).status).toBe(200);
    for (const line of [...halves, friend, another]) line.reset();
  });
});

describe('T15 local service: a login', () => {
  /** The status of an answer to a fresh challenge. */
  async function answered(port: number, answer: (challenge: string) => string, more?: (challenge: string) => string) {
    const line = await RawConnection.open(port);
    const { headers } = await ask(line, []);
    const first = await ask(line, [`Authorization: ${answer(headers)}`]);
    const last = more === undefined ? first : await ask(line, [`Authorization: ${more(headers)}`]);
    line.reset();
    return last.status;
  }

  it('is good for its nonce and its count alone', async () => {
    const port = await serve(LOGIN);
    const login = (count: number) => (challenge: string) => digestHeader(challenge, 'user', 'pass', count);
    expect(await answered(port, login(1))).toBe(200);
    expect(await answered(port, login(1), login(2))).toBe(200);
    // Overheard, and sent again.
    expect(await answered(port, login(1), login(1))).toBe(401);
    expect(await answered(port, login(1), login(3))).toBe(401);
    const elsewhere = await RawConnection.open(port);
    const other = (await ask(elsewhere, [])).headers;
    expect(await answered(port, () => login(1)(other))).toBe(401);
    elsewhere.reset();
  });

  it('is read as the reference reads it: its scheme, its realm, and the two ends of its algorithm', async () => {
    const port = await serve(LOGIN);
    const login = (from: RegExp | string, to: string, password = 'pass') => {
      return (challenge: string) => digestHeader(challenge, 'user', password).replace(from, to);
    };
    for (const [from, to] of [
      [/realm="[^"]*"/, 'realm="x"'],
      ['Digest ', 'Digest algorithm=MD5x, '],
      ['Digest ', 'Digest'],
      ['Digest ', ' digest  '],
    ] as const) {
      expect(await answered(port, login(from, to)), to).toBe(200);
      expect(await answered(port, login(from, to, 'wrong')), to).toBe(401);
    }
    for (const algorithm of ['SHA-256', 'xMD5', 'MD5-sess', 'MD5x-SESS']) {
      expect(await answered(port, login('Digest ', `Digest algorithm=${algorithm}, `)), algorithm).toBe(401);
    }
  });
});

describe('T15 local service: names of files', () => {
  it.each([
    ['create_wallet', { language: 'English' }],
    ['open_wallet', {}],
    ['restore_deterministic_wallet', { seed: 'abbey '.repeat(25).trim() }],
    ['generate_from_keys', { address: '4', viewkey: '0' }],
  ])('of %s do not leave the folder', async (method, params) => {
    const url = `http://127.0.0.1:${await serve(OPEN)}`;
    writeFileSync(join(root, 'outside.keys'), 'somebody else’s');
    for (const filename of ['../outside', `${root}/outside`, 'a/../../outside', '/outside', '..\\outside']) {
      expect(await callOver(url, method, { filename, ...params }), filename).toEqual({ code: '-1', message: 'Invalid filename' });
    }
    expect(readdirSync(root).sort()).toEqual(['outside.keys', 'wallets']);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('that are invalid reveal nothing about files outside the folder', async () => {
    const url = `http://127.0.0.1:${await serve(OPEN)}`;
    const beside = [`${folder}.keys`, `${root}.keys`];
    for (const file of beside) writeFileSync(file, 'somebody else’s');
    try {
      for (const filename of ['', '.', '..']) {
        const message = `Failed to open wallet : file not found "${join(folder, `${filename}.keys`)}"`;
        expect(await callOver(url, 'open_wallet', { filename }), filename).toEqual({ code: '-1', message });
      }
    } finally {
      for (const file of beside) rmSync(file);
    }
  });
});
