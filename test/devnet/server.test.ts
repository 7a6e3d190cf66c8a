import { type IncomingHttpHeaders, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JsonObject, parseJson } from '../../src/base/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const FRIEND = 'https://wallet.example';
let devnet: ServedDevnet;

function call(path: string, body: string, headers: Readonly<Record<string, string>> = {}, method = 'POST'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = { method, agent: false, headers: { 'Content-Type': 'application/json', ...headers } };
    const outgoing = request(`${devnet.url}${path}`, options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.once('error', reject);
      incoming.once('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text: Buffer.concat(chunks).toString() }),
      );
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

const RPC = '{"jsonrpc":"2.0","id":"0","method":"get_info"}';

describe('T15 the devnet alone, on loopback', () => {
  beforeAll(async () => {
    devnet = await serveDevnet({ history: { blocks: 85, transactions: 0 }, origins: [FRIEND] });
  });
  afterAll(() => devnet.stop());

  it('answers programs, which send no Origin', async () => {
    const reply = await call('/json_rpc', RPC);
    expect(reply.status).toBe(200);
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('refuses pages of other origins and foreign names, whatever they ask', async () => {
    const { height } = devnet.node.chain;
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Host: 'evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ]) {
      for (const [path, body] of [
        ['/json_rpc', RPC],
        ['/pop_blocks', '{"nblocks":5}'],
        ['/faucet', '{}'],
      ] as const) {
        const reply = await call(path, body, headers);
        expect([reply.status, reply.text]).toEqual([403, '']);
      }
    }
    expect(devnet.node.chain.height).toBe(height);
  });

  it('answers a page that it was told to allow, and tells the browser so', async () => {
    const preflight = await call('/json_rpc', '', { Origin: FRIEND }, 'OPTIONS');
    expect(preflight).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': FRIEND } });
    expect(preflight.headers['access-control-allow-headers']).toContain('Authorization');
    const reply = await call('/json_rpc', RPC, { Origin: FRIEND });
    expect(reply).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': FRIEND, vary: 'Origin' } });
    // The reference says it to a preflight alone.
    expect(reply.headers['access-control-allow-headers']).toBeUndefined();
  });

  it('refuses bodies above a megabyte', async () => {
    expect((await call('/json_rpc', ' '.repeat(1_048_577))).status).toBe(413);
    expect((await call('/json_rpc', RPC.padEnd(1_048_576))).status).toBe(200);
  });

  it('reads headers of 95,000 bytes, says no type of nothing, and ends the connection after an error of its own, as monerod does', async () => {
    expect((await call('/json_rpc', RPC, { 'X-Long': 'x'.repeat(95_000) })).status).toBe(200);
    expect((await call('/json_rpc', '', {}, 'OPTIONS')).headers['content-type']).toBeUndefined();
    const aborted = await call('/json_rpc', '{"method":5}', { Connection: 'keep-alive' });
    expect([aborted.status, aborted.headers.connection]).toEqual([500, 'close']);
    expect((await call('/json_rpc', RPC, { Connection: 'keep-alive' })).headers.connection).toBe('keep-alive');
  });

  it('has a faucet that wants JSON and an address', async () => {
    const plain = await call('/faucet', '{}', { 'Content-Type': 'text/plain' });
    expect(plain).toMatchObject({ status: 415, text: 'expected a POST with Content-Type: application/json\n' });
    expect((await call('/faucet', '', {}, 'GET')).status).toBe(415);
    expect((await call('/faucet', 'x')).status).toBe(400);
    const refused = parseJson((await call('/faucet', '{"address":"4"}')).text) as JsonObject;
    expect(refused.status).toMatch(/^expected an address/);
    const given = parseJson((await call('/faucet', `{"address":"${devnet.minerWallet.address}"}`)).text) as JsonObject;
    expect(given.status).toBe('OK');
    expect(devnet.node.pool.visible.map((entry) => entry.id)).toEqual([given.tx_hash]);
  });

  it('gives different coins to requests that come at once, until there are none', async () => {
    devnet.node.pool.clear();
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => call('/faucet', `{"address":"${devnet.minerWallet.address}"}`)),
    );
    const given = replies.map((reply) => parseJson(reply.text) as JsonObject).filter((reply) => reply.status === 'OK');
    expect(given.length).toBeGreaterThan(10);
    expect(given.length).toBeLessThan(30);
    expect(new Set(given.map((reply) => reply.tx_hash)).size).toBe(given.length);
    const { transactions } = devnet.node.mine(devnet.minerWallet);
    expect(transactions).toHaveLength(given.length);
  });
});
