import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { asArray, asU64 } from '../../src/base/index.ts';
import { readFlags } from '../../src/cli/flags.ts';
import { ServiceLog } from '../../src/cli/log.ts';
import { type RunningService, startService } from '../../src/cli/wallet-rpc/command.ts';
import { FLAGS, readSettings } from '../../src/cli/wallet-rpc/flags.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { decodeAddress } from '../../src/protocol/index.ts';
import { changeJson, type HostileProxy, startHostileProxy } from '../support/hostile.ts';
import { callOver } from '../support/rpc-wire.ts';

/** Fees a byte of the two highest priorities are beyond the absolute bound on a young chain, and honest there. */
const FASTEST = { priority: 4 };
const OTHER = '42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm';

let devnet: ServedDevnet;
let proxy: HostileProxy;
let folder: string;
const said: string[] = [];
const running: RunningService[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-network-'));
  devnet = await serveDevnet({ history: { blocks: 120, transactions: 4 } });
  proxy = await startHostileProxy(devnet.url);
});
afterEach(async () => {
  proxy.honest();
  said.length = 0;
  for (const service of running.splice(0)) await service.stop();
});
afterAll(async () => {
  await proxy.stop();
  await devnet.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The proxy by an address that reaches this machine and is not one of loopback: a daemon somewhere else. */
const far = () => `http://0.0.0.0:${proxy.port}`;

async function service(...args: string[]): Promise<(method: string, params?: object) => Promise<unknown>> {
  const flags = ['--rpc-bind-port', '0', '--disable-rpc-login', '--wallet-dir', folder, ...args];
  const log = new ServiceLog('0', (text) => said.push(text));
  const started = await startService(readSettings(readFlags('wallet-rpc', FLAGS, flags)), log);
  running.push(started);
  return (method, params = {}) => callOver(`http://127.0.0.1:${started.port}`, method, params);
}

const heightOf = (answer: unknown) => Number((answer as { readonly height: string }).height);
const tip = () => devnet.node.chain.height;
const mine = (blocks: number) => {
  for (let i = 0; i < blocks; i++) devnet.node.mine(decodeAddress(OTHER, 'regtest'));
};

it('T1 a chain called regtest is taken from a daemon of this machine, and from a far one by name only', async () => {
  const strange = await service('--daemon-address', far());
  await strange('create_wallet', { filename: 'strange', language: 'English' });
  await strange('refresh');
  expect(heightOf(await strange('get_height'))).toBeLessThan(tip());
  expect(said.join('\n')).toMatch(/serves fakechain: not used, give --regtest if that is meant/);
  const named = await service('--daemon-address', far(), '--regtest');
  await named('create_wallet', { filename: 'named', language: 'English' });
  await named('refresh');
  expect(heightOf(await named('get_height'))).toBe(tip());
  said.length = 0;
  const near = await service('--daemon-address', proxy.url);
  await near('create_wallet', { filename: 'near', language: 'English' });
  await near('refresh');
  expect(heightOf(await near('get_height'))).toBe(tip());
  expect(said.join('\n')).toMatch(/network: regtest \(the daemon at .* serves fakechain and is on this machine\)/);
});

it('T1 fees and rewards named 3,000 times too high are not paid, nor on regtest those that a far daemon asks for', async () => {
  const call = await service('--daemon-address', proxy.url);
  await call('create_wallet', { filename: 'payer', language: 'English' });
  const { address } = (await call('get_address')) as { address: string };
  devnet.faucet.give(address);
  mine(12);
  await call('refresh');
  const pay = (more: object = {}) =>
    call('transfer', { destinations: [{ address: OTHER, amount: 1_000_000_000n }], do_not_relay: true, ...more });
  expect(await pay(FASTEST), 'honest, on this machine').toHaveProperty('fee');
  const times = 3_000n;
  proxy.lie(
    'get_fee_estimate',
    changeJson((fees) => ({
      ...fees,
      fee: asU64(fees.fee, 'fee') * times,
      fees: asArray(fees.fees, 'fees').map((fee) => asU64(fee, 'fee') * times),
    })),
  );
  const lieOfRewards = changeJson((answer) => ({
    ...answer,
    headers: asArray(answer.headers, 'headers').map((header) => ({ ...(header as object), reward: 100_000_000_000_000_000n })),
  }));
  proxy.lie('get_block_headers_range', lieOfRewards);
  proxy.lie('getblockheadersrange', lieOfRewards);
  expect(await pay({ priority: 1 })).toMatchObject({ message: expect.stringMatching(/fee of at most/) as string });
  proxy.honest();
  await call('set_daemon', { address: far() });
  await call('refresh');
  expect(await pay(FASTEST), 'honest, far').toMatchObject({ message: expect.stringMatching(/fee of at most/) as string });
});

it('a service that started before its regtest daemon follows it once it answers, with the wallet made meanwhile', async () => {
  await proxy.goAway();
  const call = await service('--daemon-address', proxy.url);
  await call('create_wallet', { filename: 'early', language: 'English' });
  await proxy.comeBack();
  await vi.waitFor(async () => {
    await call('refresh');
    expect(heightOf(await call('get_height'))).toBe(tip());
  }, 20_000);
  await call('close_wallet');
  await call('open_wallet', { filename: 'early' });
  mine(1);
  await call('refresh');
  expect(heightOf(await call('get_height'))).toBe(tip());
});

it('a daemon of another network is reported until one of the right network answers', async () => {
  const call = await service('--daemon-address', proxy.url, '--regtest');
  await call('create_wallet', { filename: 'patient', language: 'English' });
  proxy.lie(
    'get_info',
    changeJson((info) => ({ ...info, nettype: 'stagenet' })),
  );
  await call('set_daemon', { address: proxy.url });
  await call('refresh');
  expect(heightOf(await call('get_height'))).toBeLessThan(tip());
  proxy.honest();
  await vi.waitFor(async () => {
    await call('refresh');
    expect(heightOf(await call('get_height'))).toBe(tip());
  }, 20_000);
});

it('T15 a proxy that is none is refused, and the daemon is not asked without one', async () => {
  const call = await service('--regtest', '--offline');
  await call('create_wallet', { filename: 'unasked', language: 'English' });
  const before = proxy.asked.length;
  for (const none of ['nowhere', '127.0.0.1', '127.0.0.1:', ':9050', '127.0.0.1:0', 'onion.example:9050', '9050 ']) {
    const answer = await call('set_daemon', { address: proxy.url, proxy: none });
    expect(answer, none).toMatchObject({ message: 'Unable to set daemon' });
  }
  await call('refresh');
  expect(proxy.asked.length).toBe(before);
});
