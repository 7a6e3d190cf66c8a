import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSiteServer } from '../../src/cli/http/server.ts';
import { devnetUpstream } from '../../src/cli/http/upstream.ts';
import { type Devnet, openDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { createWallet, MemoryJournalStore, toAtomicAmount, type Wallet } from '../../src/index.ts';
import type { WalletView } from '../../src/wallet/api.ts';
import { post } from '../support/rpc.ts';

const COIN = 1_000_000_000_000n;

/** What a person does first: a new wallet, test coins through the gateway, a payment; blocks come by themselves. */
describe('our wallet on the devnet, through the gateway', () => {
  let devnet: Devnet;
  let server: Server;
  let origin: string;
  let wallet: Wallet;

  beforeAll(async () => {
    devnet = await openDevnet({ blockTime: 0.3, history: { blocks: 300, transactions: 4 } });
    server = createSiteServer({ network: 'regtest', regtest: true, upstream: devnetUpstream(devnet.rpc), faucet: devnet.faucet });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    wallet = await createWallet({ store: new MemoryJournalStore(), name: 'first', password: 'a password', network: 'regtest' });
  });
  afterAll(async () => {
    await wallet?.close();
    server.closeAllConnections();
    server.close();
    devnet.close();
  });

  /** Waits for a view of the wallet that satisfies. */
  function until(wanted: (view: WalletView) => boolean): Promise<WalletView> {
    return new Promise((resolve, reject) => {
      let unsubscribe: (() => void) | undefined;
      const look = (view: WalletView) => {
        if (!wanted(view)) return;
        resolve(view);
        unsubscribe?.();
      };
      wallet.subscribe(look).then((stop) => {
        unsubscribe = stop;
        wallet.view().then(look, reject);
      }, reject);
    });
  }

  it('gets coins that can be spent after ten blocks, and spends them', async () => {
    await wallet.setDaemon({ url: `${origin}/daemon`, trusted: false });
    await wallet.waitUntilSynced();
    const { primaryAddress } = await wallet.view();
    const began = devnet.node.chain.height;
    const given = await post(`${origin}/faucet`, JSON.stringify({ address: primaryAddress }), 'application/json');
    expect(given.status).toBe(200);
    const rich = await until((view) => view.balance.unlocked > 0n);
    expect(rich.balance.unlocked).toBe(10n * COIN);
    expect(devnet.node.chain.height - began).toBeGreaterThanOrEqual(10);

    const [{ address }] = await wallet.addresses.make(0, 'savings');
    const destinations = [
      { address, amount: toAtomicAmount(COIN) },
      { address: devnet.minerWallet.address, amount: toAtomicAmount(2n * COIN) },
    ];
    const transfer = await wallet.payments.prepareTransfer({ destinations, account: 0, priority: 1 });
    const [hash] = await wallet.payments.send(transfer.id);
    await until((view) => view.balance.unlocked === 8n * COIN - transfer.totalFee);
    expect(devnet.node.chain.transaction(hash!)).toBeDefined();
    const [spent] = await wallet.history();
    expect(spent).toMatchObject({ txHash: hash, direction: 'out', fee: transfer.totalFee });
  });
});

it("the devnet's own faucet takes JSON alone, which no page of another origin can send unasked", async () => {
  const devnet = await serveDevnet({ blockTime: 0, history: { blocks: 70, transactions: 0 } });
  const body = JSON.stringify({ address: devnet.minerWallet.address });
  const statuses = await Promise.all(
    ['text/plain', 'application/x-www-form-urlencoded', 'application/json'].map(async (type) => {
      const { status } = await post(`${devnet.url}/faucet`, body, type);
      return status;
    }),
  );
  expect(statuses).toEqual([415, 415, 200]);
  await devnet.stop();
});
