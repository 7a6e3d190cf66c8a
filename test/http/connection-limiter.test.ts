import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readFlags } from '../../src/cli/flags.ts';
import { addTls } from '../../src/cli/service-tls.ts';
import { type RunningService, startService } from '../../src/cli/wallet-rpc/command.ts';
import { FLAGS, readSettings } from '../../src/cli/wallet-rpc/flags.ts';
import { isNear } from '../../src/http/index.ts';
import { digestHeader } from '../support/fuzz/digest.ts';
import { framed, RawConnection } from '../support/fuzz/wire.ts';

// Strangers who hold connections to the service, and do nothing with them.

const PLACES = 6;
const PATIENCE = 20_000;
const REQUEST = Buffer.from('{"id":1,"method":"get_version"}');
/** A record of TLS with the beginning of a handshake. */
const HELLO = Uint8Array.from([22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3, ...new Uint8Array(30)]);

function serviceOf(places: number, flags: readonly string[] = []): Promise<RunningService> {
  const base = ['--rpc-bind-port', '0', '--offline', '--wallet-dir', tmpdir(), '--rpc-login', 'user:pass'];
  return startService(readSettings(readFlags('wallet-rpc', FLAGS, [...base, '--rpc-max-connections', String(places), ...flags])));
}

/** The status of one more request on a connection. */
async function statusOf(line: RawConnection, headers: readonly string[]): Promise<{ status: number; headers: string }> {
  await line.send(framed(REQUEST, headers));
  const { replies } = await line.replies(1, PATIENCE);
  return replies[0] ?? { status: 0, headers: '' };
}

/** A connection whose client has logged in. */
async function friendOf(port: number, from?: string): Promise<RawConnection> {
  const line = await RawConnection.open(port, from);
  const { headers } = await statusOf(line, []);
  const login = digestHeader(headers, 'user', 'pass');
  expect((await statusOf(line, [`Authorization: ${login}`])).status).toBe(200);
  return line;
}

/** What strangers do with a connection. */
const STRANGERS: readonly ((line: RawConnection) => Promise<unknown>)[] = [
  async () => undefined,
  (line) => line.send(HELLO),
  (line) => line.send(framed(REQUEST).slice(0, 40)),
  (line) => statusOf(line, []),
  (line) => statusOf(line, ['Authorization: Digest username="user"']),
];

describe('connections to the service', () => {
  it('are not held by strangers for good: a client that logs in gets one, and keeps it', async () => {
    const { port, stop } = await serviceOf(PLACES);
    try {
      const friend = await friendOf(port);
      const held: RawConnection[] = [];
      for (let i = 0; i < 4 * PLACES; i++) {
        const line = await RawConnection.open(port);
        held.push(line);
        await STRANGERS[i % STRANGERS.length]!(line);
      }
      const another = await friendOf(port);
      for (const line of [friend, another]) expect((await statusOf(line, [])).status).toBe(401);
      expect(held.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(PLACES - 2);
      for (const line of [...held, friend, another]) line.reset();
    } finally {
      await stop();
    }
  });

  it('are all taken when those who logged in have them', async () => {
    const { port, stop } = await serviceOf(2);
    try {
      const friends = [await friendOf(port), await friendOf(port)];
      const late = await RawConnection.open(port);
      expect((await late.finish(PATIENCE)).replies).toEqual([]);
      for (const line of friends) expect((await statusOf(line, [])).status).toBe(401);
      for (const line of friends) line.reset();
    } finally {
      await stop();
    }
  });

  it('are limited by address on request: strangers at that address give way, others elsewhere do not', async () => {
    const { port, stop } = await serviceOf(PLACES, ['--rpc-max-connections-per-private-ip', '2']);
    try {
      const elsewhere = await RawConnection.open(port, '127.0.0.2');
      const friend = await friendOf(port);
      const stranger = await RawConnection.open(port);
      const friends = [friend, await friendOf(port)];
      const late = await RawConnection.open(port);
      for (const line of [stranger, late]) expect((await statusOf(line, [])).status).toBe(0);
      friends.push(await friendOf(port, '127.0.0.2'));
      expect(elsewhere.closed).toBe(false);
      for (const line of friends) expect((await statusOf(line, [])).status).toBe(401);
      for (const line of [elsewhere, ...friends]) line.reset();
    } finally {
      await stop();
    }
  });

  it('for one address are no more than for all', () => {
    for (const name of ['rpc-max-connections-per-private-ip', 'rpc-max-connections-per-public-ip']) {
      expect(() => serviceOf(5, [`--${name}`, '6'])).toThrow(`--${name} is bigger than --rpc-max-connections (5)`);
    }
  });

  it.each([
    ['127.3.2.1', true],
    ['10.0.0.1', true],
    ['172.31.0.1', true],
    ['172.32.0.1', false],
    ['192.168.7.7', true],
    ['::ffff:192.168.7.7', true],
    ['8.8.8.8', false],
    ['::1', true],
    ['fe80::1%eth0', true],
    ['2001:db8::1', false],
    ['', false],
  ])('an address of this machine or a private network: %s %o', (address, near) => {
    expect(isNear(address)).toBe(near);
  });

  it.each([
    ['autodetect', 3],
    ['autodetect', HELLO.length],
    ['enabled', 0],
    ['enabled', 3],
    ['enabled', HELLO.length],
  ] as const)(
    'are free at once when a client leaves in the middle of its handshake: %s, after %i bytes',
    async (mode, length) => {
      const server = createServer();
      addTls(server, {
        mode,
        keyFile: '',
        certificateFile: '',
        clients: { fingerprints: [], authoritiesFile: '', chained: false },
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const came = once(server, 'connection') as Promise<[Socket]>;
      const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
      client.end(HELLO.slice(0, length));
      const [socket] = await came;
      await once(socket, 'close');
      client.destroy();
      server.close();
    },
    10_000,
  );
});
