import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  createWallet,
  DaemonClient,
  DaemonError,
  MemoryJournalStore,
  makeWalletUri,
  openPaperWallet,
  type PaperOptions,
  type PaperWallet,
  restoreWallet,
  StorageError,
  type Wallet,
} from '../../src/index.ts';
import { MINER_SEED } from '../support/premined.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from '../support/programs.ts';

// Papers made by the reference wallet on a real daemon, taken by the library's function. In turn: each test stands on those before.
const XMR = 1_000_000_000_000n;
const store = new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } });
const place = { store, password: 'pw', network: 'regtest' } as const;
/** A block that pays nobody of this test. */
let elsewhere: string;
let daemon: Monerod;
let payer: MoneroWalletRpc;
let card: MoneroWalletRpc;
let wallet: Wallet;
/** What the tests opened. */
const papers: PaperWallet[] = [];

beforeAll(async () => {
  daemon = await startMonerod({ premined: true });
  [payer, card] = await Promise.all([startWalletRpc({ daemon: daemon.url }), startWalletRpc({ daemon: daemon.url })]);
  elsewhere = await payer.restoreWallet('payer', MINER_SEED);
  await payer.refreshToHeight(daemon);
  await card.createWallet('card');
  wallet = await createWallet({ ...place, name: 'mine', scanFrom: { height: 0 } });
  await wallet.setDaemon({ url: daemon.url, trusted: false });
});

afterAll(async () => {
  for (const paper of papers) await paper.close();
  await wallet?.close();
  await Promise.all([payer?.stop(), card?.stop()]);
  await daemon?.stop();
});

async function open(options: PaperOptions, into = wallet): Promise<PaperWallet> {
  const paper = await openPaperWallet(into, options);
  papers.push(paper);
  await paper.waitUntilSynced();
  return paper;
}

/** Pays the card, in a block of its own. Returns the transaction's hash. */
async function pay(...amounts: readonly (readonly [address: string, amount: bigint])[]): Promise<string> {
  const { tx_hash: hash } = await payer.transfer(amounts.map(([address, amount]) => ({ address, amount })));
  await daemon.minePool(elsewhere);
  await payer.refreshToHeight(daemon);
  return hash;
}

const unlock = () => daemon.generateBlocks(10, elsewhere);

async function balanceOf(of: Wallet): Promise<bigint> {
  await of.refresh();
  await of.waitUntilSynced();
  return (await of.view()).balance.total;
}

async function fresh(into = wallet) {
  const [{ index }] = await into.addresses.make(0, 'card');
  return index;
}

describe('a paper wallet', () => {
  it('on which nothing is has nothing to take', async () => {
    const paper = await open({ from: { seed: await card.seed() }, scanFrom: { height: 0 } });
    expect(paper.address).toBe(await card.address());
    expect(await paper.view()).toMatchObject({ balance: { total: 0n }, coins: 0, spentAt: undefined });
    expect(await paper.price()).toEqual({ amount: 0n, fee: 0n });
    await expect(paper.take(await fresh())).rejects.toMatchObject({ code: 'not-found' });
  });

  it('whose coins are locked says until when, and gives nothing yet', async () => {
    const { address } = await card.rpc<{ address: string }>('create_account', {});
    await pay([await card.address(), 3n * XMR], [address, 2n * XMR]);
    const paper = await open({ from: { seed: await card.seed() }, scanFrom: { height: 0 } });
    const { balance, coins } = await paper.view();
    expect([balance.total, balance.unlocked, balance.blocksToUnlock, coins]).toEqual([5n * XMR, 0n, 9, 2]);
    expect(await paper.price()).toEqual({ amount: 0n, fee: 0n });
  });

  it('T3 is emptied, every account of it, into the open wallet; a daemon lost in between is asked for the same decoys again, and what was sent is noted', async () => {
    await unlock();
    const asked: string[] = [];
    let lost = true;
    let sends = 0;
    const connect: PaperOptions['connect'] = (settings) => {
      const client = DaemonClient.connect({ url: settings.url });
      const getOuts = client.getOuts.bind(client);
      client.getOuts = async (outputs, options) => {
        asked.push(outputs.map(({ index }) => index).join());
        const answer = await getOuts(outputs, options);
        if (lost) throw new DaemonError('unreachable', 'expected an answer');
        return answer;
      };
      const send = client.sendRawTransaction.bind(client);
      client.sendRawTransaction = async (blob, options) => {
        sends += 1;
        if (sends === 2) throw new DaemonError('busy', 'expected a daemon that is synchronized');
        return send(blob, options);
      };
      return client;
    };
    const paper = await open({ from: { seed: await card.seed() }, scanFrom: { height: 0 }, connect });
    const { amount, fee } = await paper.price();
    const before = await balanceOf(wallet);
    const to = await fresh();
    await expect(paper.take(to)).rejects.toMatchObject({ code: 'unreachable' });
    lost = false;
    const { notes } = wallet;
    const writing = vi.spyOn(notes, 'write').mockRejectedValueOnce(new StorageError('full', 'expected space'));
    await expect(paper.take(to, undefined, 'gift'), 'no space for the note').rejects.toMatchObject({ code: 'full' });
    expect([sends, asked[1]], 'the first coin').toEqual([0, asked[0]]);
    await expect(paper.take(to, undefined, 'gift'), 'the second account').rejects.toMatchObject({ code: 'busy' });
    const [[first]] = writing.mock.calls[1]!;
    expect(notes.of(first!.txHash), 'the first account was paid, and that is noted').toBe('gift');
    const other = await open({ from: { seed: await card.seed() }, scanFrom: { height: 0 } });
    expect(await paper.take(to, undefined, 'gift')).toHaveLength(1);
    const gone = { balance: { total: 0n }, coins: 2, spentAt: undefined, leaving: true };
    await vi.waitFor(async () => expect(await other.view(), 'one that is open elsewhere').toMatchObject(gone), 30_000);
    await daemon.minePool(elsewhere);
    const arrived = (await balanceOf(wallet)) - before;
    expect(amount + fee).toBe(5n * XMR);
    // The fee is estimated before decoys are drawn: a few bytes more or less.
    expect(Number(5n * XMR - arrived) / Number(fee)).toBeCloseTo(1, 1);
    expect((await wallet.subaddresses(0)).find(({ index }) => index.minor === to.minor)?.balance.total).toBe(arrived);
    await card.refreshToHeight(daemon);
    expect(await card.rpc('get_balance', { all_accounts: true })).toMatchObject({ balance: 0 });
  });

  it('whose money is gone says when that was', async () => {
    const paper = await open({ from: { seed: await card.seed() }, scanFrom: { height: 0 } });
    const { balance, coins, spentAt, leaving } = await paper.view();
    expect([balance.total, coins, leaving]).toEqual([0n, 2, false]);
    expect(spentAt).toBeGreaterThan(0);
  });

  it('is looked for where the transactions on its code are, and can be taken by a wallet that only watches', async () => {
    const txid = await pay([await card.address(), XMR]);
    await unlock();
    const { key: spendKey } = await card.rpc<{ key: string }>('query_key', { key_type: 'spend_key' });
    const uri = makeWalletUri({ spendKey, address: await card.address(), txids: [txid] }, 'regtest');
    const watching = await restoreWallet({
      ...place,
      name: 'watching',
      from: { address: (await wallet.view()).primaryAddress, viewKey: await wallet.secrets.viewKey() },
      scanFrom: { height: 0 },
    });
    const paper = await open({ from: { uri }, daemon: { url: daemon.url, trusted: false } }, watching);
    expect(await paper.view(), 'what came earlier was not looked for').toMatchObject({ coins: 1, balance: { unlocked: XMR } });
    const before = await balanceOf(wallet);
    const { amount } = await paper.price();
    await paper.take(await fresh(watching));
    await paper.close();
    await watching.close();
    await daemon.minePool(elsewhere);
    expect(Number((await balanceOf(wallet)) - before) / Number(amount)).toBeCloseTo(1, 3);
    await expect(paper.take({ major: 0, minor: 0 }), 'its keys are wiped').rejects.toMatchObject({ code: 'closed' });
    await expect(store.list()).resolves.toHaveLength(2);
  });

  it('is refused if it is the open wallet, of another address or network, or cannot spend', async () => {
    const spendKey = await wallet.secrets.spendKey();
    const { key: viewKey } = await card.rpc<{ key: string }>('query_key', { key_type: 'view_key' });
    const address = await card.address();
    const uri = (of: Parameters<typeof makeWalletUri>[0]) => ({ from: { uri: makeWalletUri(of, 'regtest') } });
    const refused = (options: PaperOptions) => expect(openPaperWallet(wallet, options)).rejects;
    await refused({ from: { spendKey: spendKey! } }).toMatchObject({ code: 'same-wallet' });
    await refused(uri({ spendKey: '01'.padEnd(64, '0'), address })).toMatchObject({ code: 'bad-key' });
    await refused(uri({ viewKey, address })).toMatchObject({ code: 'view-only' });
    const stagenet = '55LTR8KniP4LQGJSPtbYDacR7dz8RBFnsfAKMaMuwUNYX6aQbBcovzDPyrQF9KXF9tVU6Xk3K8no1BywnJX6GvZX8yJsXvt';
    await refused({ from: { uri: `monero-wallet:${stagenet}?spend_key=${spendKey}` } }).toMatchObject({ code: 'wrong-network' });
    await refused({ from: { uri: makeWalletUri({ spendKey: spendKey!, txids: ['ab'.repeat(32)] }, 'regtest') } }).toMatchObject({
      code: 'not-found',
    });
  });
});
