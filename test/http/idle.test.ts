import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { createRpcServer } from '../../src/cli/wallet-rpc/server.ts';
import { serveDevnet } from '../../src/devnet/index.ts';
import { idleTime } from '../../src/http/index.ts';
import { serviceOf } from '../rpc/support.ts';

// How long the servers keep connections on which nothing is asked.

const MINUTE = 60_000;

it.each([
  ['127.0.0.1', 30],
  ['::1', 30],
  ['10.1.2.3', 30],
  ['::ffff:172.16.0.1', 30],
  ['fe80::1%eth0', 30],
  ['203.0.113.9', 5],
  ['::ffff:203.0.113.9', 5],
  ['2001:db8::1', 5],
  // Unique local addresses and 169.254.0.0/16 are public to the reference, too.
  ['fd00::1', 5],
  ['169.254.0.1', 5],
  ['', 5],
])('a connection of %s may be idle for %d minutes', (address, minutes) => {
  expect(idleTime(address)).toBe(minutes * MINUTE);
});

/** Makes a server take its clients for some at that address. */
function pretend(server: Server, address: string): void {
  server.prependListener('connection', (socket) => Object.defineProperty(socket, 'remoteAddress', { value: address }));
}

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const SERVERS = {
  service: async (address: string) => {
    const server = createRpcServer({
      service: serviceOf({}),
      login: undefined,
      origins: [],
      connectionLimits: { all: 100, eachNear: undefined, eachFar: undefined },
      stall: MINUTE,
      tls: {
        mode: 'disabled',
        keyFile: '',
        certificateFile: '',
        clients: { fingerprints: [], authoritiesFile: '', chained: false },
      },
      afterReply: () => undefined,
    });
    pretend(server, address);
    return { port: await listening(server), stop: () => server.close() };
  },
  devnet: (address: string) => serveDevnet({ prepare: (server) => pretend(server, address) }),
};

afterEach(() => vi.restoreAllMocks());

/** The last time in milliseconds that a server set for a connection, after each of two answers. */
async function timesOf(port: number): Promise<number[]> {
  const set = vi.spyOn(Socket.prototype, 'setTimeout');
  const client = connect(port, '127.0.0.1');
  const times: number[] = [];
  for (let asked = 0; asked < 2; asked++) {
    client.write('POST /json_rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}');
    await once(client, 'data');
    times.push(set.mock.lastCall![0]);
  }
  client.destroy();
  return times;
}

const CASES = (['service', 'devnet'] as const).flatMap((which) => [
  [which, '203.0.113.9', 5] as const,
  [which, '::ffff:192.168.0.9', 30] as const,
]);

it.each(CASES)('the %s keeps one of %s for %d minutes after each answer', async (which, address, minutes) => {
  const { port, stop } = await SERVERS[which](address);
  try {
    expect(await timesOf(port)).toEqual([minutes * MINUTE, minutes * MINUTE]);
  } finally {
    await stop();
  }
});
