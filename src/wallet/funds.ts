import type { OutputKey } from '../protocol/model.ts';
import { SPENDABLE_AGE } from '../protocol/rewards.ts';
import { isUnlockHeight } from '../protocol/unlock.ts';
import type { AddressLookup } from './balance.ts';
import type { OwnedOutput } from './model.ts';
import { isSpendableAt } from './outputs.ts';
import { type SettledSum, settled } from './settled.ts';
import type { WalletState } from './state.ts';
import { bringingBack, foreignSpends, isTaken } from './unmined.ts';

/** What one subaddress has. */
export interface SubaddressFunds {
  /** Atomic units; undefined when nothing made it into the balance. */
  balance: bigint | undefined;
  unlocked: bigint;
  /** Blocks until the last of it is spendable by height. */
  blocksToUnlock: number;
  /** Seconds until the last of it is spendable by time. */
  timeToUnlock: bigint;
  /** Outputs that are not spent, frozen ones included. */
  unspentOutputs: number;
}

/** Funds by account and subaddress. */
export type Funds = ReadonlyMap<number, ReadonlyMap<number, SubaddressFunds>>;
type MutableFunds = Map<number, Map<number, SubaddressFunds>>;

/**
 * Balances as wallet2 has them (wallet2.cpp, balance_per_subaddress and unlocked_balance_per_subaddress). `strict`: of
 * what the blockchain holds alone. Otherwise outputs that a transaction under way takes are gone, its change and
 * what the pool would bring are there.
 * @param now unix seconds
 */
export function funds(state: WalletState, strict: boolean, now: number, lookup: AddressLookup): Funds {
  const { sums, keys, open } = settled(state);
  const counted = new Map([...sums].map(([id, sum]) => [id, { ...sum }]));
  const single = new Set([...open, ...exceptions(state, keys)]);
  const found: MutableFunds = new Map();
  for (const key of single) {
    const { output } = state.outputs.get(key)!;
    const { major, minor } = output.subaddress;
    if (keys.has(key)) takeOut(counted.get(`${major}/${minor}`)!, output);
    if (!state.unspent.has(key)) continue;
    const taken = isTaken(state, output);
    const entry = entryAt(found, major, minor);
    if (!taken) entry.unspentOutputs += 1;
    if (!state.frozen.has(key) && (strict || !taken)) addOutput(entry, state, output, now);
  }
  for (const sum of counted.values()) addSettled(found, sum);
  if (!strict) addUnmined(found, state, lookup);
  return found;
}

/** Settled outputs that are not plainly there: frozen, taken by a transaction of ours or of the pool, or spent where the chain was not seen. */
function exceptions(state: WalletState, keys: ReadonlySet<OutputKey>): OutputKey[] {
  const images = [...state.unplacedSpends, ...state.pool.spends.keys()];
  for (const { tx, phase } of state.sent.values()) if (phase !== 'built' && phase !== 'failed') images.push(...tx.inputs);
  const found = images.flatMap((image) => state.byKeyImage.get(image) ?? []);
  return [...found, ...([...state.frozen] as OutputKey[])].filter((key) => keys.has(key));
}

function takeOut(sum: SettledSum, output: OwnedOutput): void {
  sum.amount -= output.amount;
  sum.count -= 1;
}

function addSettled(found: MutableFunds, { major, minor, amount, count }: SettledSum): void {
  if (count === 0) return;
  const entry = entryAt(found, major, minor);
  entry.balance = (entry.balance ?? 0n) + amount;
  entry.unlocked += amount;
  entry.unspentOutputs += count;
}

function addOutput(entry: SubaddressFunds, state: WalletState, output: OwnedOutput, now: number): void {
  entry.balance = (entry.balance ?? 0n) + output.amount;
  if (isSpendableAt(output, state.height, now)) {
    entry.unlocked += output.amount;
    return;
  }
  const byHeight = isUnlockHeight(output.unlockTime);
  const unlockHeight = Math.max(output.height + SPENDABLE_AGE, byHeight ? Number(output.unlockTime) : 0);
  entry.blocksToUnlock = Math.max(entry.blocksToUnlock, unlockHeight - state.height);
  if (!byHeight) entry.timeToUnlock = larger(entry.timeToUnlock, output.unlockTime - BigInt(now));
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

function addUnmined(found: MutableFunds, state: WalletState, lookup: AddressLookup): void {
  const add = (major: number, minor: number, amount: bigint) => {
    const entry = entryAt(found, major, minor);
    entry.balance = (entry.balance ?? 0n) + amount;
  };
  for (const entry of bringingBack(state)) {
    add(entry.tx.account, 0, entry.tx.change);
    for (const { address, amount } of entry.tx.destinations) {
      const index = lookup(address);
      if (index?.major === entry.tx.account) add(index.major, index.minor, amount);
    }
  }
  for (const { account, received } of foreignSpends(state)) add(account, 0, received);
  for (const { subaddress, amount } of state.pool.payments) add(subaddress.major, subaddress.minor, amount);
}

function entryAt(found: MutableFunds, major: number, minor: number): SubaddressFunds {
  let account = found.get(major);
  if (account === undefined) {
    account = new Map();
    found.set(major, account);
  }
  let entry = account.get(minor);
  if (entry === undefined) {
    entry = emptyFunds();
    account.set(minor, entry);
  }
  return entry;
}

export const emptyFunds = (): SubaddressFunds => ({
  balance: undefined,
  unlocked: 0n,
  blocksToUnlock: 0,
  timeToUnlock: 0n,
  unspentOutputs: 0,
});

/** Sum over subaddresses: amounts added up, times and blocks at their longest. */
export function totalFunds(parts: Iterable<SubaddressFunds>): SubaddressFunds & { balance: bigint } {
  const total = { ...emptyFunds(), balance: 0n };
  for (const part of parts) {
    total.balance += part.balance ?? 0n;
    total.unlocked += part.unlocked;
    total.blocksToUnlock = Math.max(total.blocksToUnlock, part.blocksToUnlock);
    total.timeToUnlock = larger(total.timeToUnlock, part.timeToUnlock);
    total.unspentOutputs += part.unspentOutputs;
  }
  return total;
}
