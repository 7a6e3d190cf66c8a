import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCrypto } from '../../../src/crypto/index.ts';
import { sameAddress } from '../../../src/protocol/index.ts';
import type { TransactionDraft } from '../../../src/wallet/spend/draft.ts';
import { estimateWeight, exactWeight, feeForWeight, fractionalThreshold, weightTarget } from '../../../src/wallet/spend/fees.ts';
import type { SpendableOutput } from '../../../src/wallet/spend/inputs.ts';
import { planSweep } from '../../../src/wallet/spend/plan-sweep.ts';
import { planTransfer } from '../../../src/wallet/spend/plan-transfer.ts';
import type { Recipient, WrittenAddress } from '../../../src/wallet/spend/request.ts';
import { ERA, paperOutput, runPlan, seededSampler } from './fixtures.ts';

const COIN = 1_000_000_000_000n;
const rate = { perByte: 20_000n, quantization: 10_000n };

const paperAddress = (id: number, isSubaddress = false): WrittenAddress => ({
  text: `address ${id}`,
  spendKey: new Uint8Array(32).fill(id),
  viewKey: new Uint8Array(32).fill(id + 1),
  isSubaddress,
});
const change = paperAddress(200);
const dummy = paperAddress(220);
const rules = (seed: string) => ({
  era: ERA,
  rate,
  changeAddress: change,
  dummyAddress: () => dummy,
  hasPaymentId: false,
  unlockTime: 0n,
  sampler: seededSampler(seed),
  required: [],
  feeFrom: new Set<number>(),
});
const sum = (items: readonly { readonly amount: bigint }[]) => items.reduce((total, { amount }) => total + amount, 0n);

function transfer(spendable: readonly SpendableOutput[], destinations: readonly Recipient[], seed = 'plan') {
  return runPlan(planTransfer({ ...rules(seed), destinations, spendable, balance: sum(spendable) }));
}

function sweep(spendable: readonly SpendableOutput[], outputs = 1, seed = 'sweep') {
  return runPlan(planSweep({ ...rules(seed), address: paperAddress(1), outputs, spendable }));
}

const wallet = (...amounts: bigint[]) => amounts.map((amount) => paperOutput({ amount }));
const pay = (...amounts: bigint[]): Recipient[] => amounts.map((amount, i) => ({ address: paperAddress(2 * i), amount }));

beforeAll(loadCrypto);

function lawful(planned: TransactionDraft): void {
  expect(sum(planned.inputs)).toBe(sum(planned.outputs) + planned.fee);
  expect(planned.outputs.length).toBeGreaterThanOrEqual(2);
  expect(planned.outputs.length).toBeLessThanOrEqual(16);
  expect(planned.weight).toBeLessThan(ERA.maxWeight);
  expect(planned.fee % rate.quantization).toBe(0n);
  // The fee itself takes a byte less when it falls below a power of 128 while it settles: then it pays for that byte.
  const exact = feeForWeight(rate, planned.weight);
  expect([exact, feeForWeight(rate, planned.weight + 1)]).toContain(planned.fee);
  expect(planned.weight).toBe(
    exactWeight(ERA, {
      inputs: planned.rings.map((ring) => ({ amount: 0n, ring })),
      outputs: planned.outputs.map(() => 0n),
      extraSize: ERA.outputs.extraSize(planned.outputs, planned.changeAddress, false),
      fee: planned.fee,
      unlockTime: 0n,
    }),
  );
  expect(new Set(planned.inputs).size).toBe(planned.inputs.length);
}

const amounts = fc.bigInt({ min: 1n, max: 50n * COIN });

describe('laws of every plan', () => {
  it('a payment: inputs equal outputs and fee, 2 … 16 outputs, weight and fee to the byte, everybody paid in full', () => {
    const destination = fc.record({ id: fc.integer({ min: 0, max: 40 }), amount: fc.bigInt({ min: 1n, max: COIN }) });
    fc.assert(
      fc.property(
        fc.array(amounts, { minLength: 1, maxLength: 40 }),
        fc.array(destination, { minLength: 1, maxLength: 15 }),
        fc.string(),
        (held, asked, seed) => {
          const destinations = asked.map(({ id, amount }) => ({ address: paperAddress(id, id % 2 === 1), amount }));
          let plan: readonly TransactionDraft[];
          try {
            plan = transfer(wallet(...held), destinations, seed);
          } catch (error) {
            expect(['not-enough-money', 'not-enough-unlocked-money', 'not-possible']).toContain((error as { code: string }).code);
            expect(sum(held.map((amount) => ({ amount }))) < sum(destinations) + COIN / 10n).toBe(true);
            return;
          }
          plan.forEach(lawful);
          const inputs = plan.flatMap((planned) => planned.inputs);
          expect(new Set(inputs).size).toBe(inputs.length);
          for (const { address } of destinations) {
            const wanted = sum(destinations.filter((other) => sameAddress(other.address, address)));
            const paid = sum(
              plan.flatMap((planned) => planned.destinations).filter((other) => sameAddress(other.address, address)),
            );
            expect(paid).toBe(wanted);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('coins kept ready: change comes back in as many equal outputs as are lacking, where there is room and each is worth it', () => {
    const keeping = (held: bigint[], asked: readonly Recipient[], coins: number, seed = 'keep') => {
      const spendable = wallet(...held);
      const keepReady = { coins, unspent: spendable.length };
      return runPlan(planTransfer({ ...rules(seed), destinations: asked, spendable, balance: sum(spendable), keepReady }));
    };
    const changeOf = ([planned]: readonly TransactionDraft[]) =>
      planned!.outputs.filter(({ address }) => sameAddress(address, change)).map(({ amount }) => amount);
    expect(changeOf(keeping([10n * COIN], pay(COIN), 4))).toHaveLength(4);
    // Two stay, one is spent: one is lacking.
    expect(changeOf(keeping([10n * COIN, COIN, COIN], pay(5n * COIN), 3))).toHaveLength(2);
    expect(changeOf(keeping([10n * COIN], pay(...Array.from({ length: 12 }, () => COIN / 10n)), 16))).toHaveLength(4);
    const dear = fractionalThreshold(ERA, rate) * 50n;
    expect(changeOf(keeping([COIN + 2n * dear + COIN / 100_000n], pay(COIN), 5)).length).toBeLessThanOrEqual(2);
    const held = fc.array(amounts, { minLength: 1, maxLength: 10 });
    const asked = fc.array(fc.bigInt({ min: 1n, max: COIN / 20n }), { minLength: 1, maxLength: 15 });
    fc.assert(
      fc.property(held, asked, fc.integer({ min: 1, max: 16 }), fc.string(), (have, wanted, coins, seed) => {
        fc.pre(sum(have.map((amount) => ({ amount }))) > 2n * COIN);
        for (const planned of keeping(have, pay(...wanted), coins, seed)) {
          lawful(planned);
          const parts = changeOf([planned]);
          expect(parts.length).toBeLessThanOrEqual(Math.max(coins, 1));
          expect(sum(parts.map((amount) => ({ amount })))).toBe(planned.change);
          if (parts.length > 1) expect(parts[0]! - parts.at(-1)!).toBeLessThanOrEqual(1n);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('a fee that payees bear: each gives its equal part and no more, the rest returns as change', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ amount: fc.bigInt({ min: COIN / 10n, max: COIN }), bears: fc.boolean() }), {
          minLength: 1,
          maxLength: 15,
        }),
        fc.string(),
        (asked, seed) => {
          const destinations = pay(...asked.map(({ amount }) => amount));
          const feeFrom = new Set(asked.flatMap(({ bears }, i) => (bears ? [i] : [])));
          fc.pre(feeFrom.size > 0);
          const spendable = wallet(5n * COIN, 7n * COIN, 9n * COIN, sum(asked));
          const held = sum(spendable);
          const plan = runPlan(planTransfer({ ...rules(seed), destinations, spendable, balance: held, feeFrom }));
          expect(plan.length).toBe(1);
          const [one] = plan;
          expect(sum(one!.inputs)).toBe(sum(one!.outputs) + one!.fee);
          expect(one!.change).toBe(sum(one!.inputs) - sum(asked));
          const gaps = destinations.map(
            ({ address, amount }) => amount - one!.destinations.find((paid) => sameAddress(paid.address, address))!.amount,
          );
          const part = one!.fee / BigInt(feeFrom.size);
          gaps.forEach((gap, i) => {
            expect(feeFrom.has(i) ? [part, part + 1n] : [0n]).toContain(gap);
          });
          expect(gaps.reduce((all, gap) => all + gap, 0n)).toBe(one!.fee);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('T1 a sweep costs what a payment of the same shape costs, to the unit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: COIN, max: 50n * COIN }), { minLength: 1, maxLength: 8 }),
        fc.string(),
        (held, seed) => {
          const spendable = wallet(...held);
          const [swept] = sweep(spendable, 1, seed);
          const all = { ...rules(seed), destinations: pay(sum(spendable)), spendable, balance: sum(spendable) };
          const [paid] = runPlan(planTransfer({ ...all, feeFrom: new Set([0]) }));
          const shape = ({ fee, weight, change, inputs, destinations }: TransactionDraft) => ({
            ...{ fee, weight, change, inputs: inputs.length },
            paid: destinations.map(({ amount }) => amount),
          });
          expect(shape(swept!)).toEqual(shape(paid!));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('a sweep spends everything once and leaves no change', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: COIN, max: 9n * COIN }), { minLength: 1, maxLength: 320 }),
        fc.integer({ min: 1, max: 16 }),
        fc.string(),
        (held, outputs, seed) => {
          const plan = sweep(wallet(...held), outputs, seed);
          plan.forEach(lawful);
          expect(plan.flatMap((planned) => planned.inputs).length).toBe(held.length);
          expect(plan.every((planned) => planned.change === 0n && planned.destinations.length === outputs)).toBe(true);
          for (const planned of plan) {
            const parts = planned.destinations.map(({ amount }) => amount).sort((a, b) => Number(a - b));
            expect(parts.at(-1)! - parts[0]! <= 1n).toBe(true);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('T21 the shape of payments', () => {
  it('one large enough output is joined by a small unrelated one, so that most transactions are 2 in, 2 out', () => {
    const [planned] = transfer(wallet(10n * COIN, COIN / 2n, 3n * COIN), pay(COIN));
    expect(planned!.inputs.map(({ amount }) => amount)).toEqual([10n * COIN, COIN / 2n]);
    expect(planned!.outputs.length).toBe(2);
  });

  it('no second one when it is related to the first, or when large outputs run low', () => {
    const related = [paperOutput({ amount: 10n * COIN, height: 50 }), paperOutput({ amount: COIN / 2n, height: 51 })];
    expect(transfer(related, pay(COIN))[0]!.inputs.length).toBe(1);
    expect(transfer(wallet(10n * COIN, 3n * COIN, 3n * COIN), pay(COIN))[0]!.inputs.length).toBe(1);
    const many = wallet(10n * COIN, 3n * COIN, 3n * COIN, 3n * COIN, 3n * COIN, 3n * COIN);
    expect(transfer(many, pay(COIN))[0]!.inputs.length).toBe(2);
  });

  it('leaves outputs alone that cost more to spend than they are worth', () => {
    const threshold = fractionalThreshold(ERA, rate);
    expect(threshold).toBe(20_000n * 679n);
    const [planned] = transfer(wallet(10n * COIN, threshold - 1n), pay(COIN));
    expect(planned!.inputs.map(({ amount }) => amount)).toEqual([10n * COIN]);
    expect(transfer(wallet(10n * COIN, threshold), pay(COIN))[0]!.inputs.length).toBe(2);
  });

  it('the least related pair of one subaddress when none suffices alone, the oldest of equals', () => {
    const at = (height: number, minor: number) => paperOutput({ amount: 2n * COIN, height, subaddress: { major: 0, minor } });
    const held = [at(100, 0), at(105, 0), at(400, 1), at(300, 0), at(900, 0)];
    expect(new Set(transfer(held, pay(3n * COIN))[0]!.inputs)).toEqual(new Set([held[0], held[3]]));
  });

  it('a single destination and no change gets a second, empty output of a fresh address', () => {
    const [planned] = sweep(wallet(COIN));
    expect(planned!.outputs.map(({ amount }) => amount > 0n)).toEqual([true, false]);
    expect(planned!.outputs[1]!.address).toBe(dummy);
    expect(planned!.changeAddress).toBe(dummy);
  });

  it('closes a transaction at two thirds of the limit and begins the next', () => {
    const plan = sweep(wallet(...new Array<bigint>(200).fill(COIN)));
    const most = plan[0]!.inputs.length;
    expect(weightTarget(ERA)).toBe(99_600);
    expect(estimateWeight(ERA, most, 2, 0)).toBeGreaterThanOrEqual(weightTarget(ERA));
    expect(estimateWeight(ERA, most - 1, 2, 0)).toBeLessThan(weightTarget(ERA));
    expect(plan.map(({ inputs }) => inputs.length)).toEqual([most, 200 - most]);
  });

  it('pays one large amount in several transactions when one is too heavy', () => {
    const plan = transfer(wallet(...new Array<bigint>(300).fill(COIN)), pay(250n * COIN));
    expect(plan.length).toBe(2);
    expect(sum(plan.flatMap(({ destinations }) => destinations))).toBe(250n * COIN);
  });

  it('16 destinations take two transactions, 15 one', () => {
    const parts = (count: number) => pay(...new Array<bigint>(count).fill(COIN / 100n));
    const held = () => wallet(10n * COIN, 10n * COIN);
    expect(transfer(held(), parts(15)).map(({ outputs }) => outputs.length)).toEqual([16]);
    expect(transfer(held(), parts(16)).length).toBe(2);
  });

  it('spends one subaddress before touching another', () => {
    const of = (minor: number, amount: bigint) => paperOutput({ amount, subaddress: { major: 0, minor } });
    const held = [of(1, COIN), of(2, 4n * COIN), of(1, COIN), of(2, 4n * COIN), of(2, 4n * COIN)];
    const [planned] = transfer(held, pay(11n * COIN));
    expect(new Set(planned!.inputs.map(({ subaddress }) => subaddress.minor))).toEqual(new Set([2]));
  });
});

describe('what cannot be paid', () => {
  const failure = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      return error as { code: string; data: Record<string, bigint> };
    }
    throw new Error('expected a failure');
  };

  it('says how much there is, how much is unlocked and what the fee would be', () => {
    const spendable = wallet(COIN);
    const plan = () => planTransfer({ ...rules('x'), destinations: pay(2n * COIN), spendable, balance: 5n * COIN });
    const { code, data } = failure(plan);
    expect(code).toBe('not-enough-unlocked-money');
    expect(data).toMatchObject({ needed: 2n * COIN, unlocked: COIN, balance: 5n * COIN });
    expect(data.fee! > 0n).toBe(true);
    expect(failure(() => transfer(spendable, pay(2n * COIN))).code).toBe('not-enough-money');
  });

  it('a fee that payees bear: all of the balance can be paid; amounts below their part, and several transactions, are refused', () => {
    const borne = (spendable: readonly SpendableOutput[], destinations: readonly Recipient[], feeFrom: ReadonlySet<number>) =>
      runPlan(planTransfer({ ...rules('borne'), destinations, spendable, balance: sum(spendable), feeFrom }));
    const [whole] = borne(wallet(COIN), pay(COIN), new Set([0]));
    expect(whole!.destinations[0]!.amount).toBe(COIN - whole!.fee);
    expect(whole!.change).toBe(0n);
    const code = (name: string) => expect.objectContaining({ code: name });
    expect(() => borne(wallet(COIN), pay(1_000n), new Set([0]))).toThrow(code('not-possible'));
    expect(() => borne(wallet(2n * COIN), pay(1_000n, COIN), new Set([0, 1]))).toThrow(code('zero-amount'));
    expect(() => borne(wallet(COIN), pay(COIN + 1n), new Set([0]))).toThrow(code('not-enough-money'));
    expect(() => borne(wallet(1_000n), pay(1_000n), new Set([0]))).toThrow(code('not-enough-money'));
    const small = wallet(...new Array<bigint>(200).fill(COIN));
    expect(() => borne(small, pay(190n * COIN), new Set([0]))).toThrow(code('fee-bearers-split'));
  });

  it('refuses sums past 64 bits, and dust that cannot pay for itself', () => {
    expect(failure(() => transfer(wallet(COIN), pay(2n ** 64n - 1n, 1n))).code).toBe('amount-overflow');
    expect(failure(() => sweep(wallet(1_000n))).code).toBe('cannot-pay-for-itself');
    const [{ fee }] = sweep(wallet(COIN), 2) as [TransactionDraft];
    expect(failure(() => sweep(wallet(fee + 1n), 2)).code).toBe('cannot-pay-for-itself');
    expect(sweep(wallet(fee + 2n), 2)[0]!.destinations.map(({ amount }) => amount)).toEqual([1n, 1n]);
    expect(failure(() => sweep([])).code).toBe('no-unlocked-outputs');
    expect(failure(() => sweep(wallet(COIN), 17)).code).toBe('bad-output-count');
  });

  it('refuses what no block of its era would take, however it is put together', () => {
    const narrow = { ...rules('narrow'), era: { ...ERA, maxWeight: 1_000 } };
    const swept = () => runPlan(planSweep({ ...narrow, address: paperAddress(1), outputs: 1, spendable: wallet(COIN) }));
    expect(failure(swept).code).toBe('transaction-too-big');
  });
});
