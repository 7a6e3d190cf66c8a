import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import { toAtomicAmount } from '../../src/protocol/model.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import { walletFromViewKey, walletFromWords } from '../../src/wallet/create-wallet.ts';
import { environment } from '../../src/wallet/environment.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { inside } from '../support/inside.ts';
import { MINER_SEED } from '../support/premined.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from '../support/programs.ts';
import { OracleScanPool } from '../support/scan-oracle.ts';
import { expectAgreement, ledgerOfOurs, ledgerOfReference, refreshToTip } from '../support/two-wallets.ts';

// One chain, one seed in two programs, and a second reference wallet that pays it. In turn: each step stands on those before.
let daemon: Monerod;
let same: MoneroWalletRpc;
let payer: MoneroWalletRpc;
let wallet: Wallet;
let payerAddress: string;
/** Milliseconds that a test pretends to have waited. */
let timePassed = 0;
const env = environment({
  store: new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } }),
  scanPool: createInlineScanPool,
  clock: { ...systemClock, now: () => Date.now() + timePassed },
  sync: { pollEvery: 60_000, retryFirst: 50, retryMost: 200 },
});

const XMR = 1_000_000_000_000n;
const mine = (blocks: number, to = payerAddress) => daemon.generateBlocks(blocks, to);
const agree = () => expectAgreement(wallet, same, daemon);
const addressAt = async (account: number, minor: number) => {
  const answer = await same.rpc<{ addresses: { address: string }[] }>('get_address', {
    account_index: account,
    address_index: [minor],
  });
  return answer.addresses[0]!.address;
};

beforeAll(async () => {
  daemon = await startMonerod({ premined: true });
  [same, payer] = await Promise.all([startWalletRpc({ daemon: daemon.url }), startWalletRpc({ daemon: daemon.url })]);
  await same.createWallet('same');
  payerAddress = await payer.restoreWallet('payer', MINER_SEED);
  await payer.refreshToHeight(daemon);
  wallet = await Wallet.create(
    env,
    'ours',
    'pw',
    await walletFromWords(await same.seed(), { network: 'regtest', from: { height: 0 }, now: 0 }),
  );
  await wallet.setDaemon({ url: daemon.url, trusted: true });
});

afterAll(async () => {
  await wallet?.close();
  await Promise.all([same?.stop(), payer?.stop()]);
  await daemon?.stop();
});

/** Pays with the second wallet and has it mined. */
async function pay(destinations: { address: string; amount: bigint }[], options: Record<string, unknown> = {}): Promise<string> {
  const sent = await payer.transfer(destinations, options);
  await daemon.minePool(payerAddress);
  await payer.refreshToHeight(daemon);
  return sent.tx_hash;
}

describe('one seed in two programs', () => {
  it('begins with the same address and nothing', async () => {
    expect((await wallet.view()).primaryAddress).toBe(await same.address());
    await agree();
    expect((await wallet.view()).sync.phase).toBe('live');
  });

  it('mined coins arrive, locked for 60 blocks', async () => {
    await mine(2, await same.address());
    await mine(1);
    await agree();
    const { balance } = await wallet.view();
    expect(balance.total).toBeGreaterThan(0n);
    const { blocks_to_unlock: blocks } = await same.rpc<{ blocks_to_unlock: number }>('get_balance', { account_index: 0 });
    expect([balance.unlocked, balance.blocksToUnlock]).toEqual([0n, blocks]);
    expect(blocks).toBe(58);
  });

  it('standard, subaddress and integrated addresses, alone and together, are paid', async () => {
    const integrated = await same.rpc<{ integrated_address: string }>('make_integrated_address', {
      payment_id: '1122334455667788',
    });
    await pay([{ address: await same.address(), amount: XMR }]);
    await same.rpc('create_address', { account_index: 0, label: 'one', count: 3 });
    for (const label of ['one', '', '']) await wallet.addresses.make(0, label);
    expect((await wallet.subaddresses(0))[1]?.address).toBe(await addressAt(0, 1));
    await pay([{ address: await addressAt(0, 1), amount: 2n * XMR }]);
    await pay([{ address: integrated.integrated_address, amount: 3n * XMR }]);
    await pay([
      { address: await addressAt(0, 2), amount: 4n * XMR },
      { address: await addressAt(0, 3), amount: 5n * XMR },
      { address: await same.address(), amount: 6n * XMR },
    ]);
    await agree();
    const ids = (await wallet.history()).map((entry) => entry.paymentId).filter((id) => id !== undefined);
    expect(ids).toEqual(['1122334455667788']);
  });

  it('accounts that only showed themselves by being paid are found, by the kernel and by the decoders alike', async () => {
    await same.rpc('create_account', { label: 'savings' });
    await wallet.addAccount('savings');
    await pay([{ address: await addressAt(1, 0), amount: 7n * XMR }]);
    await agree();
    const byOracle = { ...env, scanPool: () => new OracleScanPool() };
    const fresh = await Wallet.create(
      byOracle,
      'again',
      'pw',
      await walletFromWords(await same.seed(), { network: 'regtest', from: { height: 0 }, now: 0 }),
    );
    await fresh.setDaemon({ url: daemon.url, trusted: true });
    await refreshToTip(fresh, await daemon.height());
    expect(await ledgerOfOurs(fresh)).toEqual(await ledgerOfOurs(wallet));
    await fresh.close();
  });

  it('T5 payments are verified against their whole blocks', async () => {
    await wallet.refresh();
    await wallet.refresh();
    const entries = await wallet.history();
    expect(entries.length).toBeGreaterThan(5);
    expect(entries.every((entry) => entry.verified)).toBe(true);
  });

  it('a payment is seen in the pool before it is mined', async () => {
    await payer.transfer([{ address: await addressAt(0, 1), amount: XMR }]);
    await wallet.refresh();
    expect((await wallet.view()).balance.incoming).toBe(XMR);
    expect((await wallet.history())[0]).toMatchObject({ direction: 'in', amount: XMR, height: undefined, verified: false });
    await agree();
    await daemon.minePool(payerAddress);
    await agree();
    expect((await wallet.view()).balance.incoming).toBe(0n);
  });

  it('a spend by the other program is found by its key images', async () => {
    await mine(60);
    await same.refreshToHeight(daemon);
    await same.transfer([{ address: payerAddress, amount: 2n * XMR }]);
    await daemon.minePool(payerAddress);
    await agree();
    await same.transfer([
      { address: await addressAt(1, 0), amount: XMR },
      { address: payerAddress, amount: XMR },
    ]);
    await daemon.minePool(payerAddress);
    await agree();
    expect((await wallet.history()).filter((entry) => entry.direction === 'out')).toHaveLength(2);
  });

  it('reorganisations are followed alike by both programs', async () => {
    for (const depth of [1, 5, 40]) {
      await daemon.popBlocks(depth);
      await daemon.flushPool();
      await mine(depth + 1);
      await payer.refreshToHeight(daemon);
      await agree();
    }
  });

  it('a view-only wallet finds the same outputs', async () => {
    const key = await same.rpc<{ key: string }>('query_key', { key_type: 'view_key' });
    const made = await walletFromViewKey(await same.address(), key.key, { network: 'regtest', from: { height: 0 }, now: 0 });
    const watcher = await Wallet.create(env, 'watcher', 'pw', made);
    await watcher.setDaemon({ url: daemon.url, trusted: true });
    await refreshToTip(watcher, await daemon.height());
    const outputs = (w: Wallet) =>
      [...inside(w).state.outputs.values()].map(({ output }) => `${output.key} ${output.amount} ${output.mask}`);
    expect(outputs(watcher)).toEqual(outputs(wallet));
    expect([...inside(watcher).state.outputs.values()].every(({ output }) => output.keyImage === undefined)).toBe(true);
    await expect(watcher.secrets.words()).rejects.toMatchObject({ code: 'view-only' });
    await watcher.close();
  });

  it('T16 closed and opened again it knows the same, and so it does when scanned anew', async () => {
    await wallet.notes.write([{ txHash: '00'.repeat(32), note: 'kept' }]);
    const before = await ledgerOfOurs(wallet);
    await wallet.close();
    wallet = await Wallet.open(env, 'ours', 'pw');
    expect(await ledgerOfOurs(wallet)).toEqual(before);
    await wallet.setDaemon({ url: daemon.url, trusted: true });
    await wallet.rescan(0);
    await agree();
    expect(inside(wallet).state.notes.get('00'.repeat(32) as never)).toBe('kept');
    expect(await wallet.secrets.words()).toBe(await same.seed());
    await expect(wallet.checkPassword('wrong')).rejects.toMatchObject({ code: 'wrong-password' });
  });

  it('what ours sends is in the pool, then mined, and the other program sees the same', async () => {
    await same.refreshToHeight(daemon);
    const { total } = (await wallet.view()).balance;
    const prepared = await wallet.payments.prepareTransfer({
      destinations: [
        { address: payerAddress, amount: toAtomicAmount(XMR / 2n) },
        { address: await addressAt(0, 2), amount: toAtomicAmount(XMR / 4n) },
      ],
      account: 0,
      priority: 1,
      acceptHighFee: true,
    });
    const [hash] = await wallet.payments.send(prepared.id);
    await wallet.refresh();
    const sent = (await wallet.history())[0]!;
    expect(sent).toMatchObject({ txHash: hash, direction: 'out', state: 'pool', fee: prepared.totalFee, height: undefined });
    expect((await wallet.view()).balance.total).toBe(total - XMR / 2n - prepared.totalFee);
    await daemon.minePool(payerAddress);
    await wallet.refresh();
    expect((await wallet.history())[0]).toMatchObject({
      txHash: hash,
      state: 'mined',
      amount: (XMR * 3n) / 4n,
      confirmations: 1,
    });
    await same.refreshToHeight(daemon);
    const ours = await ledgerOfOurs(wallet);
    const theirs = await ledgerOfReference(same);
    expect([ours.accounts, ours.outputs]).toEqual([theirs.accounts, theirs.outputs]);
  });

  it('T3 a transaction of ours that a reorganisation drops is sent again unchanged', async () => {
    const entry = (await wallet.history()).find(({ destinations }) => destinations.length === 2)!;
    await daemon.popBlocks(1);
    await daemon.flushPool();
    await mine(2);
    await wallet.refresh();
    const stateNow = async () => (await wallet.history()).find(({ txHash }) => txHash === entry.txHash)?.state;
    expect(await stateNow()).toBe('sent');
    timePassed += 61_000;
    await wallet.refresh();
    await wallet.refresh();
    expect(await stateNow()).toBe('pool');
    await daemon.minePool(payerAddress);
    await wallet.refresh();
    expect(await stateNow()).toBe('mined');
  });
});
