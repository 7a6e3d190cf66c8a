import type { OutputKey } from '../protocol/model.ts';
import { SPENDABLE_AGE } from '../protocol/rewards.ts';
import { isUnlockHeight } from '../protocol/unlock.ts';
import type { Balance } from './api.ts';
import type { OwnedOutput, SubaddressIndex } from './model.ts';
import { isSpendableAt } from './outputs.ts';
import type { PoolSpend } from './pool.ts';
import type { SentEntry, WalletState } from './state.ts';
import { bringingBack, foreignSpends, isTaken, isUnderWay } from './unmined.ts';

interface Sum {
  total: bigint;
  unlocked: bigint;
  blocksToUnlock: number;
  incoming: bigint;
}

/** Which subaddress of this wallet an address names; undefined when it is somebody else's. */
export type AddressLookup = (address: string) => SubaddressIndex | undefined;

/** Balances of a wallet at one instant: of all, by account, by subaddress. */
export interface Balances {
  readonly all: Balance;
  account(major: number): Balance;
  subaddress(index: SubaddressIndex): Balance;
}

const NOTHING: Balance = { total: 0n, unlocked: 0n, blocksToUnlock: 0, incoming: 0n };

/**
 * As wallet2's balance and unlocked balance: unspent and unfrozen outputs; outputs that a sent transaction takes, or one in the
 * pool, are gone from it at once, while its change and what it pays to the same account are back in the total.
 * @param now unix seconds
 */
export function balances(state: WalletState, now: number, lookup: AddressLookup): Balances {
  const tally = new Tally();
  for (const key of state.unspent) {
    const { output } = state.outputs.get(key)!;
    if (!state.frozen.has(key) && !isTaken(state, output)) addOutput(tally, state, output, now);
  }
  for (const entry of bringingBack(state)) addReturning(tally, entry, lookup);
  for (const spend of foreignSpends(state)) addReceivedBack(tally, spend);
  for (const payment of state.pool.payments) {
    const sent = state.sent.get(payment.txHash);
    if (sent === undefined || !isUnderWay(state, sent)) tally.add(payment.subaddress, { incoming: payment.amount });
  }
  return tally;
}

/** Worth of the outputs that the person set aside and that are still there. */
export function setAside(state: WalletState): bigint {
  let sum = 0n;
  for (const key of state.frozen as ReadonlySet<OutputKey>) {
    const entry = state.unspent.has(key) ? state.outputs.get(key) : undefined;
    if (entry !== undefined && !isTaken(state, entry.output)) sum += entry.output.amount;
  }
  return sum;
}

function addOutput(tally: Tally, state: WalletState, output: OwnedOutput, now: number): void {
  if (isSpendableAt(output, state.height, now)) {
    tally.add(output.subaddress, { total: output.amount, unlocked: output.amount });
    return;
  }
  const aged = output.height + SPENDABLE_AGE;
  const named = isUnlockHeight(output.unlockTime) ? Number(output.unlockTime) : 0;
  tally.add(output.subaddress, { total: output.amount, blocksToUnlock: Math.max(aged, named) - state.height });
}

function addReturning(tally: Tally, { tx }: SentEntry, lookup: AddressLookup): void {
  tally.add({ major: tx.account, minor: 0 }, { total: tx.change, blocksToUnlock: SPENDABLE_AGE });
  for (const destination of tx.destinations) {
    const index = lookup(destination.address);
    if (index?.major === tx.account) tally.add(index, { total: destination.amount, blocksToUnlock: SPENDABLE_AGE });
    else if (index !== undefined) tally.add(index, { incoming: destination.amount });
  }
}

/** As wallet2 has it, all of it is the account's own. */
function addReceivedBack(tally: Tally, { account, received }: PoolSpend): void {
  if (received > 0n) tally.add({ major: account, minor: 0 }, { total: received, blocksToUnlock: SPENDABLE_AGE });
}

class Tally implements Balances {
  readonly #all = emptySum();
  readonly #accounts = new Map<number, Sum>();
  readonly #subaddresses = new Map<string, Sum>();

  get all(): Balance {
    return { ...this.#all };
  }

  account(major: number): Balance {
    return { ...(this.#accounts.get(major) ?? NOTHING) };
  }

  subaddress({ major, minor }: SubaddressIndex): Balance {
    return { ...(this.#subaddresses.get(`${major}/${minor}`) ?? NOTHING) };
  }

  add({ major, minor }: SubaddressIndex, part: Partial<Sum>): void {
    increase(this.#all, part);
    increase(at(this.#accounts, major), part);
    increase(at(this.#subaddresses, `${major}/${minor}`), part);
  }
}

const emptySum = (): Sum => ({ total: 0n, unlocked: 0n, blocksToUnlock: 0, incoming: 0n });

function at<K>(sums: Map<K, Sum>, key: K): Sum {
  let sum = sums.get(key);
  if (sum === undefined) {
    sum = emptySum();
    sums.set(key, sum);
  }
  return sum;
}

function increase(sum: Sum, part: Partial<Sum>): void {
  sum.total += part.total ?? 0n;
  sum.unlocked += part.unlocked ?? 0n;
  sum.incoming += part.incoming ?? 0n;
  sum.blocksToUnlock = Math.max(sum.blocksToUnlock, part.blocksToUnlock ?? 0);
}
