import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CertificateFiles, certificateFiles, fixture, fixtureClient } from '../support/certificates.ts';
import { freePort } from '../support/child.ts';
import { startNightjar } from '../support/nightjar.ts';
import { startSecureMonerod, statusesOf } from '../support/secure-programs.ts';

/** Where a devnet is reached and by whom, as a process of its own beside monerod: certificates of clients, and IPv6. */

let folder: string;
let friend: CertificateFiles;
let stranger: CertificateFiles;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-doors-'));
  friend = certificateFiles(folder, 'friend');
  stranger = certificateFiles(folder, 'stranger');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Program {
  readonly port: number;
  stop(): Promise<void>;
}

async function ours(flags: readonly string[]): Promise<Program> {
  const node = startNightjar(['devnet', '--rpc-bind-port', '0', '--block-time', '0', '--empty', ...flags]);
  const [, port] = await node.line(/http:\/\/127\.0\.0\.1:(\d+)$/);
  return { port: Number(port), stop: () => node.kill() };
}

async function verdicts(start: (flags: readonly string[]) => Promise<Program>, flags: readonly string[]) {
  const { port, stop } = await start(flags);
  try {
    const [direct, chained] = [fixtureClient('direct'), fixtureClient('chained')];
    return await statusesOf(port, { friend, stranger, direct, chained });
  } finally {
    await stop();
  }
}

const none = {
  plain: 'refused',
  nobody: 'refused',
  friend: 'refused',
  stranger: 'refused',
  direct: 'refused',
  chained: 'refused',
};

describe('a devnet lets in whom monerod lets in', () => {
  it.each([
    ['a fingerprint', () => ['--rpc-ssl-allowed-fingerprints', friend.fingerprint], { ...none, friend: 200 }],
    ['an authority', () => ['--rpc-ssl-ca-certificates', fixture('root.crt')], { ...none, direct: 200 }],
    [
      'an authority and those below it',
      () => ['--rpc-ssl-ca-certificates', fixture('root.crt'), '--rpc-ssl-allow-chained'],
      { ...none, direct: 200, chained: 200 },
    ],
  ])('by %s', async (_what, flags, expected) => {
    const [own, monerods] = await Promise.all([verdicts(ours, flags()), verdicts(startSecureMonerod, flags())]);
    expect(monerods).toEqual(expected);
    expect(own).toEqual(expected);
  });
});

/** HTTP status of `get_height` there; `refused` where nobody listens. */
const statusAt = (host: string, port: number): Promise<number | 'refused'> =>
  new Promise((done) => {
    const asked = request({ host, port, path: '/get_height', agent: false }, (answer) => done(answer.resume().statusCode ?? 0));
    asked.on('error', () => done('refused')).end();
  });

describe('IPv6', () => {
  it('is listened on beside IPv4 where it is asked for, on both ports', async () => {
    const restricted = await freePort();
    const flags = ['--rpc-use-ipv6', '--rpc-restricted-bind-port', String(restricted)];
    const { port, stop } = await ours(flags);
    for (const [host, at] of [
      ['127.0.0.1', port],
      ['::1', port],
      ['127.0.0.1', restricted],
      ['::1', restricted],
    ] as const)
      expect(await statusAt(host, at), `${host} ${at}`).toBe(200);
    await stop();
    const alone = await ours([]);
    expect(await statusAt('::1', alone.port)).toBe('refused');
    await alone.stop();
  });

  it('is enough where IPv4 cannot be had and may be ignored, and only there', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => taken.once('listening', done));
    const { port } = taken.address() as { port: number };
    const flags = ['--rpc-bind-port', String(port), '--rpc-use-ipv6', '--block-time', '0', '--empty'];
    const node = startNightjar(['devnet', ...flags, '--rpc-ignore-ipv4']);
    await node.line(/Test coins/);
    expect(await statusAt('::1', port)).toBe(200);
    await node.kill();
    const refused = startNightjar(['devnet', ...flags]);
    await expect(refused.line(/Test coins/)).rejects.toThrow(/is taken: choose another with --port, or --port 0/);
    await refused.kill();
    taken.close();
  });
});
