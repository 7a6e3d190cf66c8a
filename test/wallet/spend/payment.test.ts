import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../src/base/index.ts';
import { loadCrypto } from '../../../src/crypto/index.ts';
import { decodeAddress, encodeAddress, parseTransaction, toAtomicAmount } from '../../../src/protocol/index.ts';
import type { SpendProgress, SweepRequest, TransferRequest } from '../../../src/wallet/api.ts';
import { PUBLIC_PER_BYTE_LIMIT } from '../../../src/wallet/spend/fees.ts';
import { planPayment, readRequest } from '../../../src/wallet/spend/index.ts';
import { applyEvent } from '../../../src/wallet/state/fold.ts';
import { makeReady } from '../../support/paying.ts';
import { BLOCKS, OUTPUTS_A_BLOCK, offsets } from './chain.ts';
import { account, COIN, FEES, failsWith, pay, receiver, world } from './payer.ts';

beforeAll(loadCrypto);

describe('preparing a payment', () => {
  it('plans, rings, signs and checks; only the rings are written', async () => {
    const { transfer, events, asked } = world([{ amount: 3n * COIN }]);
    const { review, transactions } = await transfer({});
    const [line] = review.transactions;
    expect([line!.amount, line!.inputs, line!.outputs, review.totalAmount]).toEqual([COIN, 1, 2, COIN]);
    expect(line!.change).toBe(2n * COIN - line!.fee);
    expect(transactions[0]!.destinations).toEqual([pay(COIN)]);
    expect(transactions[0]!.txKeys).toHaveLength(1);
    expect(parseTransaction(hexToBytes(transactions[0]!.blob)).unlockTime).toBe(0n);
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['RingsChosen']));
    expect(asked.filter((name) => name === 'outs')).toHaveLength(1);
  });

  it('tells its stages in order, those of signing for each transaction', async () => {
    const { ctx } = world([{ amount: 20n * COIN }, { amount: 20n * COIN }]);
    const told: string[] = [];
    const progress = ({ stage, number, of }: SpendProgress) => told.push(`${stage} ${number}/${of}`);
    const destinations = Array.from({ length: 20 }, () => pay(COIN));
    await makeReady({ ...ctx, progress }, { kind: 'transfer', destinations, account: 0, priority: 1, severalTransactions: true });
    expect(told).toEqual(['coins 1/1', 'decoys 1/1', 'signing 1/2', 'signing 2/2', 'checking 1/2', 'checking 2/2']);
  });

  it('T1 a lying fee stops it before a ring is chosen; with the person’s word it is paid and shown', async () => {
    const { transfer, lies, events, asked } = world([{ amount: 3n * COIN }]);
    for (const fees of [[178_500_000n], [60_001n], [2n ** 64n - 1n]]) {
      lies.fees = fees;
      await expect(transfer({ priority: 1 })).rejects.toMatchObject(failsWith('fee-too-high'));
    }
    lies.fees = FEES;
    lies.quantization = 10n ** 12n;
    await expect(transfer({})).rejects.toMatchObject(failsWith('fee-too-high'));
    expect([events, asked.filter((name) => name === 'outs' || name === 'distribution')]).toEqual([[], []]);
    lies.quantization = 0n;
    await expect(transfer({ acceptHighFee: true })).rejects.toMatchObject(failsWith('fee-unavailable'));
    lies.quantization = 10_000n;
    lies.fees = [1_000_000n];
    const { review } = await transfer({ priority: 1, acceptHighFee: true });
    expect(review.totalFee > COIN / 1000n).toBe(true);
  });

  it('T1 rewards that headers claim do not lift the bound on fees, nor does a chain called regtest', async () => {
    const { ctx, transfer, lies } = world([{ amount: 30n * COIN }]);
    lies.fees = FEES.map((fee) => 3_000n * fee);
    lies.reward *= 3_000n;
    const regtest = { ...ctx.state.description, network: 'regtest' as const };
    for (const description of [ctx.state.description, regtest]) {
      Object.assign(ctx.state, { description });
      await expect(transfer({ priority: 1 })).rejects.toMatchObject(failsWith('fee-too-high'));
    }
  });

  it.each([1, 2, 3, 4] as const)(
    'T1 the absolute bound holds where blocks pay enough for a higher one, at priority %d',
    async (priority) => {
      const { ctx, transfer, lies } = world([{ amount: 30n * COIN }]);
      Object.assign(ctx.state, { lastReward: 1_000n * COIN });
      const limit = PUBLIC_PER_BYTE_LIMIT[priority - 1]!;
      lies.fees = [limit + 1n];
      await expect(transfer({ priority })).rejects.toMatchObject({ ...failsWith('fee-too-high'), data: { bound: limit } });
      lies.fees = [limit];
      const { review } = await transfer({ priority });
      expect(review.totalFee).toBeGreaterThan(0n);
      Object.assign(ctx, { boundsFees: false });
      lies.fees = [limit + 1n];
      await expect(transfer({ priority }), 'regtest of this machine').resolves.toBeDefined();
    },
  );

  it('T1 without a block to judge fees by, and without a bound, it pays nothing', async () => {
    const { ctx, transfer } = world([{ amount: 3n * COIN }]);
    Object.assign(ctx, { boundsFees: false });
    Object.assign(ctx.state, { lastReward: 0n });
    await expect(transfer({})).rejects.toMatchObject(failsWith('fee-unavailable'));
  });

  it('T3 after a failed request the same ring is asked for again', async () => {
    const { ctx, transfer, lies, own } = world([{ amount: 3n * COIN }]);
    lies.outs = () => {
      throw new Error('the connection broke');
    };
    await expect(transfer({})).rejects.toThrow('broke');
    const ring = () => ctx.state.rings.get(own[0]!.keyImage)!;
    const { asked } = ring();
    lies.outs = (got) => got;
    await transfer({});
    const { members } = ring();
    await transfer({ priority: 3 });
    expect(ring()).toMatchObject({ asked, members });
    expect(members.length).toBe(16);
  });

  it.each<[string, (payer: ReturnType<typeof world>) => Promise<unknown>]>([
    ['a payment of two coins', ({ transfer }) => transfer({ destinations: [pay(5n * COIN)] })],
    ['a payment with a second coin for looks', ({ transfer }) => transfer({})],
    ['a sweep', ({ sweep }) => sweep({})],
    ['a coin by name', ({ own, sweep }) => sweep({ keyImage: own[1]!.keyImage })],
    [
      'a set for the cold half',
      ({ ctx }) => planPayment(ctx, readRequest({ kind: 'transfer', destinations: [pay(COIN)], account: 0, priority: 0 }, ctx)),
    ],
    ['a retry with an older ring', async ({ transfer }) => [await transfer({}), await transfer({ priority: 3 })]],
  ])('T3 T16 the rings of %s are on the disk for good before each request and after each answer', async (_, act) => {
    const payer = world([{ amount: 3n * COIN }, { amount: 3n * COIN }]);
    await act(payer);
    const order = payer.asked.filter((line) => line === 'outs' || line.endsWith('RingsChosen'));
    expect(order.filter((line) => line.startsWith('relaxed'))).toEqual([]);
    for (const request of payer.requests) {
      const kept = [...payer.ctx.state.rings.values()].flatMap(({ asked }) => asked!);
      expect(request.filter((index) => !kept.includes(index))).toEqual([]);
    }
    // What is asked for anew is journalled before the request; what the answer decided, before anything is signed.
    const first = order.indexOf('outs');
    expect(order.slice(0, first)).toContain('strict RingsChosen');
    expect(order[first + 1]).toBe('strict RingsChosen');
    expect([...payer.ctx.state.rings.values()].every(({ members }) => members.length === 16)).toBe(true);
  });

  it('T4 refuses a distribution that falls, ends early, or ends beyond the tip', async () => {
    const { transfer, lies } = world([{ amount: 3n * COIN }]);
    const bad = [
      offsets().map((sum, i) => (i === 50 ? sum + 100 : sum)),
      offsets().slice(0, BLOCKS - 50),
      Float64Array.from([...offsets(), ...new Array<number>(50).fill(OUTPUTS_A_BLOCK * BLOCKS)]),
      offsets().map(() => Number.NaN),
    ];
    for (const distribution of bad) {
      lies.distribution = () => distribution;
      await expect(transfer({})).rejects.toMatchObject(failsWith('bad-distribution'));
    }
  });

  it('T11 never touches another account, a frozen output or another subaddress than asked', async () => {
    const { ctx, own, transfer, sweep } = world([
      { amount: 9n * COIN, at: account(1) },
      { amount: 2n * COIN },
      { amount: 5n * COIN, at: account(0, 1) },
      { amount: 3n * COIN },
    ]);
    applyEvent(ctx.state, { type: 'Frozen', key: own[1]!.key });
    const spent = async (request: Parameters<typeof transfer>[0]) =>
      (await transfer(request)).transactions.flatMap(({ inputs }) => inputs);
    expect(await spent({ subaddresses: [0] })).toEqual([own[3]!.keyImage]);
    expect(await spent({ account: 1 })).toEqual([own[0]!.keyImage]);
    await expect(transfer({ destinations: [pay(9n * COIN)] })).rejects.toMatchObject({
      ...failsWith('not-enough-money'),
      data: { balance: 8n * COIN },
    });
    const all = await sweep({});
    expect(new Set(all.transactions[0]!.inputs)).toEqual(new Set([own[2]!.keyImage, own[3]!.keyImage]));
    expect(all.review.warnings).toContain('links-subaddresses');
  });

  it('T11 outputs chosen by name are spent and no others, of one account, with a word when they link addresses', async () => {
    const { ctx, own, sweep } = world([
      { amount: 1n * COIN },
      { amount: 2n * COIN },
      { amount: 3n * COIN },
      { amount: 5n * COIN, at: account(0, 1) },
      { amount: 9n * COIN, at: account(1) },
    ]);
    const images = (...at: number[]) => at.map((i) => own[i]!.keyImage!);
    const alike = await sweep({ keyImages: images(0, 2, 0) });
    expect(new Set(alike.transactions[0]!.inputs)).toEqual(new Set(images(0, 2)));
    expect(alike.review.totalAmount + alike.review.totalFee).toBe(4n * COIN);
    expect(alike.review.warnings).toEqual([]);
    expect((await sweep({ keyImages: images(0, 3) })).review.warnings).toEqual(['links-subaddresses']);
    await expect(sweep({ keyImages: images(0, 4) })).rejects.toMatchObject(failsWith('output-not-spendable'));
    applyEvent(ctx.state, { type: 'Frozen', key: own[2]!.key });
    await expect(sweep({ keyImages: images(0, 2) })).rejects.toMatchObject(failsWith('output-not-spendable'));
    await expect(sweep({ keyImages: [] })).rejects.toMatchObject(failsWith('no-unlocked-outputs'));
  });

  it.each<[string, Partial<TransferRequest>, string]>([
    ['no destination', { destinations: [] }, 'no-destination'],
    [
      'sixteen destinations',
      { destinations: Array.from({ length: 16 }, () => ({ address: '', amount: toAtomicAmount(1n) })) },
      'too-many-destinations',
    ],
    ['text that is no address', { destinations: [{ address: 'nobody', amount: toAtomicAmount(1n) }] }, 'bad-address'],
    ['nothing to pay', { destinations: [{ address: '', amount: toAtomicAmount(0n) }] }, 'zero-amount'],
  ])('refuses %s', async (_, request, code) => {
    const { transfer, asked } = world([{ amount: 3n * COIN }]);
    await expect(transfer(request)).rejects.toMatchObject(failsWith(code));
    expect(asked).toEqual([]);
  });

  it('refuses addresses of other networks, several payment ids, and a payment id among several destinations', async () => {
    const { ctx, transfer } = world([{ amount: 3n * COIN }]);
    const id = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    const refuse = (destinations: TransferRequest['destinations'], code: string) =>
      expect(transfer({ destinations })).rejects.toMatchObject(failsWith(code));
    await refuse([pay(COIN, receiver('stagenet'))], 'wrong-network');
    await refuse([pay(1n, receiver('mainnet', id)), pay(1n, receiver('mainnet', id))], 'several-payment-ids');
    await refuse([pay(1n, receiver('mainnet', id)), pay(1n, ctx.addressOf(account(1)))], 'payment-id-with-several-destinations');
    const { transactions } = await transfer({ destinations: [pay(COIN, receiver('mainnet', id))] });
    expect(transactions[0]!.paymentId).toBe(bytesToHex(id));
  });

  it('a payment id beside change reaches the other recipient; an integrated address of ours is refused, because the id would reach others', async () => {
    const { ctx, transfer } = world([{ amount: 9n * COIN }]);
    const id = Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 1);
    const own = ctx.addressOf(account(0));
    const integrated = encodeAddress({ ...decodeAddress(own, 'mainnet'), kind: 'integrated', paymentId: id });
    const { transactions } = await transfer({ destinations: [pay(COIN, own), pay(COIN, receiver('mainnet', id))] });
    expect(transactions[0]!.paymentId).toBe(bytesToHex(id));
    const refused = failsWith('payment-id-with-several-destinations');
    await expect(transfer({ destinations: [pay(COIN, integrated), pay(COIN)] })).rejects.toMatchObject(refused);
    // Ours by its spend key alone: who knows the view key would read the id.
    const { viewKey } = decodeAddress(receiver('mainnet'), 'mainnet');
    const foreign = encodeAddress({ ...decodeAddress(ctx.addressOf(account(1)), 'mainnet'), viewKey });
    await expect(transfer({ destinations: [pay(COIN, integrated), pay(COIN, foreign)] })).rejects.toMatchObject(refused);
  });

  it('an integrated address of ours is paid beside one other address of ours, which then has the id', async () => {
    const { ctx, transfer } = world([{ amount: 9n * COIN }]);
    const id = Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 1);
    const integrated = encodeAddress({
      ...decodeAddress(ctx.addressOf(account(0)), 'mainnet'),
      kind: 'integrated',
      paymentId: id,
    });
    const beside = (...others: number[]) => [integrated, ...others.map((other) => ctx.addressOf(account(other)))];
    const paid = (addresses: readonly string[]) => transfer({ destinations: addresses.map((address) => pay(COIN, address)) });
    const { transactions } = await paid(beside(1));
    expect(transactions[0]!.paymentId).toBe(bytesToHex(id));
    await expect(paid(beside(1, 2))).rejects.toMatchObject(failsWith('payment-id-with-several-destinations'));
  });

  it('refuses a wallet that only watches', async () => {
    const { transfer, sweep } = world([{ amount: 3n * COIN }], 'view');
    await expect(transfer({})).rejects.toMatchObject(failsWith('view-only'));
    await expect(sweep({})).rejects.toMatchObject(failsWith('view-only'));
  });
});

describe('preparing a sweep', () => {
  it('takes all, what is below an amount, or one output', async () => {
    const { own, sweep } = world([{ amount: COIN }, { amount: 2n * COIN }, { amount: 3n * COIN }]);
    const count = async (request: Partial<SweepRequest>) =>
      (await sweep(request)).transactions.flatMap(({ inputs }) => inputs).length;
    expect(await count({})).toBe(3);
    expect(await count({ belowAmount: 3n * COIN })).toBe(2);
    const { transactions, review } = await sweep({ keyImage: own[1]!.keyImage, outputs: 3 });
    expect(transactions[0]!.inputs).toEqual([own[1]!.keyImage]);
    expect(transactions[0]!.destinations).toHaveLength(3);
    expect(review.totalAmount + review.totalFee).toBe(2n * COIN);
  });

  it('says when there is nothing to take', async () => {
    const { ctx, own, sweep } = world([{ amount: COIN }]);
    await expect(sweep({ belowAmount: 1n })).rejects.toMatchObject(failsWith('nothing-below-threshold'));
    await expect(sweep({ account: 3 })).rejects.toMatchObject(failsWith('no-unlocked-outputs'));
    await expect(sweep({ keyImage: '00'.repeat(32) })).rejects.toMatchObject(failsWith('output-not-spendable'));
    applyEvent(ctx.state, { type: 'Frozen', key: own[0]!.key });
    await expect(sweep({ keyImage: own[0]!.keyImage })).rejects.toMatchObject({
      ...failsWith('output-not-spendable'),
      data: { hold: 'frozen' },
    });
  });
});
