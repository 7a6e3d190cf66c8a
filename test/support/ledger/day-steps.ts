import { expect } from 'vitest';
import type { AtomicAmount } from '../../../src/protocol/model.ts';
import { type Day, XMR } from './day.ts';

/** One event. False if there were no coins for it. */
export type DayStep = (day: Day) => Promise<boolean | undefined>;

const TERMS = { account: 0, priority: 1 } as const;

const one = (day: Day, address: string, amount: AtomicAmount = day.amount(), account = 0) =>
  day.ours.payments.prepareTransfer({ ...TERMS, account, destinations: [{ address, amount }] });

const paid = async (day: Day, addresses: readonly string[]): Promise<undefined> => {
  await day.somebody.refreshToHeight(day.daemon);
  await day.somebody.transfer(addresses.map((address) => ({ address, amount: day.amount(2n * XMR) })));
};

async function several(day: Day, count: number) {
  const destinations: { address: string; amount: AtomicAmount }[] = [];
  for (let i = 0; i < count; i++) {
    const kind = day.sampler.pick(['primary', 'subaddress', 'ours']);
    const address = kind === 'ours' ? await day.ownAddress() : await day.address(kind);
    destinations.push({ address, amount: day.amount(XMR / 4n) });
  }
  return destinations;
}

async function ownCoin(day: Day) {
  const coins = (await day.ours.outputs()).filter(
    ({ spentBy, unlocked, amount }) => spentBy === undefined && unlocked && amount > 0n,
  );
  return coins.length === 0 ? undefined : day.sampler.pick(coins);
}

/** Everything that can happen in a day to a wallet on a device, by name. */
export const DAY_STEPS: Readonly<Record<string, DayStep>> = {
  'paid to the primary address': async (day) => paid(day, [day.ours.description.primaryAddress]),
  'paid to a subaddress': async (day) => paid(day, [await day.ownAddress()]),
  'paid to three at once, with additional keys': async (day) =>
    paid(day, [day.ours.description.primaryAddress, await day.ownAddress(), await day.ownAddress(1)]),
  'pays a primary address': async (day) => day.send(one(day, await day.address('primary'))),
  'pays a subaddress': async (day) => day.send(one(day, await day.address('subaddress'))),
  'pays an integrated address': async (day) => day.send(one(day, await day.address('integrated'))),
  'pays as many as there is room for': async (day) => {
    const destinations = await several(day, day.sampler.between(2, 15));
    return day.send(day.ours.payments.prepareTransfer({ ...TERMS, destinations }));
  },
  'pays out of several coins': async (day) => {
    const unlocked = (await day.ours.view()).accounts[0]!.balance.unlocked;
    return day.send(one(day, await day.address(), ((unlocked * BigInt(day.sampler.between(20, 60))) / 100n) as AtomicAmount));
  },
  'pays itself, on a subaddress': async (day) => day.send(one(day, await day.ownAddress())),
  'pays itself, on the primary address': async (day) => day.send(one(day, day.ours.description.primaryAddress)),
  'pays out of its second account': async (day) => day.send(one(day, await day.address(), day.amount(XMR / 2n), 1)),
  'empties its second account': async (day) =>
    day.send(day.ours.payments.prepareSweep({ ...TERMS, account: 1, address: await day.address('primary') })),
  'sweeps all that it has into one': async (day) =>
    day.send(day.ours.payments.prepareSweep({ ...TERMS, address: await day.ownAddress(), outputs: day.sampler.between(1, 4) })),
  'sweeps one coin to its own primary address': async (day) => {
    const coin = await ownCoin(day);
    if (coin?.keyImage === undefined) return false;
    const { primaryAddress } = day.ours.description;
    const address = day.sampler.chance(60) ? primaryAddress : await day.address();
    return day.send(
      day.ours.payments.prepareSweep({ ...TERMS, account: coin.subaddress.major, address, keyImage: coin.keyImage }),
    );
  },
  'a reorganisation': async (day) => {
    const depth = day.sampler.between(1, 6);
    await day.daemon.popBlocks(depth);
    await day.mine(depth + 1);
    await day.daemon.minePool(await day.somebody.address());
    return undefined;
  },
  'its owner says no': async (day) => {
    const title = day.sampler.pick(['Fee', 'Amount', 'Change'] as const);
    day.refuses = title;
    const ended = await day.failing(one(day, await day.address()));
    day.refuses = undefined;
    expect(['signer-refused', 'poor']).toContain(ended);
    return day.send(one(day, await day.address()));
  },
  'the cable is pulled': async (day) => {
    day.unplugAt = day.sampler.between(1, 70);
    const ended = await day.failing(one(day, await day.address()));
    day.plugIn();
    // If the cable was pulled later than this payment took, the payment succeeded.
    expect(['disconnected', 'poor', 'sent']).toContain(ended);
    return undefined;
  },
  'the wallet is closed and opened again': async (day) => {
    const preparing = one(day, await day.address());
    await preparing.catch(() => {});
    await day.restart();
    return undefined;
  },
};
