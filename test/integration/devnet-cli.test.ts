import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { createSiteServer } from '../../src/cli/http/server.ts';
import { MonerodUpstream } from '../../src/cli/http/upstream.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import { serveDevnet } from '../../src/devnet/index.ts';
import { type Nightjar, startNightjar } from '../support/nightjar.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';
import { callPath, callRpc, post } from '../support/rpc.ts';

const running: Nightjar[] = [];
let folder: string;
beforeAll(async () => {
  await loadCrypto();
  folder = mkdtempSync(join(tmpdir(), 'nightjar-cli-'));
});
afterEach(async () => {
  for (const started of running.splice(0)) await started.kill();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function nightjar(...args: readonly string[]): Nightjar {
  const started = startNightjar(args);
  running.push(started);
  return started;
}

async function devnet(...args: readonly string[]): Promise<Nightjar & { readonly url: string }> {
  const started = nightjar('devnet', '--port', '0', '--data-dir', join(folder, 'chain'), '--empty', ...args);
  const [, url] = await started.line(/(http:\/\/127\.0\.0\.1:\d+)$/);
  return { ...started, url: url! };
}

const height = async (url: string) => (await callPath<{ height: number }>(url, 'get_height', {})).height;

describe('nightjar devnet', () => {
  const address = '42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm';

  it('keeps its chain, stops when it is asked to, and goes on', async () => {
    const first = await devnet('--block-time', '0');
    await callRpc(first.url, 'generateblocks', { amount_of_blocks: 5, wallet_address: address });
    const { hash } = await callPath<{ hash: string }>(first.url, 'get_height', {});
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    const second = await devnet('--block-time', '0');
    expect(await callPath(second.url, 'get_height', {})).toMatchObject({ height: 6, hash });
    second.child.kill('SIGINT');
    expect(await second.ended).toBe(0);
  });

  it('T16 has every block that it told of when it is killed between two of them', async () => {
    for (let round = 0; round < 3; round++) {
      const first = await devnet('--block-time', '0.02');
      const began = await height(first.url);
      let told = began;
      while (told < began + 4) told = await height(first.url);
      first.child.kill('SIGKILL');
      await first.ended;
      const second = await devnet('--block-time', '0');
      expect(await height(second.url)).toBeGreaterThanOrEqual(told);
      second.child.kill('SIGTERM');
      await second.ended;
    }
  });

  it('mines to an address while it is told to', async () => {
    const { url } = await devnet('--block-time', '0');
    expect(await callPath(url, 'start_mining', { miner_address: 'x' }, { anyStatus: true })).toMatchObject({
      status: 'Failed, wrong address',
    });
    await callPath(url, 'start_mining', { miner_address: address, threads_count: 1 });
    expect(await callPath(url, 'mining_status', {})).toMatchObject({ active: true, address });
    await callPath(url, 'stop_mining', {});
    expect(await callPath(url, 'mining_status', {})).toMatchObject({ active: false, address: '' });
    expect(await callPath(url, 'stop_mining', {}, { anyStatus: true })).toMatchObject({ status: 'Mining never started' });
  });

  it('does not share its folder', async () => {
    await devnet('--block-time', '0');
    const second = nightjar('devnet', '--port', '0', '--data-dir', join(folder, 'chain'), '--empty');
    expect(await second.ended).toBe(1);
    expect(second.lines.join('\n')).toMatch(/no other devnet/);
  });
});

describe('the command line', () => {
  const cases: readonly [readonly string[], RegExp][] = [
    [['frobnicate'], /there is no command "frobnicate"/],
    [['devnet', '--colour', 'red'], /--colour/],
    [['devnet', 'extra'], /extra/],
    [['devnet', '--port'], /--port/],
    [['devnet', '--port', '70000'], /--port wants a whole number from 0 to 65535/],
    [['devnet', '--block-time', '-1'], /--block-time/],
    [['devnet', '--rpc-login', 'someone'], /name:password/],
    [
      ['devnet', '--port', '0', '--data-dir', '/proc/nope/chain'],
      /a folder that can be made and written to, not \/proc\/nope\/chain: ENOENT/,
    ],
    [['daemon'], /which call\?/],
    [['daemon', 'get_info', '{"a"'], /no JSON/],
    [['daemon', 'frobnicate'], /not-offered/],
    [['daemon', 'get_info', '{}', 'more'], /Unexpected argument 'more'/],
  ];
  it.each(cases)('says what is wrong with %j', async (args, expected) => {
    const { ended, lines } = nightjar(...args);
    expect(await ended).toBe(1);
    expect(lines.join('\n')).toMatch(expected);
    expect(lines.join('\n')).not.toMatch(/at .*\.ts:\d+/);
  });

  it('asks a daemon any call, and prints the answer', async () => {
    const devnet = await serveDevnet({ history: { blocks: 3, transactions: 0 } });
    const asked = nightjar('daemon', 'get_block_header_by_height', '{"height": 2}', '--url', devnet.url);
    expect(await asked.ended).toBe(0);
    expect(asked.lines.join('\n')).toContain(`"hash": "${devnet.node.chain.blockAt(2)!.id}"`);
    const refused = nightjar('daemon', 'get_block', '{"height": 9}', '--url', devnet.url);
    expect(await refused.ended).toBe(1);
    expect(refused.lines.join('\n')).toContain('rpc-error: get_block: Requested block height: 9');
    const unreadable = nightjar('daemon', 'get_o_indexes.bin', '{"txid": "zz"}', '--url', devnet.url);
    expect(await unreadable.ended).toBe(1);
    expect(unreadable.lines.join('\n')).toContain('expected txid to be bytes as hex digits');
    const binary = nightjar('daemon', 'get_blocks_by_height.bin', '{"heights": [1]}', '--url', devnet.url);
    expect(await binary.ended).toBe(0);
    expect(binary.lines.join('\n')).toContain(bytesToHex(devnet.node.chain.blockAt(1)!.blob));
    await devnet.stop();
  });

  it('shows its version and its help', async () => {
    const version = nightjar('version');
    expect(await version.ended).toBe(0);
    expect(version.lines[0]).toMatch(/^\d+\.\d+\.\d+$/);
    const help = nightjar('start', '--help');
    expect(await help.ended).toBe(0);
    expect(help.lines.join('\n')).toContain('--daemon <url>');
  });
});

describe('a real monerod behind the gateway', () => {
  let monerod: Monerod;
  const stops: (() => void)[] = [];
  beforeAll(async () => {
    monerod = await startMonerod({ login: 'someone:pass:word' });
  });
  afterAll(async () => {
    for (const stop of stops) stop();
    await monerod?.stop();
  });

  async function gateway(password: string): Promise<string> {
    const upstream = new MonerodUpstream({ url: new URL(monerod.url), login: { name: 'someone', password } });
    const server = createSiteServer({ network: 'regtest', regtest: true, upstream });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(() => {
      server.close();
      server.closeAllConnections();
      upstream.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/daemon`;
  }

  it('logs in once and answers many requests at a time', async () => {
    const url = await gateway('pass:word');
    const answers = await Promise.all(Array.from({ length: 25 }, () => callRpc(url, 'get_info', {})));
    expect(answers.map((answer) => (answer as { nettype: string }).nettype)).toEqual(answers.map(() => 'fakechain'));
  });

  it('says that a wrong password is wrong', async () => {
    const answer = await post(`${await gateway('wrong')}/get_height`, '{}', 'application/json');
    expect(answer.status).toBe(401);
    expect(Buffer.from(answer.body).toString()).toContain('daemon-login');
  });
});
