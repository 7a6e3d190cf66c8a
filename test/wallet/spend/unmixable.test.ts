import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../../src/base/index.ts';
import { loadCrypto, zeroCommit } from '../../../src/crypto/index.ts';
import {
  digitsOfAmount,
  isOneDigit,
  parseTransaction,
  serializeTransaction,
  type TransactionV1,
  transactionHash,
} from '../../../src/protocol/index.ts';
import { constructTransaction } from '../../../src/wallet/spend/construct.ts';
import { exactWeight, feeForWeight } from '../../../src/wallet/spend/fees.ts';
import { planPayment, reviewPayment, sendChecked } from '../../../src/wallet/spend/index.ts';
import type { SpendableOutput } from '../../../src/wallet/spend/inputs.ts';
import { planUnmixable } from '../../../src/wallet/spend/plan-unmixable.ts';
import type { UnsignedTransaction } from '../../../src/wallet/spend/unsigned.ts';
import { verifySigned } from '../../../src/wallet/spend/verify.ts';
import { applyEvent, initialState } from '../../../src/wallet/state/fold.ts';
import { addressOf, ERA, makeKeys, ownedOutput, paperOutput, seededRandom, seededSampler } from './fixtures.ts';
import { account, COIN, failsWith, world } from './payer.ts';

beforeAll(loadCrypto);

const rate = { perByte: 20_000n, quantization: 10_000n };
const sum = (parts: readonly { readonly amount: bigint }[]) => parts.reduce((total, { amount }) => total + amount, 0n);

describe('an amount split by its digits', () => {
  it('has a part for each digit that is not zero', () => {
    expect(digitsOfAmount(17_000_044_405n)).toEqual([5n, 400n, 4000n, 40_000n, 7_000_000_000n, 10_000_000_000n]);
    expect(digitsOfAmount(1020n)).toEqual([20n, 1000n]);
    expect(digitsOfAmount(0n)).toEqual([]);
    expect(sum(digitsOfAmount(2n ** 64n - 1n).map((amount) => ({ amount })))).toBe(2n ** 64n - 1n);
  });

  it('has a single digit only if it is one part', () => {
    expect([1n, 90n, 10n ** 19n].map(isOneDigit)).toEqual([true, true, true]);
    expect([0n, 11n, 101n, 10n ** 19n + 1n].map(isOneDigit)).toEqual([false, false, false, false]);
  });
});

describe('a plan for unmixable coins', () => {
  const plan = (amounts: readonly bigint[], facts: Partial<SpendableOutput> = {}) => {
    const spendable = amounts.map((amount) => paperOutput({ amount, rct: false, ...facts }));
    const to = { ...addressOf(makeKeys(seededRandom('plan'))), text: 'own address' };
    return planUnmixable({ era: ERA, rate, address: to, spendable, sampler: seededSampler('plan') });
  };

  it('spends all of it in rings of one, and pays what the fee leaves in one output a digit', () => {
    const [planned, ...others] = plan([3n * COIN, 17_592_186_044_415n, 2_000_000n]);
    expect(others).toEqual([]);
    expect(planned!.inputs).toHaveLength(3);
    expect(planned!.rings).toEqual(planned!.inputs.map(({ globalIndex }) => [globalIndex]));
    expect(planned!.outputs.map(({ amount }) => amount)).toEqual(digitsOfAmount(sum(planned!.destinations)));
    expect(sum(planned!.inputs)).toBe(sum(planned!.outputs) + planned!.fee);
    expect([planned!.change, planned!.changeAddress]).toEqual([0n, undefined]);
  });

  it('pays at least the fee of its own weight, and no more than its trial showed', () => {
    for (const amount of [9n * COIN, 10n * COIN, 1_234_567_890_123n, 2_000_000_000n, 999_999_999n]) {
      const [planned] = plan([amount]);
      const needed = feeForWeight(rate, planned!.weight);
      expect(planned!.fee).toBeGreaterThanOrEqual(needed);
      expect(planned!.fee - needed).toBeLessThanOrEqual(feeForWeight(rate, 20 * 40));
    }
  });

  it('alternates outputs below the cost of a unit of weight with the others', () => {
    const [planned] = plan([1n, 2n, 3n, 4n, COIN, 2n * COIN]);
    const kinds = planned!.inputs.map(({ amount }) => (amount < rate.perByte ? 'dust' : 'coin'));
    expect(kinds).toEqual(['coin', 'dust', 'dust', 'dust', 'dust', 'coin']);
    const [poor] = plan([1n, 2n, 3n, 8_000_000n, 8_000_000n, 8_000_000n, 90_000_000n].reverse());
    expect(poor!.inputs.map(({ amount }) => amount < rate.perByte).slice(0, 2)).toEqual([false, true]);
  });

  it('is divided where one transaction would be too heavy', () => {
    const planned = plan(Array.from({ length: 2000 }, () => COIN));
    expect(planned.map(({ inputs }) => inputs.length)).toEqual([1245, 755]);
    for (const { weight } of planned) expect(weight).toBeLessThan(ERA.maxWeight);
    expect(planned.reduce((total, { outputs, fee }) => total + sum(outputs) + fee, 0n)).toBe(2000n * COIN);
  });

  it('is refused when the outputs do not cover the fee, or leave nothing', () => {
    expect(() => plan([1000n])).toThrow(expect.objectContaining(failsWith('not-enough-unlocked-money')));
    const guess = feeForWeight(rate, 80 + 2);
    expect(() => plan([guess + 1n])).toThrow(expect.objectContaining(failsWith('cannot-pay-for-itself')));
    const codes = Array.from({ length: 400 }, (_, n) => {
      try {
        return sum(plan([guess + 10_000n * BigInt(n)])[0]!.outputs) > 0n ? 'planned' : 'pays nothing';
      } catch (error) {
        return (error as { readonly code: string }).code;
      }
    });
    const kinds = ['not-enough-unlocked-money', 'cannot-pay-for-itself', 'zero-amount', 'planned'];
    expect([...new Set(codes)].sort()).toEqual(kinds.sort());
  });

  it('T11 is refused where one transaction would join accounts', () => {
    const spendable = [0, 1].map((major) => paperOutput({ amount: COIN, rct: false, subaddress: { major, minor: 0 } }));
    const to = { ...addressOf(makeKeys(seededRandom('plan'))), text: 'own address' };
    const joined = () => planUnmixable({ era: ERA, rate, address: to, spendable, sampler: seededSampler('plan') });
    expect(joined).toThrow(expect.objectContaining(failsWith('several-accounts')));
  });
});

describe('a transaction of version 1 of ours', () => {
  function build(seed: string, amounts: readonly bigint[] = [3n * COIN, COIN + 5n, 800n]) {
    const random = seededRandom(seed);
    const keys = makeKeys(random);
    const spendable = amounts.map((amount, minor): SpendableOutput => {
      const owned = ownedOutput(keys, amount, random, { major: 0, minor });
      return { ...owned, rct: false, mask: `01${'00'.repeat(31)}`, globalIndex: BigInt(50_000 + minor) };
    });
    const [planned] = planUnmixable({
      era: ERA,
      rate,
      address: { ...addressOf(keys), text: 'own address' },
      spendable,
      sampler: seededSampler(seed),
    });
    const unsigned: UnsignedTransaction = {
      majorVersion: ERA.version,
      version: 1,
      inputs: planned!.inputs.map((output) => ({
        output,
        ring: [{ globalIndex: output.globalIndex, key: hexToBytes(output.key), commitment: zeroCommit(output.amount) }],
        real: 0,
      })),
      outputs: planned!.outputs,
      changeAddress: undefined,
      fee: planned!.fee,
      unlockTime: 0n,
      paymentId: undefined,
    };
    return { random, keys, planned: planned!, unsigned, signed: constructTransaction(unsigned, keys, random) };
  }

  it.each([
    ['several inputs', undefined],
    ['one input and many digits', [1_234_567_891_234n]],
    ['two digits, hence a dummy payment id', [COIN + feeForWeight(rate, 300)]],
  ])('verifies as a node would and weighs what was planned: %s', (seed, amounts) => {
    const { random, keys, planned, unsigned, signed } = build(seed, amounts);
    expect(verifySigned(unsigned, signed, rate, keys.viewKey, random)).toBe(planned.weight);
    expect(signed.bytes).toHaveLength(planned.weight);
    expect(serializeTransaction(parseTransaction(signed.bytes))).toEqual(signed.bytes);
  });

  it('is the same to the byte for the same choices of chance', () => {
    const { hash, txKeys, outputOrder } = build('several inputs').signed;
    const order = [3, 1, 0, 7, 9, 5, 10, 4, 8, 6, 2];
    expect([bytesToHex(hash).slice(0, 16), bytesToHex(txKeys[0]!).slice(0, 8)]).toEqual(['9665959c5b38f05b', '13930cb0']);
    expect([txKeys.length, outputOrder]).toEqual([1, order]);
  });

  it('weighs a payment id where there are two outputs at most, as RingCT does', () => {
    const inputs = [{ amount: 300n, ring: [127n] }];
    const shape = { version: 1, inputs, outputs: [5n], extraSize: 44, fee: 0n, unlockTime: 0n } as const;
    expect(exactWeight(ERA, shape)).toBe(4 + (1 + 2 + 1 + 1 + 32 + 64) + (1 + 1 + 32 + 1) + 1 + 44);
  });

  type Forged = Omit<ReturnType<typeof build>['signed'], 'transaction'> & { readonly transaction: TransactionV1 };
  const forgeries: [string, (tx: TransactionV1) => TransactionV1, string][] = [
    ['another unlock time', (tx) => ({ ...tx, unlockTime: 5n }), 'the unlock time asked for'],
    ['unsorted inputs', (tx) => ({ ...tx, inputs: tx.inputs.toReversed() }), 'expected'],
    ['swapped signatures', (tx) => ({ ...tx, signatures: tx.signatures!.toReversed() }), 'ring signatures that hold'],
    [
      'an extra field that was not signed',
      (tx) => ({ ...tx, extra: Uint8Array.of(...tx.extra, 0) }),
      'ring signatures that hold',
    ],
    [
      'an output of two digits',
      (tx) => ({ ...tx, outputs: tx.outputs.map((output, i) => (i === 0 ? { ...output, amount: 11n } : output)) }),
      'outputs of one digit each',
    ],
    [
      'an output worth less, for a larger fee',
      (tx) => ({ ...tx, outputs: tx.outputs.map((output) => ({ ...output, amount: 1n })) }),
      'inputs that equal outputs and the fee',
    ],
    [
      'amounts that changed places',
      (tx) => ({
        ...tx,
        outputs: tx.outputs.map((output, i) => ({ ...output, amount: tx.outputs.at(-1 - i)!.amount })),
      }),
      'expected',
    ],
    [
      'no view tags',
      (tx) => ({ ...tx, outputs: tx.outputs.map((output) => ({ ...output, viewTag: undefined })) }),
      'view tags and points',
    ],
    [
      'another ring',
      (tx) => ({
        ...tx,
        inputs: tx.inputs.map((input) => (input.type === 'key' ? { ...input, keyOffsets: [input.keyOffsets[0]! + 1n] } : input)),
      }),
      'the ring chosen',
    ],
  ];
  it.each(forgeries)('is refused before it leaves with %s', (what, change, words) => {
    const { random, keys, unsigned, signed } = build(what);
    const transaction = change(signed.transaction as TransactionV1);
    const bytes = serializeTransaction(transaction);
    const forged: Forged = { ...signed, transaction, bytes, hash: transactionHash(parseTransaction(bytes)) };
    expect(() => verifySigned(unsigned, forged, rate, keys.viewKey, random)).toThrow(words);
  });

  it('is refused where it goes to somebody else, and where RingCT was asked for', () => {
    const { random, keys, unsigned, signed } = build('honest');
    const thief = addressOf(makeKeys(seededRandom('thief')));
    const other = { ...unsigned, outputs: unsigned.outputs.map(({ amount }) => ({ amount, address: thief })) };
    expect(() => verifySigned(other, signed, rate, keys.viewKey, random)).toThrow('outputs as asked for');
    const { version: _, ...ringCt } = unsigned;
    expect(() => verifySigned(ringCt, signed, rate, keys.viewKey, random)).toThrow('a transaction of version 2');
  });
});

describe('preparing a sweep of unmixable coins', () => {
  const rare = { amount: 3n * COIN, clear: true, index: 4n };
  const common = { amount: 5n * COIN, clear: true, index: 3n };
  const odd = { amount: 17_592_186_044_415n, clear: true, index: 0n };
  const hidden = { amount: 7n * COIN };

  it('takes clear amounts that the chain has too few of, and nothing else; it asks for no ring', async () => {
    const { unmixable, lies, asked, events, own } = world([rare, common, odd, hidden]);
    lies.histogram = () => [5n * COIN];
    const prepared = await unmixable();
    const [tx] = prepared.transactions;
    expect(new Set(tx!.inputs)).toEqual(new Set([own[0]!.keyImage, own[2]!.keyImage]));
    expect([tx!.change, tx!.account, tx!.txKeys.length]).toEqual([0n, 0, 1]);
    expect(tx!.destinations.map(({ amount }) => amount)).toEqual([rare.amount + odd.amount - tx!.fee]);
    expect([asked.includes('outs'), asked.includes('distribution'), events]).toEqual([false, false, []]);
  });

  it('is reviewed with the warning that its coins and amounts are in the open', async () => {
    const order = { kind: 'unmixable', account: undefined, acceptHighFee: false } as const;
    const plan = await planPayment(world([rare, odd, hidden]).ctx, order);
    expect(reviewPayment(plan).warnings).toEqual(['all-in-the-open']);
  });

  it('has no transactions without unmixable coins, and asks for no counts', async () => {
    const { unmixable, lies, histograms } = world([hidden, common]);
    lies.histogram = () => [5n * COIN];
    expect((await unmixable()).transactions).toEqual([]);
    expect((await world([hidden]).unmixable()).transactions).toEqual([]);
    expect(histograms).toEqual([{ amounts: [5n * COIN], minCount: 16n }]);
  });

  it('T24 tells its amounts to a trusted daemon only: another is asked for all there are', async () => {
    const trusted = world([rare, odd]);
    await trusted.unmixable();
    expect(trusted.histograms).toEqual([{ amounts: [3n * COIN, odd.amount], minCount: 16n }]);
    const { ctx, histograms, unmixable } = world([rare, odd]);
    Object.assign(ctx, { trusted: false });
    await unmixable();
    expect(histograms).toEqual([{ amounts: [], minCount: 16n }]);
  });

  it('T3 is refused where the daemon leaves out an amount that the chain was seen to have enough of', async () => {
    const sixteenth = { amount: 5n * COIN, clear: true, index: 15n };
    await expect(world([sixteenth]).unmixable()).rejects.toMatchObject(failsWith('bad-distribution'));
    const fifteenth = { ...sixteenth, index: 14n };
    expect((await world([fifteenth]).unmixable()).transactions).toHaveLength(1);
  });

  it('leaves frozen and locked coins, and takes one account if one is named', async () => {
    const second = { ...rare, amount: 4n * COIN, at: account(1) };
    const { unmixable, ctx, own } = world([rare, odd, second, { ...rare, height: 395 }]);
    applyEvent(ctx.state, { type: 'Frozen', key: own[1]!.key });
    await expect(unmixable()).rejects.toMatchObject(failsWith('several-accounts'));
    const [first] = (await unmixable({ account: 0 })).transactions;
    expect(first!.inputs).toEqual([own[0]!.keyImage]);
    const [other] = (await unmixable({ account: 1 })).transactions;
    expect([other!.inputs, other!.account]).toEqual([[own[2]!.keyImage], 1]);
  });

  it('is in the journal before it leaves, as every send is', async () => {
    const { unmixable, ctx, asked } = world([rare]);
    const prepared = await unmixable();
    expect(parseTransaction(hexToBytes(prepared.transactions[0]!.blob)).version).toBe(1);
    const before = asked.length;
    await sendChecked(ctx, prepared.transactions);
    expect(asked.slice(before)).toEqual([
      'strict TransactionBuilt',
      'strict TransactionSending',
      'send',
      'strict TransactionAccepted',
    ]);
    expect((await unmixable()).transactions).toEqual([]);
  });

  it('is nothing in a wallet that has scanned no block yet', async () => {
    const { ctx } = world([]);
    // On a chain of one's own nothing but its blocks says what fees are fair.
    const fresh = { ...ctx, boundsFees: false, state: initialState(ctx.state.description) };
    const order = { kind: 'unmixable', account: undefined, acceptHighFee: false } as const;
    expect((await planPayment(fresh, order)).transactions).toEqual([]);
  });

  it('is refused to a view-only wallet, which makes a file of it instead', async () => {
    await expect(world([rare], 'view').unmixable()).rejects.toMatchObject(failsWith('view-only'));
  });
});
