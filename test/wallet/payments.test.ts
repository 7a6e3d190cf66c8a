import { beforeAll, describe, expect, it } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import type { OnSpendProgress, SpendStage } from '../../src/wallet/api.ts';
import type { WalletContext } from '../../src/wallet/context.ts';
import { Payments } from '../../src/wallet/payments.ts';
import type { SpendContext } from '../../src/wallet/spend/index.ts';
import { yieldToEventLoop } from '../../src/wallet/yield-to-event-loop.ts';
import { COIN, failsWith, pay, world } from './spend/payer.ts';

beforeAll(loadCrypto);

const request = () => ({ destinations: [pay(COIN)], account: 0, priority: 1 }) as const;

/** Payments of a wallet with one coin, whose journal takes its time, as a disk does. */
function withOneCoin(coin: Parameters<typeof world>[0][number] = { amount: 3n * COIN }) {
  const payer = world([coin]);
  const append: SpendContext['append'] = async (...written) => {
    await yieldToEventLoop();
    await payer.ctx.append(...written);
  };
  const payments = new Payments(
    payer.ctx as unknown as WalletContext,
    (progress): SpendContext => ({ ...payer.ctx, append, progress }),
  );
  const sends = () => payer.asked.filter((line) => line === 'send').length;
  return { ...payer, payments, sends };
}

describe('payments of an open wallet', () => {
  it('are planned and reviewed first, and signed when they are sent', async () => {
    const { payments, events, sends } = withOneCoin();
    const stages: SpendStage[] = [];
    const told: OnSpendProgress = ({ stage }) => stages.push(stage);
    const prepared = await payments.prepareTransfer(request(), told);
    expect([prepared.totalAmount, prepared.transactions.length, stages]).toEqual([COIN, 1, ['coins', 'decoys']]);
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['RingsChosen']));
    const hashes = await payments.send(prepared.id, told);
    expect([hashes.length, sends(), stages.slice(2)]).toEqual([1, 1, ['signing', 'checking', 'sending']]);
  });

  it.each(['coins', 'decoys'] as const)('are stopped while at %s: no plan is kept', async (stage) => {
    const { payments } = withOneCoin();
    const stop: OnSpendProgress = (at) => {
      if (at.stage === stage) void payments.cancel();
    };
    await expect(payments.prepareTransfer(request(), stop)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it.each(['signing', 'checking'] as const)('are stopped while at %s: nothing leaves, and nothing is written', async (stage) => {
    const { payments, events, sends } = withOneCoin();
    const { id } = await payments.prepareTransfer(request());
    const stop: OnSpendProgress = (at) => {
      if (at.stage === stage) void payments.cancel();
    };
    await expect(payments.send(id, stop)).rejects.toMatchObject({ name: 'AbortError' });
    expect([new Set(events.map(({ type }) => type)), sends()]).toEqual([new Set(['RingsChosen']), 0]);
    await expect(payments.send(id), 'it was let go of').rejects.toMatchObject(failsWith('not-found'));
  });

  it('T3 that have begun to leave are not stopped', async () => {
    const { payments, sends } = withOneCoin();
    const { id } = await payments.prepareTransfer(request());
    const tooLate: OnSpendProgress = (at) => {
      if (at.stage === 'sending') void payments.cancel();
    };
    expect(await payments.send(id, tooLate)).toHaveLength(1);
    expect(sends()).toBe(1);
  });

  it('T3 are sent once', async () => {
    const { payments, sends } = withOneCoin();
    const { id } = await payments.prepareTransfer(request());
    const [first, second] = await Promise.allSettled([payments.send(id), payments.send(id)]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ status: 'rejected', reason: failsWith('not-found') });
    await expect(payments.signed(id)).rejects.toMatchObject(failsWith('not-found'));
    expect(sends()).toBe(1);
  });

  it('T3 of one coin do not both leave, though both were planned before', async () => {
    const { payments, sends } = withOneCoin();
    const plans = [await payments.prepareTransfer(request()), await payments.prepareTransfer(request())];
    const [first, second] = await Promise.allSettled(plans.map(({ id }) => payments.send(id)));
    expect(first!.status).toBe('fulfilled');
    expect(second).toMatchObject({ status: 'rejected', reason: failsWith('output-not-spendable') });
    expect(sends()).toBe(1);
  });
});

describe('unmixable coins', () => {
  const rare = { amount: 3n * COIN, clear: true, index: 4n };

  it('are reviewed before they go back to the wallet, and sent once, whatever else was planned with them', async () => {
    const { payments, events, sends, ctx } = withOneCoin(rare);
    const prepared = await payments.prepareUnmixable({});
    const again = await payments.prepareUnmixable({});
    const [{ destinations, change, inputs }] = prepared!.transactions as [(typeof prepared & object)['transactions'][number]];
    const address = ctx.addressOf({ major: 0, minor: 0 });
    expect(destinations).toEqual([{ address, amount: rare.amount - prepared!.totalFee }]);
    expect([change, inputs, prepared!.totalAmount, events]).toEqual([0n, 1, destinations[0]!.amount, []]);
    expect(await payments.send(prepared!.id)).toHaveLength(1);
    await expect(payments.send(prepared!.id)).rejects.toMatchObject(failsWith('not-found'));
    await expect(payments.send(again!.id)).rejects.toMatchObject(failsWith('output-not-spendable'));
    expect(sends()).toBe(1);
  });

  it('are none where all can be hidden: nothing is prepared', async () => {
    const { payments, lies } = withOneCoin(rare);
    lies.histogram = () => [rare.amount];
    expect(await payments.prepareUnmixable({})).toBeUndefined();
    const hidden = withOneCoin();
    expect(await hidden.payments.prepareUnmixable({})).toBeUndefined();
  });

  it('are not even looked for where nobody can sign', async () => {
    const payer = world([rare], 'view');
    const payments = new Payments(payer.ctx as unknown as WalletContext, () => payer.ctx);
    await expect(payments.prepareUnmixable({})).rejects.toMatchObject(failsWith('view-only'));
    expect(payer.asked).toEqual([]);
  });
});
