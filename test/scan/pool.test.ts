import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import { decodePortableStorage, encodePortableStorage, storage } from '../../src/protocol/index.ts';
import { resultOf } from '../../src/scan/columns.ts';
import {
  createInlineScanPool,
  createScanPool,
  nodePort,
  ScanError,
  ScanKernel,
  type ScanPool,
  serveScan,
} from '../../src/scan/index.ts';
import { createNodeScanPool } from '../../src/scan/pool-node.ts';
import { createWebScanPool } from '../../src/scan/pool-web.ts';
import { type WebEndpoint, WORKER_STARTED, webPort } from '../../src/scan/port.ts';
import { TestSampler } from '../support/random-sampler.ts';
import { makeReply, Payee } from './replies.ts';

await loadCrypto();

const payee = new Payee(3, 2);
const reply = (seed: number): ArrayBuffer => makeReply(new TestSampler(seed), payee).slice().buffer;
const open: { close(): unknown }[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const one of open.splice(0)) await one.close();
});

/** A reply of some megabytes: blocks with fields that no scan reads. */
function longReply(seed: number): ArrayBuffer {
  const root = decodePortableStorage(makeReply(new TestSampler(seed), payee, { blocks: 6, txs: 6 }));
  const padding = storage.bytes(new Uint8Array(600_000));
  const blocks = root.getObjects('blocks').map((block) => storage.object({ ...Object.fromEntries(block.entries), padding }));
  return encodePortableStorage(storage.object({ ...Object.fromEntries(root.entries), blocks: storage.objects(blocks)! })).buffer;
}

/** A pool over lines inside this thread. */
function pool(width: number, spawned: MessagePort[] = []): ScanPool {
  const made = createScanPool(() => {
    const { port1, port2 } = new MessageChannel();
    serveScan(nodePort(port2), { force: 'ext' });
    spawned.push(port2);
    open.push(port2);
    return nodePort(port1);
  }, width);
  // Before its ports: it says goodbye over them.
  open.unshift(made);
  return made;
}

/** The pool's end of a worker of the web; the script of a silent one never runs. */
function webWorker(isSilent: boolean, ended: () => void = () => undefined): WebEndpoint {
  const { port1, port2 } = new globalThis.MessageChannel();
  if (!isSilent) {
    const port = webPort(port2);
    serveScan(port, { force: 'ext' });
    port.postMessage(WORKER_STARTED, []);
  }
  const terminate = (): void => {
    ended();
    port2.close();
  };
  return Object.assign(port1, { terminate });
}

const code = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof ScanError ? error.code : String((error as Error).name)),
  );

describe('scan pools', () => {
  it('many scans on two workers give what one after the other gives', async () => {
    const inline = await createInlineScanPool({ force: 'ext' });
    await inline.setAccount(payee.account());
    const two = pool(2);
    await two.setAccount(payee.account());
    const results = await Promise.all([1, 2, 3, 4, 5].map((seed) => two.scan(reply(seed))));
    for (const [i, result] of results.entries()) expect(result).toEqual(await inline.scan(reply(i + 1)));
  });

  it('starts one worker at once, before there is an account, and the others when they are wanted', async () => {
    const spawned: MessagePort[] = [];
    const two = pool(2, spawned);
    expect(spawned.length).toBe(1);
    await two.setAccount(payee.account());
    expect(spawned.length).toBe(1);
    await two.scan(reply(1));
    expect(spawned.length).toBe(1);
    await Promise.all([two.scan(reply(1)), two.scan(reply(2))]);
    expect(spawned.length).toBe(2);
  });

  it('starts all its workers when much is coming', async () => {
    const spawned: MessagePort[] = [];
    const three = pool(3, spawned);
    await three.setAccount(payee.account());
    three.warmUp();
    three.warmUp();
    expect(spawned).toHaveLength(3);
    expect((await three.scan(reply(1))).blocks).toHaveLength(3);
    expect(spawned).toHaveLength(3);
  });

  it('shares one long reply between its workers', async () => {
    const spawned: MessagePort[] = [];
    const two = pool(2, spawned);
    await two.setAccount(payee.account());
    const found = await two.scan(longReply(1));
    expect(spawned).toHaveLength(2);
    const kernel = await ScanKernel.load({ force: 'ext' });
    kernel.setAccount(payee.account());
    expect(found).toEqual(resultOf(kernel.scan(longReply(1)), found.buffer));
    expect(found.outputs.length).toBeGreaterThan(3);
  });

  it('an aborted scan takes nothing from another that waits behind it', async () => {
    const one = pool(1);
    await one.setAccount(payee.account());
    const stop = new AbortController();
    const first = one.scan(longReply(1), stop.signal);
    const second = one.scan(longReply(2));
    await one.setAccount(payee.account());
    stop.abort();
    expect(await code(first)).toBe('AbortError');
    expect((await second).blocks).toHaveLength(6);
  });

  it('gives the reply back as it was', async () => {
    const one = pool(1);
    await one.setAccount(payee.account());
    const buffer = reply(1);
    const before = buffer.slice(0);
    expect((await one.scan(buffer)).buffer).toBe(buffer);
    expect(buffer).toEqual(before);
  });

  it('an error of one scan is its own', async () => {
    const one = pool(1);
    await one.setAccount(payee.account());
    const broken = one.scan(new ArrayBuffer(10));
    const good = one.scan(reply(2));
    expect(await code(broken)).toBe('bad-storage');
    expect((await good).blocks).toHaveLength(3);
  });

  it('a new account holds for scans started later, on every worker', async () => {
    const two = pool(2);
    await two.setAccount(payee.account());
    const found = async () => (await Promise.all([two.scan(reply(1)), two.scan(reply(1))])).map(({ outputs }) => outputs.length);
    const mine = await found();
    expect(mine[0]).toBeGreaterThan(0);
    expect(mine[0]).toBe(mine[1]);
    await two.setAccount(new Payee(4, 2).account());
    expect(await found()).toEqual([0, 0]);
  });

  it('an aborted scan ends its worker, and another takes its place', async () => {
    const spawned: MessagePort[] = [];
    const one = pool(1, spawned);
    await one.setAccount(payee.account());
    const stop = new AbortController();
    const scanning = one.scan(reply(1), stop.signal);
    await one.setAccount(payee.account());
    stop.abort();
    expect(await code(scanning)).toBe('AbortError');
    expect((await one.scan(reply(1))).blocks).toHaveLength(3);
    expect(spawned).toHaveLength(2);
    expect(await code(one.scan(reply(1), AbortSignal.abort()))).toBe('AbortError');
  });

  it('a worker with nothing to do is let go, and another takes its place', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const spawned: MessagePort[] = [];
    const one = pool(1, spawned);
    await one.setAccount(payee.account());
    await one.scan(reply(1));
    const ended = new Promise<void>((resolve) => spawned[0]!.on('close', resolve));
    vi.advanceTimersByTime(59_000);
    await one.scan(reply(1));
    expect(spawned).toHaveLength(1);
    vi.advanceTimersByTime(61_000);
    await ended;
    expect((await one.scan(reply(1))).blocks).toHaveLength(3);
    expect(spawned).toHaveLength(2);
  });

  it('a pool that never got an account ends its worker with itself', async () => {
    const spawned: MessagePort[] = [];
    const one = pool(1, spawned);
    const ended = new Promise<void>((resolve) => spawned[0]!.on('close', resolve));
    await one.close();
    await ended;
    expect(spawned).toHaveLength(1);
  });

  it('needs an account, and is closed once closed', async () => {
    const one = pool(1);
    expect(await code(one.scan(reply(1)))).toBe('no-account');
    await one.setAccount(payee.account());
    await one.scan(reply(1));
    await one.close();
    expect(await code(one.scan(reply(1)))).toBe('closed');
  });

  it('a worker of the web whose script never runs is ended, and another takes its place', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const silent = [true, true, false];
    const ended: number[] = [];
    const one = createWebScanPool(() => webWorker(silent.shift() ?? true, () => ended.push(silent.length)), 1);
    open.unshift(one);
    await one.setAccount(payee.account());
    vi.advanceTimersByTime(20_000);
    vi.advanceTimersByTime(20_000);
    expect((await one.scan(reply(1))).blocks).toHaveLength(3);
    expect(ended).toEqual([2, 1]);
    vi.advanceTimersByTime(40_000);
    expect((await one.scan(reply(1))).blocks).toHaveLength(3);
  });

  it('of workers of the web none of which runs, three are started, and the scan fails', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let started = 0;
    const one = createWebScanPool(() => {
      started++;
      return webWorker(true);
    }, 1);
    await one.setAccount(payee.account());
    const failed = code(one.scan(reply(1)));
    // The scan asks for a worker of its own once the first could not be had; it is as silent.
    for (let tries = 0; tries < 6; tries++) await vi.advanceTimersByTimeAsync(20_000);
    expect(await failed).toBe('worker-failed');
    expect(started).toBe(6);
    await one.close();
  });

  it('runs on threads of Node', async () => {
    const threads = createNodeScanPool(2);
    open.push(threads);
    await threads.setAccount(payee.account());
    const [a, b] = await Promise.all([threads.scan(reply(1)), threads.scan(reply(2))]);
    expect(a.outputs.length + b.outputs.length).toBeGreaterThan(0);
  });
});
