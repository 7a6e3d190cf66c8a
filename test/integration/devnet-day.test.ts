import { connectToDaemonRpc, connectToWalletRpc, type MoneroDaemonRpc } from 'monero-ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../src/base/index.ts';
import { minerAddress, type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { exchangeInfo, makeGroup, type OwnSeat, signAndSubmit, takeSeat } from '../support/multisig-group.ts';
import { type MoneroWalletRpc, startWalletRpc } from '../support/programs.ts';
import { makeWalletCli } from '../support/wallet-cli.ts';

/** A day's work of programs that no one here wrote, against the devnet. `LONG=1` has all of it. */
const COIN = 1_000_000_000_000n;
const LONG = process.env.LONG === '1';

let devnet: ServedDevnet;
const height = { height: async () => devnet.node.chain.height };

beforeAll(async () => {
  devnet = await serveDevnet({ history: { blocks: LONG ? 400 : 120, transactions: 4 }, hashRate: 50 });
});
afterAll(() => devnet?.stop());

const mine = (count: number, address?: string) => {
  for (let i = 0; i < count; i++) devnet.node.mine(address === undefined ? devnet.minerWallet : minerAddress(address));
};

describe("monero-ts's daemon", () => {
  let daemon: MoneroDaemonRpc;
  beforeAll(async () => {
    daemon = await connectToDaemonRpc(devnet.url);
  });

  it('reads the chain', async () => {
    const { chain } = devnet.node;
    expect(await daemon.isConnected()).toBe(true);
    expect(await daemon.getHeight()).toBe(chain.height);
    expect(await daemon.getBlockHash(7)).toBe(chain.blockAt(7)!.id);
    const [header, block] = [await daemon.getLastBlockHeader(), await daemon.getBlockByHeight(chain.height - 2)];
    expect([header.getHash(), BigInt(header.getReward())]).toEqual([chain.top.id, chain.top.reward + fees(chain.height - 1)]);
    expect(block.getTxHashes()).toEqual(chain.blockAt(chain.height - 2)!.transactions.map(({ id }) => id));
    const blocks = await daemon.getBlocksByRange(chain.height - 4, chain.height - 1);
    expect(blocks.map((one) => one.getHeight())).toEqual([4, 3, 2, 1].map((back) => chain.height - back));
    expect((await daemon.getHardForkInfo()).getVersion()).toBe(16);
    expect((await daemon.getFeeEstimate()).getFees()).toHaveLength(4);
    expect(BigInt((await daemon.getMinerTxSum(0, 10)).getEmissionSum())).toBeGreaterThan(0n);
    expect(await daemon.getOutputHistogram()).toBeDefined();
    expect(await daemon.getAltChains()).toEqual([]);
    expect(await daemon.getPeers()).toEqual([]);
  });

  const fees = (at: number) => devnet.node.chain.blockAt(at)!.transactions.reduce((sum, { fee }) => sum + fee, 0n);

  it('reads what a chain of testnet says of itself: it knows no regtest', async () => {
    await expect(daemon.getInfo()).rejects.toThrow(/fakechain/);
    const testnet = await serveDevnet({ network: 'testnet', difficulty: 'adjusted', history: { blocks: 3, transactions: 0 } });
    try {
      const info = await (await connectToDaemonRpc(testnet.url)).getInfo();
      const { chain } = testnet.node;
      expect([info.getHeight(), info.getTopBlockHash(), info.getNetworkType()]).toEqual([4, chain.top.id, 1]);
    } finally {
      await testnet.stop();
    }
  });

  it('has it mine, and sees the pool', async () => {
    const began = devnet.node.chain.height;
    await daemon.startMining(devnet.minerWallet.address, 1, false, true);
    const status = await daemon.getMiningStatus();
    expect([status.getIsActive(), status.getAddress(), status.getNumThreads()]).toEqual([true, devnet.minerWallet.address, 1]);
    while ((await daemon.getHeight()) < began + 2) await daemon.getMiningStatus();
    expect((await daemon.getMiningStatus()).getSpeed()).toBeGreaterThan(0);
    await daemon.stopMining();
    expect((await daemon.getMiningStatus()).getIsActive()).toBe(false);
    const id = devnet.faucet.stir(1_000_000n);
    expect((await daemon.getTxPool()).map((tx) => tx.getHash())).toEqual([id]);
    expect((await daemon.getTxPoolStats()).getNumTxs()).toBe(1);
    const template = await daemon.getBlockTemplate(devnet.minerWallet.address);
    await daemon.submitBlock(template.getBlockTemplateBlob());
    expect((await daemon.getTx(id))?.getIsConfirmed()).toBe(true);
    const { blob } = devnet.node.chain.transaction(id)!;
    expect(await daemon.getTxHex(id)).toBe(bytesToHex(blob));
  });
});

describe.runIf(LONG)('a wallet, from morning to evening', () => {
  let wallet: MoneroWalletRpc;
  let keys: { address: string; viewKey: string; spendKey: string };

  beforeAll(async () => {
    wallet = await startWalletRpc({ daemon: devnet.url });
    const address = await wallet.createWallet('day');
    const key = async (key_type: string) => (await wallet.rpc<{ key: string }>('query_key', { key_type })).key;
    keys = { address, viewKey: await key('view_key'), spendKey: await key('spend_key') };
    mine(5, address);
    mine(70);
    await wallet.refreshToHeight(height);
  });
  afterAll(() => wallet?.stop());

  it('monero-wallet-rpc mines, sends, sees a reorganisation, and sends on', async () => {
    const { total } = await wallet.balance();
    const { tx_hash, fee } = await wallet.transfer([{ address: devnet.minerWallet.address, amount: COIN }]);
    mine(2);
    expect(devnet.node.chain.transaction(tx_hash)).toBeDefined();
    devnet.node.reorganise(3, 4, devnet.minerWallet);
    expect(devnet.node.chain.transaction(tx_hash)).toBeUndefined();
    await wallet.refreshToHeight(height);
    mine(11);
    expect(devnet.node.chain.transaction(tx_hash)).toBeDefined();
    await wallet.refreshToHeight(height);
    expect((await wallet.balance()).total).toBe(total - COIN - BigInt(fee));
    await wallet.rpc('store');
  });

  it('monero-wallet-cli has the same wallet, and pays', async () => {
    const cli = await makeWalletCli({ keys, daemon: devnet.url });
    try {
      expect(await cli.run(['refresh'])).toContain('Refresh done');
      const said = await cli.run(['transfer', devnet.minerWallet.address, '0.5'], 'y\ny\n');
      const [, id] = /<([0-9a-f]{64})>/.exec(said)!;
      expect(devnet.node.pool.get(id!)).toBeDefined();
      mine(11);
      expect(await cli.run(['show_transfer', id!])).toContain('0.500000000000');
    } finally {
      cli.remove();
    }
  });

  it("monero-ts's wallet sweeps it", async () => {
    const older = await startWalletRpc({ daemon: devnet.url, release: '0.18.0.0' });
    try {
      const client = await connectToWalletRpc(older.url);
      await client.createWallet({
        path: 'ts',
        password: '',
        primaryAddress: keys.address,
        privateViewKey: keys.viewKey,
        privateSpendKey: keys.spendKey,
        restoreHeight: 0,
      });
      await client.sync();
      const txs = await client.sweepUnlocked({ address: devnet.minerWallet.address, relay: true });
      expect(txs.length).toBeGreaterThan(0);
      mine(11);
      await client.sync();
      expect(await client.getUnlockedBalance()).toBe(0n);
    } finally {
      await older.stop();
    }
  });

  it('a group of two of three receives, and two of them spend', async () => {
    const seats: OwnSeat[] = [];
    try {
      for (let i = 0; i < 3; i++) seats.push(await takeSeat('theirs', devnet));
      const address = await makeGroup(seats, 2);
      mine(2, address);
      mine(65);
      for (const seat of seats) await seat.rpc('refresh', {});
      await exchangeInfo(seats);
      const destinations = [{ address: devnet.minerWallet.address, amount: COIN }];
      const { multisig_txset } = await seats[0]!.rpc<{ multisig_txset: string }>('transfer', { destinations, ring_size: 16 });
      const ids = await signAndSubmit(multisig_txset, [seats[2]!], seats[2]!);
      mine(1);
      for (const id of ids) expect(devnet.node.chain.transaction(id)).toBeDefined();
    } finally {
      for (const seat of seats) await seat.stop();
    }
  });
});
