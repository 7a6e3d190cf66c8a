import { afterAll, beforeAll, expect, it } from 'vitest';
import { toAtomicAmount } from '../../src/protocol/model.ts';
import { createInlineScanPool } from '../../src/protocol/scan/index.ts';
import { MemoryJournalStore } from '../../src/storage/index.ts';
import { environment, systemClock } from '../../src/wallet/environment.ts';
import { walletFromWords } from '../../src/wallet/make.ts';
import { SpendError } from '../../src/wallet/spend/index.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { TestDice } from '../support/dice.ts';
import { type Monerod, type MoneroWalletRpc, RpcFailure, startMonerod, startWalletRpc } from '../support/programs.ts';
import { expectAgreement, refreshToTip } from '../support/two-wallets.ts';

// One chain, one seed in two programs, random steps; after each they agree to the atomic unit. SOAK_SEED repeats a run.
const STEPS = process.env.LONG === undefined ? 14 : Number(process.env.SOAK_STEPS ?? 200);
const SEED = Number(process.env.SOAK_SEED ?? 20_260);
const UNIT = 10_000_000_000n;

let daemon: Monerod;
let same: MoneroWalletRpc;
let payer: MoneroWalletRpc;
let wallet: Wallet;
let payerAddresses: string[];
let timePassed = 0;
/** Payments and sweeps that went through. */
let possible = 0;
const dice = new TestDice(SEED);
/** Subaddresses made so far, by account. */
const made = [3, 2, 1];

const env = environment({
  store: new MemoryJournalStore({ kdf: { memory: 8, passes: 1, lanes: 1 } }),
  scanPool: createInlineScanPool,
  clock: { ...systemClock, now: () => Date.now() + timePassed },
  sync: { pollEvery: 600_000, retryFirst: 50, retryMost: 500 },
});

const mine = (blocks: number, to = payerAddresses[0]!) => daemon.generateBlocks(blocks, to);
const agree = () => expectAgreement(wallet, same, daemon);
const amount = () => UNIT * BigInt(dice.between(1, 500));

beforeAll(async () => {
  daemon = await startMonerod();
  [same, payer] = await Promise.all([startWalletRpc({ daemon: daemon.url }), startWalletRpc({ daemon: daemon.url })]);
  const ours = await same.createWallet('same');
  const main = await payer.createWallet('payer');
  const sub = await payer.rpc<{ address: string }>('create_address', { account_index: 0 });
  const integrated = await payer.rpc<{ integrated_address: string }>('make_integrated_address', {});
  payerAddresses = [main, sub.address, integrated.integrated_address];
  await mine(20, ours);
  await mine(420);
  wallet = await Wallet.create(env, 'ours', 'pw', await walletFromWords(await same.seed(), 'regtest', { height: 0 }, 0));
  await wallet.setDaemon({ url: daemon.url, trusted: true });
  for (const [account, count] of made.entries()) {
    if (account > 0) await Promise.all([same.rpc('create_account', { label: '' }), wallet.addAccount('')]);
    for (let minor = 1; minor < count; minor++) await makeSubaddress(account);
  }
  await payer.refreshToHeight(daemon);
  await agree();
});

afterAll(async () => {
  await wallet?.close();
  await Promise.all([same?.stop(), payer?.stop()]);
  await daemon?.stop();
});

async function makeSubaddress(account: number): Promise<void> {
  await same.rpc('create_address', { account_index: account });
  await wallet.addSubaddress(account, '');
}

async function ourAddress(account = dice.below(made.length)): Promise<string> {
  const addresses = await wallet.subaddresses(account);
  return addresses[dice.below(made[account]!)]!.address;
}

/** Both refuse for want of unlocked coins now and then: then nothing happened. */
async function ifPossible(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
    possible += 1;
  } catch (error) {
    const poor = [
      'not-enough-unlocked-money',
      'not-enough-money',
      'no-unlocked-outputs',
      'cannot-pay-for-itself',
      'not-possible',
    ];
    if (error instanceof SpendError && poor.includes(error.code)) return;
    if (error instanceof RpcFailure && /unlocked|not enough|unspendable|not possible/i.test(error.message)) return;
    throw error;
  }
}

const steps: Record<string, () => Promise<unknown>> = {
  'a payment to us': async () => {
    const destinations: { address: string; amount: bigint }[] = [];
    for (let i = dice.between(1, 4); i > 0; i--) destinations.push({ address: await ourAddress(), amount: amount() });
    await ifPossible(() => payer.transfer(destinations));
    await agree();
  },
  'a payment to an integrated address': async () => {
    const { integrated_address: address } = await same.rpc<{ integrated_address: string }>('make_integrated_address', {});
    await ifPossible(() => payer.transfer([{ address, amount: amount() }]));
  },
  'a locked payment to us': async () => {
    const unlock = (await daemon.height()) + dice.between(12, 30);
    await ifPossible(async () => payer.transfer([{ address: await ourAddress(), amount: amount() }], { unlock_time: unlock }));
  },
  'coins mined to us': async () => mine(dice.between(1, 3), (await wallet.view()).primaryAddress),
  'a payment by ours': async () => {
    const account = dice.below(2);
    const others = [dice.pick(payerAddresses)];
    if (others[0] !== payerAddresses[2] && dice.below(2) === 0) others.push(payerAddresses[0]!, await ourAddress(2));
    const destinations = others.map((address) => ({ address, amount: toAtomicAmount(amount()) }));
    await ifPossible(async () => {
      const prepared = await wallet.prepareTransfer({ destinations, account, priority: 1, acceptHighFee: true });
      await wallet.send(prepared.id);
    });
  },
  'a payment by the other program': async () => {
    const account_index = dice.below(2);
    const destinations = [{ address: dice.pick(payerAddresses), amount: amount() }];
    await ifPossible(() => same.transfer(destinations, { account_index }));
  },
  'a sweep by ours': async () => {
    await ifPossible(async () => {
      const address = dice.pick([payerAddresses[1]!, await ourAddress(0)]);
      const prepared = await wallet.prepareSweep({ address, account: dice.between(1, 2), priority: 1, acceptHighFee: true });
      await wallet.send(prepared.id);
    });
  },
  'a sweep by the other program': async () => {
    const address = await ourAddress(0);
    await ifPossible(() => same.rpc('sweep_all', { address, account_index: dice.between(1, 2) }));
  },
  blocks: () => mine(dice.between(2, 12)),
  'a new subaddress': async () => {
    const account = dice.below(made.length);
    await makeSubaddress(account);
    made[account]! += 1;
  },
  'a reorganisation': async () => {
    const depth = dice.between(1, 9);
    await daemon.popBlocks(depth);
    await mine(depth + 1);
    await settle();
  },
  'a daemon that goes away': async () => {
    await daemon.restart();
    await payer.refreshToHeight(daemon);
  },
};

/** What of ours a reorganisation threw out is sent again, or fails when its ring is gone. */
async function settle(): Promise<void> {
  for (const seconds of [61, 600]) {
    await refreshToTip(wallet, await daemon.height());
    timePassed += seconds * 1000;
    await wallet.refresh();
    await mine(1);
  }
}

it(`agrees with the reference wallet after each of ${STEPS} random steps (seed ${SEED})`, { timeout: 7_200_000 }, async () => {
  const names = Object.keys(steps);
  for (let step = 0; step < STEPS; step++) {
    const name = step < names.length ? names[step]! : dice.pick(names);
    try {
      await steps[name]!();
      await mine(1);
      await payer.refreshToHeight(daemon);
      await agree();
    } catch (error) {
      throw new Error(`step ${step}, ${name}, seed ${SEED}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
  const states = (await wallet.history()).filter(({ direction }) => direction === 'out').map(({ state }) => state);
  expect(states).toContain('mined');
  expect(possible).toBeGreaterThan(STEPS / 4);
});
