import { describe, expect, it } from 'vitest';
import { startChromiumWallet } from '../support/soak/chromium-wallet.ts';
import { startSoakDevnet, startSoakMonerod } from '../support/soak/daemons.ts';
import { startNodeWallet } from '../support/soak/node-wallet.ts';
import { Soak } from '../support/soak/soak.ts';
import { STEPS } from '../support/soak/steps.ts';

// One chain, one seed in two programs, random steps: after each of them balances, outputs, key images and history agree to the
// atomic unit. The short form takes every kind of step once; `npm run soak` takes 200 and more. SOAK_SEED repeats a run.
const LONG = process.env.LONG === '1';
const NAMES = Object.keys(STEPS);
const COUNT = LONG ? Number(process.env.SOAK_STEPS ?? 200) : NAMES.length;
const SEED = Number(process.env.SOAK_SEED ?? (LONG ? Date.now() % 1_000_000 : 20_260));
const TWO_HOURS = 7_200_000;

/** The short form leaves out what differs least from the others. */
const MATCHES = [
  { name: 'Chromium, on monerod', startWallet: startChromiumWallet, startDaemon: startSoakMonerod },
  { name: 'Chromium, on the devnet', startWallet: startChromiumWallet, startDaemon: startSoakDevnet },
  ...(LONG ? [{ name: 'Node, on monerod', startWallet: startNodeWallet, startDaemon: startSoakMonerod }] : []),
];

describe.each(MATCHES)('ours in $name, beside monero-wallet-rpc', (parts) => {
  it(`agrees after each of ${COUNT} random steps (seed ${SEED})`, { timeout: TWO_HOURS }, async () => {
    const soak = await Soak.start({ ...parts, seed: SEED });
    const began = Date.now();
    let asked = 0;
    let done = 0;
    try {
      for (let step = 0; step < COUNT; step++) {
        const name = step < NAMES.length ? NAMES[step]! : soak.sampler.pick(NAMES);
        try {
          const sent = await STEPS[name]!(soak);
          await soak.finish(sent ?? []);
          if (sent !== undefined) asked += 1;
          if (sent !== undefined && sent.length > 0) done += 1;
          if ((step + 1) % 25 === 0) console.log(`${parts.name}: ${step + 1} steps, seed ${SEED}`);
        } catch (error) {
          const what = error instanceof Error ? error.message : String(error);
          throw new Error(`step ${step}, ${name}, seed ${SEED}: ${what}`, { cause: error });
        }
      }
      const history = await soak.ours.api.history();
      expect(history.some(({ direction, state }) => direction === 'out' && state === 'mined')).toBe(true);
      expect(done).toBeGreaterThan(asked / 2);
      const seconds = Math.round((Date.now() - began) / 1000);
      console.log(`seed ${SEED}: ${COUNT} steps in ${seconds} s, ${done} of ${asked} payments and sweeps had the coins`);
    } finally {
      await soak.stop();
    }
  });
});
