import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { systemRandom } from '../../src/crypto/index.ts';
import { DaemonClient } from '../../src/daemon/index.ts';
import { decodePortableStorage, storage } from '../../src/protocol/index.ts';
import { type KeyImage, toAtomicAmount } from '../../src/protocol/model.ts';
import { RpcService } from '../../src/rpc/service.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import type { HistoryEntry, PreparedTransfer } from '../../src/wallet/api.ts';
import { type NewWallet, newWallet } from '../../src/wallet/create-wallet.ts';
import { environment } from '../../src/wallet/environment.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { floodedPool, omitTransaction, otherNonce, otherVersion, poolOf, withoutFirst } from '../support/block-lies.ts';
import {
  changeJson,
  changeObjects,
  changeStorage,
  cutShort,
  drip,
  drop,
  type HostileProxy,
  hang,
  httpStatus,
  type Lie,
  loseAnswer,
  oversize,
  startHostileProxy,
  truncate,
} from '../support/hostile.ts';
import { inside } from '../support/inside.ts';
import { type Monerod, startMonerod } from '../support/programs.ts';
import { ourAnswer } from '../support/rpc-both.ts';
import { oneWalletHost } from '../support/rpc-host.ts';
import { type Ledger, ledgerOfOurs, refreshToTip } from '../support/two-wallets.ts';

// A lying daemon in front of a whole wallet that syncs and spends: monerod behind a proxy. Each lie has its name, leaves the
// wallet with what it had, and sends nothing; an honest daemon afterwards gives what it always would have.

const OTHER = '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';
const REFUSAL = '{"status":"Failed","reason":"double spend","double_spend":true}';
const MOST_BLOCKS_TO_WAIT = 40;
const PATIENT = 20_000;
const IMPATIENT = 1_000;

let monerod: Monerod;
let proxy: HostileProxy;
let made: NewWallet;
/** Synced, with coins to spend. */
let rich: Wallet;
let truth: Ledger;
let count = 0;

const env = (patience = PATIENT) =>
  environment({
    store: new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } }),
    scanPool: createInlineScanPool,
    sync: { pollEvery: 600_000, retryFirst: 600_000, retryMost: 600_000 },
    connect: ({ url }) =>
      DaemonClient.connect({
        url,
        retry: { attempts: 1, firstPause: 5, longestPause: 20 },
        limits: { firstByte: patience, idle: patience, grace: patience, minRate: 1024 },
      }),
  });

const fresh = (patience?: number): Promise<Wallet> => Wallet.create(env(patience), `wallet ${++count}`, 'pw', made);
const tip = () => monerod.height();
const connect = (wallet: Wallet) => wallet.setDaemon({ url: proxy.url, trusted: false });
const sends = () => proxy.asked.filter(({ path }) => path === '/send_raw_transaction').length;

beforeAll(async () => {
  monerod = await startMonerod();
  proxy = await startHostileProxy(monerod.url);
  made = await newWallet(systemRandom, { network: 'regtest', from: { height: 0 }, now: 0 });
  rich = await fresh();
  const { primaryAddress } = await rich.view();
  await monerod.generateBlocks(6, primaryAddress);
  for (let i = 0; i < 4; i++) await monerod.generateBlocks(28, OTHER);
  await connect(rich);
  await refreshToTip(rich, await tip());
  const [txHash] = await rich.payments.send((await pay()).id);
  await mined(txHash!);
  await monerod.generateBlocks(12, OTHER);
  await refreshToTip(rich, await tip());
  truth = await ledgerOfOurs(rich);
});

afterAll(async () => {
  await rich?.close();
  await proxy?.stop();
  await monerod?.stop();
});

afterEach(() => proxy.honest());

/** Blocks until one has this transaction of ours: a daemon may keep it back for a while, as if it came from elsewhere (Dandelion++). */
async function mined(txHash: string): Promise<HistoryEntry> {
  for (let block = 0; block < MOST_BLOCKS_TO_WAIT; block++) {
    await monerod.generateBlocks(1, OTHER);
    await refreshToTip(rich, await tip());
    const entry = (await rich.history()).find((found) => found.txHash === txHash);
    if (entry?.height !== undefined) return entry;
  }
  throw new Error(`expected ${txHash} in one of ${MOST_BLOCKS_TO_WAIT} blocks`);
}

/** Sends what fails with a code; what the failure tells. */
async function failedToSend(id: string, code: string): Promise<{ readonly txHash: string }> {
  const failure = await rich.payments.send(id).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code });
  return (failure as { readonly data: { readonly txHash: string } }).data;
}

/** Also from connections that were kept: what is sent on one of them while it ends may have been read. */
async function goAway(): Promise<void> {
  await proxy.goAway();
  await fetch(proxy.url).catch(() => undefined);
}

function pay(acceptHighFee = false): Promise<PreparedTransfer> {
  const destinations = [{ address: OTHER, amount: toAtomicAmount(1_000_000_000_000n) }];
  return rich.payments.prepareTransfer({ destinations, account: 0, priority: 1, acceptHighFee });
}

/** The same payment, asked of the service. */
const transfer = () =>
  ourAnswer(new RpcService(oneWalletHost(rich)), 'transfer', { destinations: [{ address: OTHER, amount: 1_000_000_000_000n }] });

describe('a wallet that syncs from a daemon which', () => {
  it('T6 has more in its pool than a reply may hold asks for the pool apart', async () => {
    const wallet = await fresh();
    proxy.lie('/get_blocks.bin', floodedPool);
    const before = proxy.asked.length;
    await connect(wallet);
    await refreshToTip(wallet, await tip());
    expect(proxy.asked.slice(before).map(({ path }) => path)).toContain('/get_transaction_pool_hashes');
    proxy.honest();
    await wallet.close();
  });

  it('leaves out what later releases leave out, and gives no whole pool, is followed all the same', async () => {
    const wallet = await fresh();
    const trusting = changeJson(({ untrusted: _, ...rest }) => rest);
    for (const call of ['get_info', '/get_height', '/get_transactions', '/get_transaction_pool_hashes'])
      proxy.lie(call, trusting);
    proxy.lie(
      '/get_blocks.bin',
      changeStorage((fields) => {
        for (const name of ['untrusted', 'credits', 'top_hash']) fields.delete(name);
      }),
    );
    proxy.lie('/get_transaction_pool', httpStatus(403));
    await connect(wallet);
    await refreshToTip(wallet, await tip());
    const { outputs, accounts } = await ledgerOfOurs(wallet);
    expect({ outputs, accounts }).toEqual({ outputs: truth.outputs, accounts: truth.accounts });
    expect(proxy.asked.map(({ path }) => path)).not.toContain('/get_transaction_pool');
    proxy.honest();
    await wallet.close();
  });

  const lies: readonly { what: string; call: string; how: Lie; code: RegExp; phase?: string; patience?: number }[] = [
    { what: 'T6 cuts the connection', call: '/get_blocks.bin', how: drop, code: /^unreachable$/ },
    { what: 'T6 breaks off inside a reply', call: '/get_blocks.bin', how: truncate(5_000), code: /^unreachable$/ },
    { what: 'T6 truncates a reply', call: '/get_blocks.bin', how: cutShort(5_000), code: /^malformed$/ },
    { what: 'T6 never ends a reply', call: '/get_blocks.bin', how: oversize(), code: /^(too-large|malformed)$/ },
    { what: 'T6 never answers', call: '/get_blocks.bin', how: hang, code: /^timeout$/, patience: IMPATIENT },
    { what: 'T6 drips byte after byte', call: '/get_blocks.bin', how: drip(20), code: /^timeout$/, patience: IMPATIENT },
    { what: 'T6 fails', call: '*', how: httpStatus(500), code: /^http-status$/ },
    { what: 'T5 omits a transaction', call: '/get_blocks.bin', how: omitTransaction(false), code: /^count-mismatch$/ },
    {
      what: 'T5 omits a transaction and its id',
      call: '/get_blocks.bin',
      how: omitTransaction(true),
      code: /^(broken-chain|count-mismatch)$/,
    },
    { what: 'T5 omits a block', call: '/get_blocks.bin', how: withoutFirst, code: /^(bad-chain|broken-chain|height-mismatch)$/ },
    { what: 'T5 gives a block that hashes to another id', call: '/get_blocks.bin', how: otherNonce, code: /^broken-chain$/ },
    { what: 'T5 is of a later era', call: '/get_blocks.bin', how: otherVersion, code: /^unknown-era$/, phase: 'stopped' },
    {
      what: 'T6 tells twice of a transaction in its pool',
      call: '/get_blocks.bin',
      how: poolOf(['a', 'a'], 2),
      code: /^bad-pool$/,
    },
    {
      what: 'T6 tells changes of a pool it was not asked for',
      call: '/get_blocks.bin',
      how: poolOf(['a'], 1),
      code: /^bad-pool$/,
    },
    {
      what: 'is of another network',
      call: 'get_info',
      how: changeJson((info) => ({ ...info, nettype: 'mainnet' })),
      code: /^wrong-network$/,
    },
  ];

  it.each(lies)('$what is named, and nothing is lost', async ({ call, how, code, phase, patience }) => {
    const wallet = await fresh(patience);
    proxy.lie(call, how);
    await connect(wallet);
    await wallet.refresh();
    const { sync, balance } = await wallet.view();
    expect(sync.error?.code).toMatch(code);
    expect(sync.phase).toBe(phase ?? 'offline');
    expect(sync.height).toBeLessThan(await tip());
    expect(balance.incoming).toBe(0n);
    proxy.honest();
    await connect(wallet);
    await refreshToTip(wallet, await tip());
    const { outputs, accounts } = await ledgerOfOurs(wallet);
    expect({ outputs, accounts }).toEqual({ outputs: truth.outputs, accounts: truth.accounts });
    await wallet.close();
  });
});

/** Positions of our own outputs in a request for ring members. */
function oursIn(body: Uint8Array, own: ReadonlySet<bigint>): ReadonlySet<number> {
  const asked = decodePortableStorage(body).getObjects('outputs');
  return new Set(asked.flatMap((output, position) => (own.has(output.getU64('index')) ? [position] : [])));
}

type Out = Map<string, storage.StorageEntry>;
const byteField = (out: Out, name: string): Uint8Array => {
  const entry = out.get(name);
  if (entry?.type !== 'string') throw new Error(`expected ${name} to be bytes`);
  return entry.value;
};

/** Changes the answers about our own outputs, or about the others. */
const changeOuts =
  (which: 'ours' | 'decoys', change: (out: Out) => void): Lie =>
  async (asked, forward, response) => {
    const own = oursIn(asked.body, new Set((await rich.outputs()).map(({ globalIndex }) => globalIndex)));
    const lie = changeStorage((fields) =>
      changeObjects(fields, 'outs', (out, position) => {
        if (own.has(position) === (which === 'ours')) change(out);
      }),
    );
    await lie(asked, forward, response);
  };

const fewerOuts = changeStorage((fields) => {
  const entry = fields.get('outs');
  if (entry?.type !== 'array' || entry.value.of !== 'object') throw new Error('expected outs');
  fields.set('outs', { type: 'array', value: { of: 'object', items: entry.value.items.slice(1) } });
});

/** The daemon's counts of outputs by block, as it writes them, changed. */
const changeCounts = (change: (counts: bigint[]) => bigint[]): Lie =>
  changeStorage((fields) =>
    changeObjects(fields, 'distributions', (item) => {
      const { length } = [...decompressed(byteField(item, 'compressed_data'))];
      const counts = change(decompressed(byteField(item, 'compressed_data')).slice(0, length));
      item.set('compress', storage.bool(false));
      item.set('distribution', storage.packedU64s(counts)!);
      item.delete('compressed_data');
    }),
  );

function decompressed(bytes: Uint8Array): bigint[] {
  const counts: bigint[] = [];
  let value = 0n;
  let shift = 0n;
  for (const byte of bytes) {
    value |= BigInt(byte & 0x7f) << shift;
    shift += 7n;
    if (byte >= 0x80) continue;
    counts.push(value);
    [value, shift] = [0n, 0n];
  }
  return counts;
}

const multiplyFees = (factor: bigint): Lie =>
  changeJson((result) => ({
    ...result,
    fee: BigInt(result.fee as number) * factor,
    fees: (result.fees as number[]).map((fee) => BigInt(fee) * factor),
  }));

describe('a wallet that pays through a daemon which', () => {
  const outs = '/get_outs.bin';
  const distribution = '/get_output_distribution.bin';
  const lies: readonly { what: string; call: string; how: Lie; code: RegExp }[] = [
    { what: 'T1 names a fee without measure', call: 'get_fee_estimate', how: multiplyFees(1_000_000n), code: /^fee-too-high$/ },
    {
      what: 'T1 names a fee past 64 bits',
      call: 'get_fee_estimate',
      how: multiplyFees(2n ** 60n),
      code: /^(malformed|fee-too-high)$/,
    },
    {
      what: 'T1 rounds fees up without measure',
      call: 'get_fee_estimate',
      how: changeJson((result) => ({ ...result, quantization_mask: 10n ** 12n })),
      code: /^bad-fee$/,
    },
    {
      what: 'T2 gives our output another key',
      call: outs,
      how: changeOuts('ours', (out) => out.set('key', storage.bytes(byteField(out, 'mask')))),
      code: /^daemon-altered-output$/,
    },
    {
      what: 'T2 gives our output another commitment',
      call: outs,
      how: changeOuts('ours', (out) => out.set('mask', storage.bytes(byteField(out, 'key')))),
      code: /^daemon-altered-output$/,
    },
    {
      what: 'T2 calls our output locked',
      call: outs,
      how: changeOuts('ours', (out) => out.set('unlocked', storage.bool(false))),
      code: /^(output-not-spendable|bad-ring-member)$/,
    },
    {
      what: 'T2 gives decoys that are no points',
      call: outs,
      how: changeOuts('decoys', (out) => out.set('key', storage.bytes(new Uint8Array(32).fill(0xff)))),
      code: /^bad-ring-member$/,
    },
    {
      what: 'T2 gives one decoy many times',
      call: outs,
      how: changeOuts('decoys', (out) => out.set('key', storage.bytes(new Uint8Array(32).fill(0x66).fill(0x58, 0, 1)))),
      code: /^(bad-ring-member|decoys-unavailable)$/,
    },
    {
      what: 'T2 calls decoys locked',
      call: outs,
      how: changeOuts('decoys', (out) => out.set('unlocked', storage.bool(false))),
      code: /^(decoys-unavailable|bad-ring-member)$/,
    },
    { what: 'T2 gives fewer outputs than asked for', call: outs, how: fewerOuts, code: /^bad-outs$/ },
    {
      what: 'T4 ends its distribution early',
      call: distribution,
      how: changeCounts((counts) => counts.slice(0, -60)),
      code: /^bad-distribution$/,
    },
    {
      what: 'T4 goes on beyond the tip',
      call: distribution,
      how: changeCounts((counts) => [...counts, ...Array(60).fill(1n)]),
      code: /^bad-distribution$/,
    },
    {
      what: 'T4 has a distribution of nothing',
      call: distribution,
      how: changeCounts((counts) => counts.map(() => 0n)),
      code: /^(bad-distribution|decoys-unavailable)$/,
    },
    {
      what: 'T4 counts past any chain',
      call: distribution,
      how: changeCounts((counts) => counts.map(() => 2n ** 52n)),
      code: /^(malformed|bad-distribution)$/,
    },
    { what: 'T6 truncates the ring', call: outs, how: cutShort(200), code: /^malformed$/ },
    { what: 'T6 breaks off inside the ring', call: outs, how: truncate(200), code: /^unreachable$/ },
    { what: 'T6 never ends the ring', call: outs, how: oversize(), code: /^(too-large|malformed)$/ },
    { what: 'T6 never ends the distribution', call: distribution, how: oversize(), code: /^(too-large|malformed)$/ },
    { what: 'T6 cuts the connection', call: '*', how: drop, code: /^unreachable$/ },
  ];

  it.each(lies)('$what is named, and nothing is sent', async ({ call, how, code }) => {
    const before = sends();
    proxy.lie(call, how);
    await expect(pay()).rejects.toMatchObject({ code: expect.stringMatching(code) as string });
    expect(sends()).toBe(before);
    expect(await ledgerOfOurs(rich)).toEqual(truth);
  });

  it('T3 fails after the ring was chosen: the next try has the same ring, and a refusal frees what it held', async () => {
    const { keyImage } = (await rich.outputs()).find(({ hold }) => hold === undefined)!;
    const sweep = () => rich.payments.prepareSweep({ address: OTHER, account: 0, keyImage: keyImage!, priority: 1 });
    const ring = () => inside(rich).state.rings.get(keyImage as KeyImage)!;
    const asked = () => proxy.asked.filter(({ path }) => path === outs).map(({ body }) => bytesToHex(body));
    const before = asked().length;
    proxy.lie(outs, drop);
    await expect(sweep()).rejects.toMatchObject({ code: 'unreachable' });
    const chosen = ring();
    expect(chosen.members).toEqual([]);
    proxy.honest();
    const prepared = await sweep();
    expect(ring().asked).toEqual(chosen.asked);
    expect(ring().members.filter((member) => chosen.asked!.includes(member))).toHaveLength(16);
    await sweep();
    expect(new Set(asked().slice(before)).size, 'requests that differ').toBe(1);
    proxy.lie('/send_raw_transaction', (_asked, _forward, response) => void response.end(REFUSAL));
    await expect(rich.payments.send(prepared.id)).rejects.toMatchObject({ code: 'rejected' });
    expect((await ledgerOfOurs(rich)).accounts).toEqual(truth.accounts);
    expect((await rich.outputs()).find((output) => output.keyImage === keyImage)?.hold).toBeUndefined();
  });

  it.each([
    { what: 'is gone', code: 'unreachable', away: goAway, back: () => proxy.comeBack() },
    {
      what: 'turns it away unread',
      code: 'http-status',
      away: () => proxy.lie('/send_raw_transaction', httpStatus(403)),
      back: () => proxy.honest(),
    },
  ])('T16 $what when a payment is to leave: nothing has, and nothing is held', async ({ code, away, back }) => {
    const prepared = await pay();
    await away();
    await failedToSend(prepared.id, code);
    await back();
    await rich.refresh();
    expect(await ledgerOfOurs(rich)).toMatchObject({ accounts: truth.accounts, outputs: truth.outputs });
    const again = await pay();
    expect(again.totalAmount).toBe(prepared.totalAmount);
    await rich.payments.discard(again.id);
  });

  it('T16 turns what the service makes away unread: it says that there is no connection', async () => {
    proxy.lie('/send_raw_transaction', httpStatus(403));
    expect(await transfer()).toEqual({ code: '-38', message: 'no connection to daemon' });
    expect(await ledgerOfOurs(rich)).toMatchObject({ accounts: truth.accounts, outputs: truth.outputs });
  });

  it('T3 T16 calls a payment refused that it passed on: it is not paid twice, and known as ours once a block has it', async () => {
    const prepared = await pay();
    const before = (await rich.view()).balance.total;
    proxy.lie('/send_raw_transaction', async (_asked, forward, response) => {
      await forward();
      response.end(REFUSAL);
    });
    const { txHash } = await failedToSend(prepared.id, 'rejected');
    proxy.honest();
    await rich.refresh();
    await expect(pay(), 'the same once more').rejects.toMatchObject({ code: 'refused-before' });
    expect(await transfer()).toMatchObject({ code: '-4', message: expect.stringContaining('rescan_spent') as string });
    expect(await mined(txHash)).toMatchObject({
      state: 'mined',
      destinations: [{ address: OTHER }],
      amount: prepared.totalAmount,
    });
    expect((await rich.view()).balance.total).toBe(before - prepared.totalAmount - prepared.totalFee);
  });

  it('T3 T16 loses the answer to a sent transaction: it is held for perhaps sent, found in a block, and paid once', async () => {
    const before = (await rich.view()).balance.total;
    const prepared = await pay();
    const sent = sends();
    proxy.lie('/send_raw_transaction', loseAnswer);
    const { txHash } = await failedToSend(prepared.id, 'perhaps-sent');
    expect(sends()).toBe(sent + 1);
    const paid = prepared.totalAmount + prepared.totalFee;
    expect((await rich.view()).balance.total).toBe(before - paid);
    proxy.honest();
    const entry = await mined(txHash);
    expect(entry).toMatchObject({ state: 'mined', amount: prepared.totalAmount, fee: prepared.totalFee });
    expect((await rich.view()).balance.total).toBe(before - paid);
    expect(sends()).toBe(sent + 1);
  });
});

it('T24 in all of this no daemon was asked about a key image, nor about less than all it had in its pool', async () => {
  const about = () => proxy.asked.filter(({ path }) => path === '/get_transactions');
  expect(proxy.asked.map(({ path }) => path)).not.toContain('/is_key_image_spent');
  const before = about().length;
  await rich.payments.send((await pay()).id);
  const { tx_hashes: pool } = await monerod.path<{ tx_hashes: string[] }>('get_transaction_pool_hashes');
  expect(pool.length).toBeGreaterThan(0);
  await rich.refresh();
  expect(about()).toHaveLength(before);
  const asked = proxy.asked.filter(({ path }) => path === '/get_blocks.bin').at(-1)!;
  expect(decodePortableStorage(asked.body).getNumber('requested_info')).toBe(1);
  // One that does not tell its pool with the blocks, as those before release 0.18.3.
  proxy.lie(
    '/get_blocks.bin',
    changeStorage((fields) => {
      for (const name of ['pool_info_extent', 'added_pool_txs', 'removed_pool_txids', 'daemon_time']) fields.delete(name);
    }),
  );
  await connect(rich);
  await rich.refresh();
  expect(about()).toHaveLength(before + 1);
  const text = new TextDecoder().decode(about().at(-1)!.body);
  for (const txHash of pool) expect(text).toContain(txHash);
});
