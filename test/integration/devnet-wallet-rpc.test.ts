import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { minerAddress, type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { walletFromWords } from '../../src/wallet/create-wallet.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { type MoneroWalletRpc, startWalletRpc } from '../support/programs.ts';
import { quickEnvironment } from '../support/quick-environment.ts';
import { toBigint } from '../support/rpc.ts';
import { refreshToTip } from '../support/two-wallets.ts';

const COIN = 1_000_000_000_000n;
const env = quickEnvironment();

/** The reference wallet on the devnet: it syncs, receives, spends, and is not misled by a reorganisation. */
describe('monero-wallet-rpc on the devnet', () => {
  let devnet: ServedDevnet;
  let wallet: MoneroWalletRpc;
  let address: string;
  let seed: string;
  const height = { height: async () => devnet.node.chain.height };

  const mine = (count: number) => {
    for (let i = 0; i < count; i++) devnet.node.mine(devnet.minerWallet);
  };

  beforeAll(async () => {
    devnet = await serveDevnet({ allowUnlockTimes: true, history: { blocks: 320, transactions: 3 } });
    wallet = await startWalletRpc({ daemon: devnet.url });
    await wallet.createWallet('reference');
    seed = await wallet.seed();
    await wallet.closeWallet();
    address = await wallet.restoreWallet('restored', seed, 0);
  });

  afterAll(async () => {
    await wallet?.stop();
    await devnet?.stop();
  });

  it('syncs from the genesis block and finds mined coins, locked for 60 blocks', async () => {
    const mined = devnet.node.mine(minerAddress(address));
    await wallet.refreshToHeight(height);
    expect(await wallet.balance()).toEqual({ total: mined.reward, unlocked: 0n });
    mine(60);
    await wallet.refreshToHeight(height);
    expect(await wallet.balance()).toEqual({ total: mined.reward, unlocked: mined.reward });
  });

  it('finds what the faucet gives, in the pool and after a block', async () => {
    const before = await wallet.balance();
    const id = devnet.faucet.give(address);
    await wallet.rpc('refresh', {});
    const pool = await wallet.rpc<{ pool?: { txid: string; amount: number }[] }>('get_transfers', { pool: true });
    expect(pool.pool?.map((entry) => [entry.txid, toBigint(entry.amount)])).toEqual([[id, 10n * COIN]]);
    mine(10);
    await wallet.refreshToHeight(height);
    expect((await wallet.balance()).unlocked).toBe(before.unlocked + 10n * COIN);
  });

  it('spends: several destinations, a subaddress and itself; the devnet accepts and mines it', async () => {
    const before = await wallet.balance();
    const subaddress = (await wallet.rpc<{ address: string }>('create_address', { account_index: 0 })).address;
    const sent = await wallet.transfer([
      { address: devnet.minerWallet.address, amount: 2n * COIN },
      { address: subaddress, amount: 1n * COIN },
      { address: devnet.minerWallet.address, amount: 3n * COIN },
    ]);
    expect(devnet.node.pool.visible.map((entry) => entry.id)).toEqual([sent.tx_hash]);
    mine(1);
    const mined = devnet.node.chain.transaction(sent.tx_hash);
    expect(mined?.height).toBe(devnet.node.chain.height - 1);
    expect(bytesToHex(mined?.blob ?? new Uint8Array())).toBe(sent.tx_blob);
    await wallet.refreshToHeight(height);
    expect((await wallet.balance()).total).toBe(before.total - 5n * COIN - toBigint(sent.fee));
    mine(10);
    await wallet.refreshToHeight(height);
    const after = await wallet.balance();
    expect(after.unlocked).toBe(after.total);
    const balances = await wallet.rpc<{ per_subaddress: { address_index: number; balance: number }[] }>('get_balance', {
      account_index: 0,
    });
    expect(balances.per_subaddress.find((entry) => entry.address_index === 1)).toMatchObject({ balance: Number(COIN) });
  });

  it('pays the faucet back into a subaddress of its own', async () => {
    const { address: subaddress } = await wallet.rpc<{ address: string }>('create_address', { account_index: 0 });
    const before = await wallet.balance();
    devnet.faucet.give(subaddress, 4n * COIN);
    mine(10);
    await wallet.refreshToHeight(height);
    expect((await wallet.balance()).unlocked).toBe(before.unlocked + 4n * COIN);
  });

  it('follows a reorganisation: coins of the lost branch go, its transactions return and are mined again', async () => {
    const before = await wallet.balance();
    const lost = devnet.node.mine(minerAddress(address));
    const sent = await wallet.transfer([{ address: devnet.minerWallet.address, amount: COIN }]);
    mine(3);
    await wallet.refreshToHeight(height);
    const kept = before.total - COIN - toBigint(sent.fee);
    expect((await wallet.balance()).total).toBe(kept + lost.reward);
    const old = devnet.node.chain.top.id;
    devnet.node.reorganise(4, 6, devnet.minerWallet);
    expect(devnet.node.chain.blockById(old)).toBeUndefined();
    expect(devnet.node.pool.get(sent.tx_hash)).toBeDefined();
    await wallet.refreshToHeight(height);
    mine(1);
    expect(devnet.node.chain.transaction(sent.tx_hash)).toBeDefined();
    await wallet.refreshToHeight(height);
    expect((await wallet.balance()).total).toBe(kept);
  });

  it('refuses what the reference wallet has spent already', async () => {
    mine(10);
    await wallet.refreshToHeight(height);
    const sent = await wallet.transfer([{ address: devnet.minerWallet.address, amount: COIN }], { do_not_relay: true });
    const answer = await wallet.rpc<{ tx_hash: string }>('transfer', {
      destinations: [{ address: devnet.minerWallet.address, amount: COIN }],
      ring_size: 16,
    });
    mine(1);
    expect(devnet.node.chain.transaction(answer.tx_hash)).toBeDefined();
    expect(() => devnet.node.submitTransaction(Buffer.from(sent.tx_blob, 'hex'))).toThrow('key images');
  });

  it('spends to fifteen destinations at once', async () => {
    mine(10);
    await wallet.refreshToHeight(height);
    const before = await wallet.balance();
    const destinations = Array.from({ length: 15 }, () => ({ address, amount: COIN / 10n }));
    const wide = await wallet.transfer(destinations);
    expect(devnet.node.pool.get(wide.tx_hash)).toMatchObject({ weight: wide.weight, fee: toBigint(wide.fee) });
    mine(10);
    expect(devnet.node.chain.transaction(wide.tx_hash)).toBeDefined();
    await wallet.refreshToHeight(height);
    expect((await wallet.balance()).total).toBe(before.total - toBigint(wide.fee));
  });

  it('T9 a payment with an unlock time is there, and locked until it comes, for the reference as for ours', async () => {
    // Neither program of today makes such a payment, and no daemon of today passes it on; the chain holds those of old.
    const payer = await startWalletRpc({ daemon: devnet.url, release: '0.18.0.0' });
    const ours = await Wallet.create(
      env,
      'ours',
      'pw',
      await walletFromWords(seed, { network: 'regtest', from: { height: 0 }, now: 0 }),
    );
    try {
      devnet.faucet.give(await payer.createWallet('payer'));
      mine(10);
      await payer.refreshToHeight(height);
      const unlockTime = devnet.node.chain.height + 30;
      const { tx_hash } = await payer.transfer([{ address, amount: COIN }], { unlock_time: unlockTime });
      await ours.setDaemon({ url: devnet.url, trusted: true });
      const agreed = async () => {
        await wallet.refreshToHeight(height);
        await refreshToTip(ours, devnet.node.chain.height);
        const { total, unlocked } = (await ours.view()).balance;
        expect({ total, unlocked }).toEqual(await wallet.balance());
        return { locked: total - unlocked, entry: (await ours.history()).find(({ txHash }) => txHash === tx_hash) };
      };
      mine(11);
      expect(await agreed()).toMatchObject({ locked: COIN, entry: { unlockTime: BigInt(unlockTime), locked: true } });
      mine(20);
      expect(await agreed()).toMatchObject({ locked: 0n, entry: { locked: false } });
    } finally {
      await Promise.all([payer.stop(), ours.close()]);
    }
  });

  it('sweeps everything to one address', async () => {
    mine(10);
    await wallet.refreshToHeight(height);
    const { tx_hash_list } = await wallet.rpc<{ tx_hash_list: string[] }>('sweep_all', {
      address: devnet.minerWallet.address,
      subaddr_indices_all: true,
      ring_size: 16,
    });
    mine(1);
    for (const id of tx_hash_list) expect(devnet.node.chain.transaction(id)).toBeDefined();
    await wallet.refreshToHeight(height);
    expect((await wallet.balance()).total).toBe(0n);
  });
});
