import { valueAt } from '../../base/index.ts';
import type { SubaddressIndex } from '../model.ts';

/** Funds of an address, an account or the whole wallet; atomic units. */
export interface Funds {
  /** Amount of unspent mined outputs, without those that a pending transaction spends and frozen ones. */
  readonly mined: bigint;
  /** The part of `mined` that can be spent now. */
  readonly unlocked: bigint;
  /** Change of pending transactions, and what they pay to the account that they spend from. */
  readonly returning: bigint;
  /** Further amount that the pool would bring. */
  readonly incoming: bigint;
  /** Frozen and not spent. */
  readonly aside: bigint;
  /** Number of amounts in the balance: addresses without any are not listed. */
  readonly parts: number;
  /** Outputs that are not spent, frozen ones included. */
  readonly unspentOutputs: number;
  /** Blocks until the last of `mined` is spendable by height; 0 when it is. */
  readonly blocksToUnlock: number;
  /** Seconds until the last of it is spendable by time. */
  readonly timeToUnlock: bigint;
  /** Locked part of `mined`, by unlock height or unix seconds, distinguished as unlock times are. Undefined if nothing is locked. */
  readonly unlocks: ReadonlyMap<bigint, bigint> | undefined;
}

/** Funds while they are summed up. */
export type MutableFunds = { -readonly [Name in keyof Funds]: Funds[Name] } & { unlocks: Map<bigint, bigint> | undefined };

const noFunds = (): MutableFunds => ({
  mined: 0n,
  unlocked: 0n,
  returning: 0n,
  incoming: 0n,
  aside: 0n,
  parts: 0,
  unspentOutputs: 0,
  blocksToUnlock: 0,
  timeToUnlock: 0n,
  unlocks: undefined,
});

/** Adds an amount that is locked until a height or a time. */
export function addUnlock(funds: MutableFunds, when: bigint, amount: bigint): void {
  funds.unlocks ??= new Map();
  funds.unlocks.set(when, (funds.unlocks.get(when) ?? 0n) + amount);
}

/** Sums of the amounts, and the longest of the times and numbers of blocks. */
export function totalFunds(parts: Iterable<Funds | undefined>): Funds {
  const total = noFunds();
  for (const part of parts) {
    if (part === undefined) continue;
    total.mined += part.mined;
    total.unlocked += part.unlocked;
    total.returning += part.returning;
    total.incoming += part.incoming;
    total.aside += part.aside;
    total.parts += part.parts;
    total.unspentOutputs += part.unspentOutputs;
    total.blocksToUnlock = Math.max(total.blocksToUnlock, part.blocksToUnlock);
    if (part.timeToUnlock > total.timeToUnlock) total.timeToUnlock = part.timeToUnlock;
    for (const [when, amount] of part.unlocks ?? []) addUnlock(total, when, amount);
  }
  return total;
}

/** Everything the wallet owns (wallet2.cpp, balance): mined, returning, and in the pool. */
export const balanceOf = ({ mined, returning, incoming }: Funds): bigint => mined + returning + incoming;

interface Account {
  readonly total: MutableFunds;
  readonly minors: Map<number, MutableFunds>;
}

const noAccount = (): Account => ({ total: noFunds(), minors: new Map() });

/** Funds by address, with their sums by account and in total. */
export class FundsTable {
  readonly all = noFunds();
  readonly #accounts = new Map<number, Account>();

  /** Changes the funds of an address, and the sums that include it. */
  change({ major, minor }: SubaddressIndex, change: (funds: MutableFunds) => void): void {
    const account = valueAt(this.#accounts, major, noAccount);
    change(valueAt(account.minors, minor, noFunds));
    change(account.total);
    change(this.all);
  }

  /** Sum of an account; undefined if none of its addresses ever had funds here. */
  account(major: number): Funds | undefined {
    return this.#accounts.get(major)?.total;
  }

  /** Funds of one address; undefined if it never had any. */
  subaddress({ major, minor }: SubaddressIndex): Funds | undefined {
    return this.#accounts.get(major)?.minors.get(minor);
  }

  /** Addresses of an account that ever had funds here. */
  minors(major: number): Iterable<number> {
    return this.#accounts.get(major)?.minors.keys() ?? [];
  }
}
