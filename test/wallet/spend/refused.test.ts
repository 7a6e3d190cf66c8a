import { beforeAll, expect, it } from 'vitest';
import { loadCrypto } from '../../../src/crypto/index.ts';
import type { KeyImage, TxHash } from '../../../src/protocol/model.ts';
import { EMPTY_POOL } from '../../../src/wallet/pool.ts';
import { refusalSettled } from '../../../src/wallet/refusals.ts';
import { sendChecked } from '../../../src/wallet/spend/index.ts';
import { applyEvent, setPool } from '../../../src/wallet/state/fold.ts';
import { snapshot } from '../../../src/wallet/state/snapshot.ts';
import { foldEvents } from '../../support/fold.ts';
import { account, COIN, pay, world } from './payer.ts';

beforeAll(loadCrypto);

const many = () => world(Array.from({ length: 6 }, (_, i) => ({ amount: 3n * COIN, at: account(0, i % 2) })));

/** Pays once, and the daemon says no. */
async function refusedPayment(
  payer: ReturnType<typeof many>,
): Promise<{ readonly txHash: TxHash; readonly inputs: readonly KeyImage[] }> {
  const prepared = await payer.transfer({});
  payer.lies.send = () => ({ accepted: false, reasons: ['fee-too-low'], reason: '' });
  await expect(sendChecked(payer.ctx, prepared.transactions)).rejects.toMatchObject({ code: 'rejected' });
  payer.lies.send = () => ({ accepted: true, reasons: [], reason: '' });
  return prepared.transactions[0]!;
}

it('T3 a payment after a refused one spends a coin of it, whatever its amount', async () => {
  for (const amount of [COIN / 2n, COIN, 5n * COIN, 12n * COIN]) {
    const payer = many();
    const first = await refusedPayment(payer);
    const { transactions } = await payer.transfer({ destinations: [pay(amount)] });
    expect(transactions).toHaveLength(1);
    expect(transactions[0]!.inputs.some((image) => first.inputs.includes(image))).toBe(true);
  }
});

it('T3 it spends a coin of every refused one', async () => {
  const payer = many();
  const refused = [await refusedPayment(payer), await refusedPayment(payer)];
  const { transactions } = await payer.transfer({});
  for (const { inputs } of refused) expect(transactions[0]!.inputs.some((image) => inputs.includes(image))).toBe(true);
});

it.each<[string, (payer: ReturnType<typeof many>, inputs: readonly KeyImage[], txHash: TxHash) => object]>([
  [
    'the pool shows it',
    ({ ctx }, inputs, txHash) => {
      applyEvent(ctx.state, { type: 'TransactionAccepted', txHash, at: 0 });
      setPool(ctx.state, { ...EMPTY_POOL, spends: new Map(inputs.map((image) => [image, txHash])) });
      return {};
    },
  ],
  [
    'its coins are set aside',
    ({ ctx, own }, inputs) => {
      for (const { key, keyImage } of own) if (inputs.includes(keyImage)) applyEvent(ctx.state, { type: 'Frozen', key });
      return {};
    },
  ],
  [
    'the coins of another subaddress are chosen',
    ({ own }, inputs) => ({
      subaddresses: [1 - own.find(({ keyImage }) => keyImage === inputs[0])!.subaddress.minor],
    }),
  ],
])(
  'T3 where a refused payment cannot be excluded since %s, nothing is prepared until the person gives it up',
  async (_, hinder) => {
    const payer = many();
    const { txHash, inputs } = await refusedPayment(payer);
    const request = hinder(payer, inputs, txHash);
    expect(foldEvents(snapshot(payer.ctx.state)).refused, 'kept').toEqual(new Set([txHash]));
    await expect(payer.transfer(request)).rejects.toMatchObject({ code: 'refused-before', data: { txHash } });
    expect(() => refusalSettled(payer.ctx.state, '00'.repeat(32))).toThrow(expect.objectContaining({ code: 'not-found' }));
    applyEvent(payer.ctx.state, refusalSettled(payer.ctx.state, txHash));
    setPool(payer.ctx.state, EMPTY_POOL);
    await expect(payer.transfer(request)).resolves.toBeDefined();
    expect(foldEvents(snapshot(payer.ctx.state)).refused.size, 'kept too').toBe(0);
  },
);

it('T3 once the chain spent a coin of it, payments choose freely', async () => {
  const payer = many();
  const { inputs, txHash } = await refusedPayment(payer);
  const { state } = payer.ctx;
  const spend = { keyImage: inputs[0]!, txHash, height: state.height, timestamp: 0, fee: 0n as never, unlockTime: 0n };
  applyEvent(state, { type: 'Synced', from: state.height, to: state.height, blocks: [], outputs: [], spends: [spend], used: [] });
  const { transactions } = await payer.transfer({});
  expect(transactions[0]!.inputs.some((image) => image === inputs[0])).toBe(false);
});

it('T3 a payment in several transactions after a refused one is not prepared: all but the first would be paid beside it', async () => {
  const payer = world(Array.from({ length: 12 }, () => ({ amount: 3n * COIN })));
  const { txHash } = await refusedPayment(payer);
  // Three transactions, of which the refused one, of two coins at most, has a coin in two at most.
  const destinations = Array.from({ length: 40 }, () => pay(COIN / 2n));
  await expect(payer.transfer({ destinations, severalTransactions: true })).rejects.toMatchObject({
    code: 'refused-before',
    data: { txHash },
  });
});
