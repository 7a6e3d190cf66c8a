import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCrypto } from '../../src/crypto/index.ts';
import { Day } from '../support/ledger/day.ts';
import { DAY_STEPS } from '../support/ledger/day-steps.ts';

// One wallet on a device, and the same keys in the reference's software: a day of random steps, after each of which balances, coins and key images
// agree. The short form takes some steps of every kind; LONG=1 takes 50 at random. DAY_SEED repeats a run.

const LONG = process.env.LONG === '1';
const SEED = Number(process.env.DAY_SEED ?? (LONG ? Date.now() % 1_000_000 : 14));
const NAMES = Object.keys(DAY_STEPS);
/** Those that differ most from each other. */
const SHORT = [
  'paid to three at once, with additional keys',
  'pays an integrated address',
  'pays as many as there is room for',
  'empties its second account',
  'sweeps one coin to its own primary address',
  'the cable is pulled',
  'the wallet is closed and opened again',
];
const STEPS = LONG ? Number(process.env.DAY_STEPS ?? 50) : SHORT.length;

let day: Day;

beforeAll(async () => {
  await loadCrypto();
  day = await Day.start(SEED);
});

afterAll(() => day?.stop());

describe('a day with a device', () => {
  it('the reference opens what the device gave: the same address', async () => {
    expect(await day.theirs.address()).toBe(day.ours.description.primaryAddress);
    await day.agree();
  });

  it(`${STEPS} steps, seed ${SEED}: balances, coins and key images are those of the same keys in software`, {
    timeout: 3_600_000,
  }, async () => {
    const began = Date.now();
    const done = new Map<string, number>();
    for (let step = 0; step < STEPS; step++) {
      // Every kind once, then at random.
      const name = LONG ? (NAMES[step] ?? day.sampler.pick(NAMES)) : SHORT[step]!;
      try {
        const happened = await DAY_STEPS[name]!(day);
        if (happened !== false) done.set(name, (done.get(name) ?? 0) + 1);
        await day.mine();
        await day.agree();
      } catch (error) {
        throw new Error(`step ${step}, ${name}, seed ${SEED}: ${String(error)}`, { cause: error });
      }
    }
    const seconds = Math.round((Date.now() - began) / 1000);
    if (LONG) console.log(`seed ${SEED}: ${STEPS} steps in ${seconds} s; ${JSON.stringify(Object.fromEntries(done))}`);
    expect([...done.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(STEPS / 2);
  });

  it('the reference accepts a payment proof made by the device', async () => {
    const sent = (await day.ours.history()).find(
      ({ direction, destinations }) => direction === 'out' && destinations.length === 1,
    )!;
    const [{ address } = { address: '' }] = sent.destinations;
    const signature = await day.ours.proofs.txProof({ txHash: sent.txHash, address, message: 'for the coffee' });
    const asked = { txid: sent.txHash, address, message: 'for the coffee', signature };
    expect(await day.somebody.rpc('check_tx_proof', asked)).toMatchObject({ good: true });
  });
});
