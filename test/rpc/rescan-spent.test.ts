import { beforeAll, expect, it } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import { type DaemonClient, type SpentStatus, Untrusted } from '../../src/daemon/index.ts';
import type { KeyImage } from '../../src/protocol/model.ts';
import { RpcService } from '../../src/rpc/service.ts';
import { Chain } from '../../src/wallet/chain.ts';
import { sendChecked } from '../../src/wallet/spend/index.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import { oneWalletHost } from '../support/rpc-host.ts';
import { COIN, world } from '../wallet/spend/payer.ts';

beforeAll(loadCrypto);

/** A wallet of which a daemon refused a payment, behind a service; `says` is what the daemon knows of a key image. */
async function afterRefusal(says: (image: KeyImage, refused: readonly KeyImage[]) => SpentStatus) {
  const payer = world(Array.from({ length: 6 }, () => ({ amount: 3n * COIN })));
  const prepared = await payer.transfer({});
  payer.lies.send = () => ({ accepted: false, reasons: ['fee-too-low'], reason: '' });
  await expect(sendChecked(payer.ctx, prepared.transactions)).rejects.toMatchObject({ code: 'rejected' });
  const { txHash, inputs } = prepared.transactions[0]!;
  const daemon = {
    isKeyImageSpent: (images: readonly KeyImage[]) => Promise.resolve(new Untrusted(images.map((image) => says(image, inputs)))),
  };
  const { state } = payer.ctx;
  const absent = (): never => {
    throw new Error('expected nothing but the question');
  };
  const ctx = { ...payer.ctx, find: absent, ready: absent, daemon: daemon as unknown as DaemonClient };
  const chain = new Chain(ctx, { rescan: absent, see: absent, watch: absent });
  const { description } = state;
  const backgroundSync = { isOn: false };
  const call = (service: boolean, isDaemonTrusted = service) => {
    const wallet = { description, daemon, chain, backgroundSync, isDaemonTrusted } as unknown as Wallet;
    return new RpcService(oneWalletHost(wallet, { trusted: service }), { checkResults: true }).call('rescan_spent', {});
  };
  return { state, txHash, call, events: payer.events };
}

it('T3 rescan_spent gives a refused payment up where a trusted daemon calls all its inputs unspent, and keeps that', async () => {
  const { state, txHash, call, events } = await afterRefusal(() => 'unspent');
  expect(state.refused).toEqual(new Set([txHash]));
  expect(await call(true)).toEqual({});
  expect(state.refused.size).toBe(0);
  expect(events.at(-1)).toEqual({ type: 'RefusalSettled', txHash });
});

it('T3 rescan_spent gives nothing up while one input waits in the pool, nor by the word of a daemon that is not trusted', async () => {
  const waiting = await afterRefusal((image, refused) => (image === refused[0] ? 'pool' : 'unspent'));
  await waiting.call(true);
  expect(waiting.state.refused).toEqual(new Set([waiting.txHash]));
  const untrusted = await afterRefusal(() => 'unspent');
  await expect(untrusted.call(false)).rejects.toThrow('This command requires a trusted daemon.');
  await expect(untrusted.call(true, false)).rejects.toThrow('This command requires a trusted daemon.');
  await expect(untrusted.call(false, true)).rejects.toThrow('This command requires a trusted daemon.');
  expect(untrusted.state.refused).toEqual(new Set([untrusted.txHash]));
});
