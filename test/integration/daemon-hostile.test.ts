import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DaemonClient, type DaemonErrorCode, isDaemonError } from '../../src/daemon/index.ts';
import * as limits from '../../src/daemon/limits.ts';
import { type StorageEntry, StorageObject, type TxHash } from '../../src/protocol/index.ts';
import {
  announce,
  changeBytes,
  changeJson,
  changeStorage,
  cutShort,
  drip,
  drop,
  type HostileProxy,
  hang,
  httpStatus,
  type Lie,
  oversize,
  startHostileProxy,
  truncate,
} from '../support/hostile.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';

/** Node's fetch hands bodies over in pieces of at most this many bytes. */
const CHUNK = 64 * 1024;

const ADDRESS = '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';

let monerod: Monerod;
let proxy: HostileProxy;

beforeAll(async () => {
  monerod = await startMonerod();
  await monerod.generateBlocks(20, ADDRESS);
  proxy = await startHostileProxy(monerod.url);
});

afterAll(async () => {
  await proxy?.stop();
  await monerod?.stop();
});

afterEach(() => proxy.honest());

const client = (limits = {}, attempts = 1, fetch?: typeof globalThis.fetch) =>
  DaemonClient.connect({
    url: proxy.url,
    retry: { attempts, firstPause: 5, longestPause: 20 },
    limits: { firstByte: 20_000, idle: 20_000, grace: 20_000, minRate: 1024, ...limits },
    ...(fetch && { fetch }),
  });

/** A fetch that counts the bytes of bodies as they are read: what the system holds in its buffers is not the client's. */
const countingFetch =
  (read: { bytes: number }): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    const counter = new TransformStream<Uint8Array, Uint8Array>(
      {
        transform(chunk, to) {
          read.bytes += chunk.length;
          to.enqueue(chunk);
        },
      },
      { highWaterMark: 1 },
      { highWaterMark: 0 },
    );
    return new Response(response.body?.pipeThrough(counter), response);
  };

/** Every call of the client, how it is named to the proxy, and the most bytes of its answer. */
const calls: readonly (readonly [call: string, ask: (daemon: DaemonClient) => Promise<unknown>, cap: number])[] = [
  ['/get_height', (daemon) => daemon.getHeight(), limits.SMALL],
  ['get_info', (daemon) => daemon.getInfo(), limits.SMALL],
  ['get_version', (daemon) => daemon.getVersion(), limits.SMALL],
  ['/get_blocks.bin', (daemon) => daemon.getBlocks({ startHeight: 1, prune: true }), limits.BLOCKS_REPLY.bytes],
  ['/get_blocks_by_height.bin', (daemon) => daemon.getBlocksByHeight([1, 2]), limits.BLOCKS_BY_HEIGHT],
  ['getblockheaderbyheight', (daemon) => daemon.getBlockHeaderByHeight(3), limits.SMALL],
  ['getblockheadersrange', (daemon) => daemon.getBlockHeadersRange(1, 4), limits.HEADERS],
  ['/get_outs.bin', (daemon) => daemon.getOuts([{ amount: 0n, index: 1n }]), limits.OUTS],
  [
    '/get_output_distribution.bin',
    (daemon) => daemon.getOutputDistribution({ amount: 0n, cumulative: true }),
    limits.DISTRIBUTION,
  ],
  ['get_output_histogram', (daemon) => daemon.getOutputHistogram({ amounts: [0n] }), limits.HISTOGRAM],
  ['get_fee_estimate', (daemon) => daemon.getFeeEstimate(), limits.SMALL],
  ['get_txpool_backlog', (daemon) => daemon.getTxPoolBacklog(), limits.BACKLOG],
  ['/get_transaction_pool_hashes', (daemon) => daemon.getPoolHashes(), limits.POOL_HASHES],
  ['/get_transactions', (daemon) => daemon.getTransactions(['ab'.repeat(32) as TxHash], { prune: true }), limits.TRANSACTIONS],
  ['/send_raw_transaction', (daemon) => daemon.sendRawTransaction('00'), limits.SMALL],
];

async function codeOf(promise: Promise<unknown>): Promise<DaemonErrorCode | 'no error' | undefined> {
  return promise.then(
    () => 'no error' as const,
    (error: { code?: DaemonErrorCode }) => error.code,
  );
}

describe('T6 malformed bytes: every call', () => {
  const lies: readonly { what: string; how: Lie; code: DaemonErrorCode; limits?: object }[] = [
    { what: 'whose connection is cut', how: drop, code: 'unreachable' },
    { what: 'whose body is cut', how: truncate(10), code: 'unreachable' },
    { what: 'whose answer is half', how: cutShort(30), code: 'malformed' },
    { what: 'whose answer is empty', how: cutShort(0), code: 'malformed' },
    { what: 'whose answer is noise', how: changeBytes((body) => body.map((byte, n) => byte ^ (n % 251))), code: 'malformed' },
    { what: 'answered 500', how: httpStatus(500), code: 'http-status' },
    { what: 'announced too large', how: announce(2 ** 40), code: 'too-large' },
    { what: 'that is never answered', how: hang, code: 'timeout', limits: { firstByte: 50 } },
    { what: 'whose answer drips', how: drip(5), code: 'timeout', limits: { grace: 60 } },
    { what: 'whose answer stops', how: announce(100_000), code: 'timeout', limits: { idle: 60 } },
  ];

  it.each(lies)('$what fails with a named error', async ({ how, code, limits }) => {
    proxy.lie('*', how);
    const daemon = client(limits);
    for (const [call, ask] of calls) expect(await codeOf(ask(daemon)), call).toBe(code);
  });

  it('that answers without end is given up at its cap', async () => {
    for (const [call, ask, cap] of calls) {
      const read = { bytes: 0 };
      let takeBack = () => {};
      const closed = new Promise<void>((resolve) => {
        takeBack = proxy.lie(call, oversize(resolve));
      });
      expect(await codeOf(ask(client({}, 1, countingFetch(read)))), call).toMatch(/^(too-large|malformed)$/);
      expect(read.bytes, call).toBeLessThan(cap + 2 * CHUNK);
      await closed;
      takeBack();
    }
  });

  it('with a byte changed anywhere gives an answer or a named error', async () => {
    const daemon = client();
    for (const [call, ask] of calls) {
      for (let n = 0; n < 12; n++) {
        const takeBack = proxy.lie(
          call,
          changeBytes((body) => body.with((n * 7919) % body.length, (n * 37 + 128) & 0xff)),
        );
        const code = await codeOf(ask(daemon));
        expect(code, `${call} ${n}`).toMatch(/^(no error|malformed|busy|rpc-error|too-large|bad-\w+)$/);
        takeBack();
      }
    }
  });
});

describe('T6 malformed bytes: a blocks reply', () => {
  const ask = () => client().getBlocks({ startHeight: 1, prune: true });

  it('of more blocks or transactions than it may hold is given up before its end', async () => {
    const withObjects = (root: Map<string, StorageEntry>, name: string, change: (first: StorageObject) => StorageObject[]) => {
      const entry = root.get(name);
      if (entry?.type !== 'array' || entry.value.of !== 'object') throw new Error(`expected ${name}`);
      root.set(name, { type: 'array', value: { of: 'object', items: change(entry.value.items[0]!) } });
    };
    const blocks = (count: number, indices = count) =>
      changeStorage((root) => {
        withObjects(root, 'blocks', (block) => Array(count).fill(block));
        withObjects(root, 'output_indices', (of) => Array(indices).fill(of));
      });
    const transactions = (count: number) =>
      changeStorage((root) => {
        withObjects(root, 'blocks', ({ entries }) => {
          const items: Uint8Array[] = Array(count).fill(new Uint8Array(1));
          return [new StorageObject(new Map([...entries, ['txs', { type: 'array', value: { of: 'string', items } }]]))];
        });
      });
    proxy.lie('/get_blocks.bin', blocks(1_001));
    expect(await codeOf(ask())).toBe('too-large');
    // As many as may be, but more than the chain has.
    proxy.lie('/get_blocks.bin', blocks(1_000));
    expect(await codeOf(ask())).toBe('bad-chain');
    proxy.lie('/get_blocks.bin', blocks(1_000, 999));
    expect(await codeOf(ask())).toBe('malformed');
    proxy.lie('/get_blocks.bin', transactions(40_000));
    expect(await codeOf(ask())).toBe('too-large');
  });

  it('without a status, or with one that is not OK, is refused', async () => {
    proxy.lie(
      '/get_blocks.bin',
      changeStorage((root) => root.delete('status')),
    );
    expect(await codeOf(ask())).toBe('malformed');
    const text = (status: string) =>
      changeStorage((root) => root.set('status', { type: 'string', value: new TextEncoder().encode(status) }));
    proxy.lie('/get_blocks.bin', text('PAYMENT REQUIRED'));
    expect(await codeOf(ask())).toBe('payment-required');
    proxy.lie('/get_blocks.bin', text('Failed'));
    expect(await codeOf(ask())).toBe('bad-status');
    proxy.lie('/get_blocks.bin', text('BUSY'));
    expect(await codeOf(ask())).toBe('busy');
  });
});

describe('a daemon that goes away and comes back', () => {
  it('is asked again, a few times, and a transaction never twice', async () => {
    proxy.lie('/get_height', drop, 2);
    const before = proxy.asked.length;
    expect((await client({}, 4).getHeight()).check(({ height }) => height)).toBe(21);
    expect(proxy.asked.length - before).toBe(3);
    proxy.lie(
      'get_info',
      changeJson((result) => ({ ...result, status: 'BUSY' })),
      1,
    );
    expect((await client({}, 2).getInfo()).check(({ height }) => height)).toBe(21);
    proxy.lie('/send_raw_transaction', drop);
    const sent = proxy.asked.length;
    expect(await codeOf(client({}, 4).sendRawTransaction('00'))).toBe('unreachable');
    expect(proxy.asked.length - sent).toBe(1);
    proxy.lie(
      'get_version',
      changeBytes((body) => body.subarray(5)),
    );
    const wrong = proxy.asked.length;
    expect(await codeOf(client({}, 4).getVersion())).toBe('malformed');
    expect(proxy.asked.length - wrong).toBe(1);
  });

  it('is unreachable while it is away and answers afterwards', async () => {
    const refused = () =>
      client({}, 2)
        .getHeight()
        .catch((error: unknown) => isDaemonError(error) && error.data.refused);
    await proxy.goAway();
    expect(await codeOf(client({}, 2).getHeight())).toBe('unreachable');
    expect(await refused(), 'nothing can have left').toBe(true);
    await proxy.comeBack();
    proxy.lie('/get_height', drop, 2);
    expect(await refused(), 'it may have read what it was asked').toBeUndefined();
    expect(await codeOf(client().getHeight())).toBe('no error');
  });

  it('is let go at once when the call is aborted, while asking and while pausing', async () => {
    for (const [how, attempts] of [
      [hang, 1],
      [drip(20), 1],
      [drop, 50],
    ] as const) {
      proxy.lie('*', how);
      const abort = new AbortController();
      const started = performance.now();
      setTimeout(() => abort.abort(), 30);
      expect(await codeOf(client({}, attempts).getInfo({ signal: abort.signal }))).toBe('aborted');
      expect(performance.now() - started).toBeLessThan(2_000);
    }
    expect(await codeOf(client().getInfo({ signal: AbortSignal.abort() }))).toBe('aborted');
  });
});
