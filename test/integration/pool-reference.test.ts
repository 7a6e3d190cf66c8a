import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RpcService } from '../../src/rpc/service.ts';
import { walletFromWords } from '../../src/wallet/create-wallet.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { MINER_SEED } from '../support/premined.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from '../support/programs.ts';
import { quickEnvironment } from '../support/quick-environment.ts';
import { oneWalletHost } from '../support/rpc-host.ts';
import { type Answer, type RpcPair, resultOf, rpcPair } from '../support/rpc-pair.ts';
import { refreshToTip } from '../support/two-wallets.ts';

// What the pool means to a wallet that did not send it: three wallets of one seed, ours and the reference beside each other, and one that sends.
let daemon: Monerod;
let theirs: MoneroWalletRpc;
let sender: MoneroWalletRpc;
let wallet: Wallet;
let pair: RpcPair;
let own: string;
let second: string;
let stranger: string;

const XMR = 1_000_000_000_000;
const env = quickEnvironment();

beforeAll(async () => {
  daemon = await startMonerod({ premined: true, restricted: true });
  [theirs, sender] = await Promise.all([startWalletRpc({ daemon: daemon.url }), startWalletRpc({ daemon: daemon.url })]);
  stranger = await theirs.createWallet('stranger');
  await theirs.closeWallet();
  for (const program of [theirs, sender]) own = await program.restoreWallet('own', MINER_SEED);
  wallet = await Wallet.create(
    env,
    'own',
    'pw',
    await walletFromWords(MINER_SEED, { network: 'regtest', from: { height: 0 }, now: 0 }),
  );
  serve();
  for (const program of [theirs, sender])
    ({ address: second } = await program.rpc<{ address: string }>('create_account', { label: '' }));
  await wallet.addAccount('');
  await settle();
}, 300_000);

afterAll(async () => {
  await wallet?.close();
  await Promise.all([theirs?.stop(), sender?.stop()]);
  await daemon?.stop();
});

function serve(): void {
  pair = rpcPair(
    new RpcService(oneWalletHost(wallet, { daemon: { url: daemon.url, trusted: true }, autoRefresh: true }), {
      checkResults: true,
    }),
    theirs.url,
  );
}

/** All three at the tip, with what the pool holds. */
async function settle(url = daemon.url): Promise<void> {
  await Promise.all([theirs.refreshToHeight(daemon), sender.refreshToHeight(daemon)]);
  await wallet.setDaemon({ url, trusted: true });
  await refreshToTip(wallet, await daemon.height());
}

async function mine(blocks: number): Promise<void> {
  const mined = await daemon.minePool(stranger);
  if (mined < blocks) await daemon.generateBlocks(blocks - mined, stranger);
  await settle();
}

const pay = (address: string, more: object = {}) => ({ destinations: [{ address, amount: XMR }], ...more });

type Fields = Record<string, unknown>;
const KINDS = { in: false, out: true, pending: true, failed: true, pool: true, all_accounts: true };

/** When a wallet saw something first is its own matter. */
const timeless = ({ timestamp: _, ...rest }: Fields): Fields => rest;
const byId = (a: Fields, b: Fields) => (`${a.txid}${a.type}` < `${b.txid}${b.type}` ? -1 : 1);
const listed = (answer: Answer): Fields =>
  Object.fromEntries(Object.entries(resultOf(answer)).map(([kind, list]) => [kind, (list as Fields[]).map(timeless).sort(byId)]));

async function expectSameMoney(): Promise<Fields> {
  for (const params of [{ all_accounts: true }, { account_index: 0 }, { account_index: 1 }, { account_index: 0, strict: true }]) {
    expect(await pair.ours('get_balance', params)).toEqual(await pair.theirs('get_balance', params));
  }
  const coins = { transfer_type: 'available', account_index: 0 };
  const held = async (ask: RpcPair['ours']) => {
    const { transfers = [] } = resultOf<{ transfers?: Fields[] }>(await ask('incoming_transfers', coins));
    return transfers.map(({ key_image }) => key_image).sort();
  };
  expect(await held(pair.ours)).toEqual(await held(pair.theirs));
  const [ours, native] = [listed(await pair.ours('get_transfers', KINDS)), listed(await pair.theirs('get_transfers', KINDS))];
  expect(ours).toEqual(native);
  return ours;
}

const kinds = (lists: Fields, txid: string) =>
  Object.entries(lists).flatMap(([kind, list]) => ((list as Fields[]).some((entry) => entry.txid === txid) ? [kind] : []));

describe('a payment that another wallet of the same seed sent', () => {
  it('counts while it waits in the pool, after a restart, a rescan and a look by name, and in its block', async () => {
    const { tx_hash } = await sender.transfer([{ address: stranger, amount: BigInt(XMR) }]);
    await settle();
    expect(kinds(await expectSameMoney(), tx_hash)).toEqual(['pending']);
    const [one, other] = [
      await pair.ours('get_transfer_by_txid', { txid: tx_hash }),
      await pair.theirs('get_transfer_by_txid', { txid: tx_hash }),
    ];
    expect(timeless(resultOf<{ transfer: Fields }>(one).transfer)).toEqual(
      timeless(resultOf<{ transfer: Fields }>(other).transfer),
    );

    await wallet.close();
    await theirs.closeWallet();
    wallet = await Wallet.open(env, 'own', 'pw');
    await theirs.openWallet('own');
    serve();
    await settle();
    expect(kinds(await expectSameMoney(), tx_hash)).toEqual(['pending']);

    for (const ask of [pair.ours, pair.theirs]) resultOf(await ask('rescan_blockchain', {}));
    await settle();
    expect(kinds(await expectSameMoney(), tx_hash)).toEqual(['pending']);
    await mine(1);
    expect(kinds(await expectSameMoney(), tx_hash)).toEqual(['out']);
  });

  it('is learned by its name', async () => {
    const { tx_hash } = await sender.transfer([{ address: stranger, amount: BigInt(XMR) }]);
    for (const ask of [pair.ours, pair.theirs]) resultOf(await ask('scan_tx', { txids: [tx_hash] }));
    expect(kinds(await expectSameMoney(), tx_hash)).toEqual(['pending']);
    await mine(1);
  });

  it('to another account is on its way there, and what comes back to its own', async () => {
    const { tx_hash } = await sender.transfer([
      { address: second, amount: BigInt(2 * XMR) },
      { address: own, amount: BigInt(XMR) },
    ]);
    await settle();
    expect(kinds(await expectSameMoney(), tx_hash)).toEqual(['pending', 'pool']);
    await mine(10);
    expect(kinds(await expectSameMoney(), tx_hash)).toEqual(['out']);
  });

  it('that sweeps a whole account leaves nothing there; who pays from it unknowing is refused, and has sent nothing that failed', async () => {
    const { tx_hash_list } = await sender.rpc<{ tx_hash_list: string[] }>('sweep_all', { address: stranger, account_index: 1 });
    for (const ask of [pair.ours, pair.theirs])
      expect(await ask('transfer', pay(stranger, { account_index: 1 }))).toMatchObject({ error: { code: -4 } });
    await settle();
    const lists = await expectSameMoney();
    expect([kinds(lists, tx_hash_list[0]!), lists.failed]).toEqual([['pending'], undefined]);
    const { balance } = (await wallet.view()).accounts[1]!;
    expect([balance.total, balance.unlocked]).toEqual([0n, 0n]);
    await mine(1);
  });
});

it('a payment that was made and kept counts once somebody else sends it, and no more when the pool has dropped it', async () => {
  const before = (await wallet.view()).balance;
  const kept = await pair.ours('transfer', pay(stranger, { do_not_relay: true, get_tx_hex: true }));
  const { tx_hash, tx_blob } = resultOf<{ tx_hash: string; tx_blob: string }>(kept);
  await settle();
  expect(kinds(await expectSameMoney(), tx_hash)).toEqual([]);
  await daemon.path('send_raw_transaction', { tx_as_hex: tx_blob });
  await settle();
  expect(kinds(await expectSameMoney(), tx_hash)).toEqual(['pending']);
  await daemon.flushPool();
  await settle();
  // The reference keeps it, and what it takes, for as long as it runs.
  expect(kinds(listed(await pair.theirs('get_transfers', KINDS)), tx_hash)).toEqual(['pending']);
  expect(kinds(listed(await pair.ours('get_transfers', KINDS)), tx_hash)).toEqual([]);
  expect((await wallet.view()).balance).toEqual(before);
  await daemon.path('send_raw_transaction', { tx_as_hex: tx_blob });
  await mine(1);
  expect(kinds(await expectSameMoney(), tx_hash)).toEqual(['out']);
});

it('T5 a chain that went back by more than a hundred blocks stops both, and a rescan leads out', async () => {
  await daemon.popBlocks(102);
  await daemon.flushPool();
  await daemon.generateBlocks(103, stranger);
  await expect(theirs.rpc('refresh')).rejects.toThrow(/reorg/);
  const refused = await pair.ours('refresh', {});
  expect(refused).toMatchObject({ error: { code: -1, message: expect.stringContaining('rescan_blockchain') as string } });
  expect((await wallet.view()).sync.phase).toBe('stopped');
  for (const ask of [pair.ours, pair.theirs]) resultOf(await ask('rescan_blockchain', {}));
  await Promise.all([theirs.refreshToHeight(daemon), refreshToTip(wallet, await daemon.height())]);
  const strict = { all_accounts: true, strict: true };
  expect(await pair.ours('get_balance', strict)).toEqual(await pair.theirs('get_balance', strict));
});

it('a payment that waits in the pool by somebody else is relayed like any other, and counts once', async () => {
  // It has gone the same way back.
  await sender.rpc('rescan_blockchain', {});
  await settle();
  const made = pay(stranger, { do_not_relay: true, get_tx_hex: true, get_tx_metadata: true });
  const { tx_hash, tx_blob, tx_metadata: hex } = await sender.rpc<Record<string, string>>('transfer', made);
  await daemon.path('send_raw_transaction', { tx_as_hex: tx_blob });
  await settle();
  expect(kinds(await expectSameMoney(), tx_hash!)).toEqual(['pending']);
  for (const ask of [pair.ours, pair.theirs]) expect(resultOf(await ask('relay_tx', { hex }))).toEqual({ tx_hash });
  const { pending } = (await expectSameMoney()) as { pending: Fields[] };
  expect(pending).toEqual([
    expect.objectContaining({ txid: tx_hash, destinations: [{ address: stranger, amount: BigInt(XMR) }] }),
  ]);
  await mine(1);
  expect(kinds(await expectSameMoney(), tx_hash!)).toEqual(['out']);
});
