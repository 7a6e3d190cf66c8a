import { expect } from 'vitest';
import { type AtomicAmount, toAtomicAmount } from '../../../src/protocol/model.ts';
import type { PreparedTransfer } from '../../../src/wallet/api.ts';
import { RpcFailure } from '../programs.ts';
import type { Soak } from './soak.ts';
import { codeOf } from './wallet.ts';

/** One random step. Returns the transactions it sent, or undefined if it needed none. */
export type Step = (soak: Soak) => Promise<readonly string[] | undefined>;

/** Both programs sometimes refuse for lack of unlocked coins: then nothing happened. */
const POOR: ReadonlySet<string | undefined> = new Set([
  'not-enough-unlocked-money',
  'not-enough-money',
  'no-unlocked-outputs',
  'cannot-pay-for-itself',
  'not-possible',
]);
const POOR_REFERENCE = /unlocked|not enough|unspendable|not possible/i;
/** The current reference's answer to an unlock time. */
const UNLOCK_TIME_REFUSED = -50;
const IN_A_YEAR = 365 * 86_400;

async function ifPossible(soak: Soak, work: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await work();
  } catch (error) {
    if (POOR.has(codeOf(error))) return [];
    if (!(error instanceof RpcFailure)) throw error;
    if (POOR_REFERENCE.test(error.message) || error.code === UNLOCK_TIME_REFUSED) return [];
    // After a reorganisation the reference respends coins that its own transaction in the pool still spends.
    if (/rejected by daemon/.test(error.message) && (await soak.daemon.pool()) > 0) return [];
    throw error;
  }
}

/** Transactions sent by a program of the reference. */
async function theirs(call: Promise<object>): Promise<readonly string[]> {
  const answer = (await call) as { readonly tx_hash?: string; readonly tx_hash_list?: readonly string[] };
  return answer.tx_hash_list ?? [answer.tx_hash!];
}

async function sendOurs(soak: Soak, preparing: Promise<PreparedTransfer>): Promise<readonly string[]> {
  const prepared = await preparing;
  const hashes = await soak.ours.api.payments.send(prepared.id);
  expect(hashes).toHaveLength(prepared.transactions.length);
  return hashes;
}

const paidToUs: Step = async (soak) => {
  const destinations: { address: string; amount: bigint }[] = [];
  for (let i = soak.sampler.between(1, 4); i > 0; i--)
    destinations.push({ address: await soak.ourAddress(), amount: soak.amount() });
  const sent = await ifPossible(soak, () => theirs(soak.payer.transfer(destinations)));
  await soak.agree();
  return sent;
};

const paidToIntegrated: Step = async (soak) => {
  const { integrated_address: address } = await soak.same.rpc<{ integrated_address: string }>('make_integrated_address', {});
  return ifPossible(soak, () => theirs(soak.payer.transfer([{ address, amount: soak.amount() }])));
};

/** Locked by height, or sometimes by a time that never comes; only an old payer and an old daemon accept such a payment. */
const paidLocked: Step = async (soak) => {
  const byTime = soak.sampler.below(4) === 0;
  const height = (await soak.daemon.height()) + soak.sampler.between(12, 30);
  const unlock_time = byTime ? Math.floor(Date.now() / 1000) + IN_A_YEAR : height;
  const destinations = [{ address: await soak.ourAddress(), amount: soak.amount() }];
  return ifPossible(soak, () => theirs(soak.payer.transfer(destinations, { unlock_time })));
};

const minedToUs: Step = async (soak) => {
  await soak.mine(soak.sampler.between(1, 3), (await soak.ours.api.view()).primaryAddress);
  return undefined;
};

/**
 * One address of any kind, or several without a payment id, which a transaction can have only one of. None of the spending account: only the sender
 * can tell a payment to itself from change.
 */
async function payees(soak: Soak, spending: number): Promise<{ address: string; amount: AtomicAmount }[]> {
  const { sampler, payerAddresses, made } = soak;
  const to = [sampler.pick(payerAddresses)];
  const another = (spending + sampler.between(1, made.length - 1)) % made.length;
  if (to[0] !== payerAddresses[2] && sampler.below(2) === 0) to.push(payerAddresses[0]!, await soak.ourAddress(another));
  return to.map((address) => ({ address, amount: toAtomicAmount(soak.amount()) }));
}

/** Sometimes from one subaddress only. */
const oursPays: Step = async (soak) => {
  const account = await soak.richAccount();
  const destinations = await payees(soak, account);
  const subaddresses = soak.sampler.below(4) === 0 ? [soak.sampler.below(soak.made[account]!)] : [];
  const request = { destinations, account, subaddresses, priority: 1, acceptHighFee: true } as const;
  return ifPossible(soak, () => sendOurs(soak, soak.ours.api.payments.prepareTransfer(request)));
};

const otherPays: Step = async (soak) => {
  const account_index = await soak.richAccount();
  const destinations = await payees(soak, account_index);
  return ifPossible(soak, () => theirs(soak.same.transfer(destinations, { account_index })));
};

/** The first account is avoided most of the time: its coins are for the other steps. */
async function sweptAccount(soak: Soak): Promise<number> {
  const account = await soak.richAccount();
  return account === 0 && soak.sampler.below(8) > 0 ? soak.sampler.between(1, 2) : account;
}

const oursSweeps: Step = async (soak) => {
  const address = soak.sampler.pick([...soak.payerAddresses, await soak.ourAddress(0)]);
  const request = { address, account: await sweptAccount(soak), priority: 1, acceptHighFee: true } as const;
  return ifPossible(soak, () => sendOurs(soak, soak.ours.api.payments.prepareSweep(request)));
};

const otherSweeps: Step = async (soak) => {
  const address = await soak.ourAddress(0);
  const account_index = await sweptAccount(soak);
  return ifPossible(soak, () => theirs(soak.same.rpc('sweep_all', { address, account_index })));
};

const blocks: Step = async (soak) => {
  await soak.mine(soak.sampler.between(2, 12));
  return undefined;
};

const newSubaddress: Step = async (soak) => {
  const account = soak.sampler.below(soak.made.length);
  await soak.makeSubaddress(account);
  soak.made[account]! += 1;
  return undefined;
};

const reorganisation: Step = async (soak) => {
  const depth = soak.sampler.between(1, 9);
  await soak.daemon.pop(depth);
  await soak.mine(depth + 1);
  await soak.settle();
  return undefined;
};

/** Ours reports it, sends nothing, and continues once the daemon is back. */
const daemonGoesAway: Step = async (soak) => {
  const { api } = soak.ours;
  const { balance } = await api.view();
  const destinations = [{ address: soak.payerAddresses[0]!, amount: toAtomicAmount(1n) }];
  await soak.daemon.away(async () => {
    await api.refresh();
    const { sync, balance: seen } = await api.view();
    expect(sync.phase).toBe('offline');
    expect(sync.error?.code).toBeTypeOf('string');
    expect(seen).toEqual(balance);
    await expect(api.payments.prepareTransfer({ destinations, account: 0, priority: 1, acceptHighFee: true })).rejects.toThrow();
  });
  await soak.payer.refreshToHeight(soak.daemon);
  return undefined;
};

const reopened: Step = async (soak) => {
  await soak.ours.reopen();
  return undefined;
};

/** Every kind of step once, in this order, before random ones. */
export const STEPS: Readonly<Record<string, Step>> = {
  'a payment to us': paidToUs,
  'a payment to an integrated address': paidToIntegrated,
  'a locked payment to us': paidLocked,
  'coins mined to us': minedToUs,
  'a payment by ours': oursPays,
  'a payment by the other program': otherPays,
  'a sweep by ours': oursSweeps,
  'a sweep by the other program': otherSweeps,
  blocks,
  'a new subaddress': newSubaddress,
  'a reorganisation': reorganisation,
  'a daemon that goes away': daemonGoesAway,
  'closed and opened again': reopened,
};
