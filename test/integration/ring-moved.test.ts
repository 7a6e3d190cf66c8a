import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/crypto/index.ts';
import { type ServedDevnet, serveDevnet } from '../../src/devnet/index.ts';
import { toAtomicAmount } from '../../src/protocol/model.ts';
import { RpcService } from '../../src/rpc/service.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { newWallet } from '../../src/wallet/create-wallet.ts';
import { environment } from '../../src/wallet/environment.ts';
import type { Ring } from '../../src/wallet/model.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { inside } from '../support/inside.ts';
import { PlainBackend } from '../support/plain-backend.ts';
import { oneWalletHost } from '../support/rpc-host.ts';
import { refreshToTip } from '../support/two-wallets.ts';

const COIN = 1_000_000_000_000n;
const env = environment({
  store: new PlainBackend(),
  scanPool: createInlineScanPool,
  sync: { pollEvery: 60_000, retryFirst: 10, retryMost: 50 },
});
let devnet: ServedDevnet;
let wallet: Wallet;
let count = 0;
/** What the daemon was asked for on behalf of our coins, request by request. */
const requests: (readonly bigint[])[] = [];

beforeAll(async () => {
  devnet = await serveDevnet({ history: { blocks: 200, transactions: 0 } });
});

afterAll(async () => {
  await wallet?.close();
  await devnet?.stop();
});

const mine = (blocks: number) => {
  for (let i = 0; i < blocks; i++) devnet.node.mine(devnet.minerWallet);
};
const pay = () => ({
  destinations: [{ address: inside(wallet).state.description.primaryAddress, amount: toAtomicAmount(COIN / 2n) }],
  account: 0,
  priority: 0 as const,
});

/** A wallet with one coin whose ring is kept, and which a reorganisation then has put elsewhere. Returns its key image and that ring. */
async function coinThatMoved(): Promise<Ring> {
  await wallet?.close();
  wallet = await Wallet.create(
    env,
    `wallet ${++count}`,
    'pw',
    await newWallet(systemRandom, { network: 'regtest', from: { height: 0 }, now: 0 }),
  );
  await wallet.setDaemon({ url: devnet.url, trusted: true });
  mine(3);
  devnet.faucet.give((await wallet.view()).primaryAddress, COIN);
  mine(11);
  await follow();
  const { id } = await wallet.payments.prepareTransfer(pay());
  await wallet.payments.discard(id);
  const [ring] = [...inside(wallet).state.rings.values()];
  devnet.node.popBlocks(13);
  mine(16);
  await follow();
  const { globalIndex } = [...inside(wallet).state.outputs.values()][0]!.output;
  // By chance a member of the ring lies where the coin went: the ring is good all the same.
  if (ring!.members.includes(globalIndex)) return coinThatMoved();
  requests.length = 0;
  watch();
  return ring!;
}

const follow = () => refreshToTip(wallet, devnet.node.chain.height);

function watch(): void {
  const daemon = inside(wallet).daemon!;
  const getOuts = daemon.getOuts.bind(daemon);
  daemon.getOuts = (asked, options) => {
    requests.push(asked.map(({ index }) => index));
    return getOuts(asked, options);
  };
}

const service = () =>
  new RpcService(oneWalletHost(wallet, { daemon: { url: devnet.url, trusted: true }, offline: false }), { checkResults: true });

describe('T3 a ring whose output a reorganisation has moved', () => {
  it('stops the payment before anything is asked, until the person gives it up; then one new ring is drawn and kept', async () => {
    const { keyImage } = await coinThatMoved();
    const refused = { code: 'kept-ring-unusable', data: { reason: 'moved', keyImages: [keyImage] } };
    await expect(wallet.payments.prepareTransfer(pay())).rejects.toMatchObject(refused);
    await expect(wallet.payments.prepareTransfer(pay())).rejects.toMatchObject(refused);
    expect(requests).toEqual([]);

    await wallet.giveUpRings([keyImage]);
    await wallet.payments.discard((await wallet.payments.prepareTransfer(pay())).id);
    const drawn = inside(wallet).state.rings.get(keyImage)!;
    expect(drawn.members).toContain([...inside(wallet).state.outputs.values()][0]!.output.globalIndex);
    await wallet.payments.send((await wallet.payments.prepareTransfer(pay())).id);
    expect(inside(wallet).state.rings.get(keyImage)).toEqual(drawn);
    expect(requests).toEqual([requests[0], requests[0]]);
  });

  it('is all that can be given up: not a ring that fits, and not one a second time', async () => {
    const { keyImage } = await coinThatMoved();
    await wallet.giveUpRings([keyImage]);
    await expect(wallet.giveUpRings([keyImage])).rejects.toMatchObject({ code: 'kept-ring-usable' });
    await wallet.payments.discard((await wallet.payments.prepareTransfer(pay())).id);
    const drawn = inside(wallet).state.rings.get(keyImage);
    await expect(wallet.giveUpRings([keyImage])).rejects.toMatchObject({ code: 'kept-ring-usable' });
    await service().call('rescan_blockchain', { hard: true });
    expect(inside(wallet).state.rings.get(keyImage)).toEqual(drawn);
  });

  it('is given up over RPC by rescan_blockchain with hard, and not without', async () => {
    const ring = await coinThatMoved();
    const transfer = () =>
      service().call('transfer', {
        destinations: [{ address: inside(wallet).state.description.primaryAddress, amount: COIN / 2n }],
      });
    const refused = { code: -4, message: expect.stringContaining('Known ring does not include the spent output: ') };
    await expect(transfer()).rejects.toMatchObject(refused);
    await service().call('rescan_blockchain', {});
    await expect(transfer()).rejects.toMatchObject(refused);
    expect(inside(wallet).state.rings.get(ring.keyImage)).toEqual(ring);
    expect(requests).toEqual([]);
    await service().call('rescan_blockchain', { hard: true });
    expect(await transfer()).toMatchObject({ amount: COIN / 2n });
  });
});
