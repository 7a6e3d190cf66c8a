import { isUnlockHeight, type KeyImage, type OutputKey, SPENDABLE_AGE } from '../../protocol/index.ts';
import type { OwnedOutput, SubaddressIndex } from '../model.ts';
import type { WalletState } from '../state/state.ts';
import type { TxFacts } from '../state/tx-facts.ts';
import { isSpendableAt, isTaken, spendOf } from './coins.ts';
import { addUnlock, type Funds, FundsTable, type MutableFunds, totalFunds } from './funds.ts';
import { foreignSpends, pendingWithChange, poolPayments } from './pending.ts';

/** The index of one of this wallet's addresses; undefined for anybody else's. */
export type AddressLookup = (address: string) => SubaddressIndex | undefined;

/**
 * Balances as in wallet2 (wallet2.cpp, balance_per_subaddress and unlocked_balance_per_subaddress) at one instant: total, by account, by
 * subaddress.
 */
export class Balances {
  readonly #tables: readonly FundsTable[];

  constructor(tables: readonly FundsTable[]) {
    this.#tables = tables;
  }

  /** Funds of the whole wallet. */
  all(): Funds {
    return totalFunds(this.#tables.map(({ all }) => all));
  }

  /** Funds of an account; zero for one that does not exist or never had any. */
  account(major: number): Funds {
    return totalFunds(this.#tables.map((table) => table.account(major)));
  }

  /** Funds of one subaddress; zero as for {@link account}. */
  subaddress(index: SubaddressIndex): Funds {
    return totalFunds(this.#tables.map((table) => table.subaddress(index)));
  }

  /** Subaddresses of an account that are in its balance, ascending. */
  minors(major: number): number[] {
    const known = new Set(this.#tables.flatMap((table) => [...table.minors(major)]));
    return [...known].filter((minor) => this.subaddress({ major, minor }).parts > 0).sort((a, b) => a - b);
  }
}

/** Funds computed for one state, and for one second if an unlock time is a time. */
interface Kept {
  readonly version: number;
  /** Undefined if they do not depend on the time. */
  readonly second: number | undefined;
  readonly table: FundsTable;
}

/**
 * Tracks what mined outputs contribute to the balances. Outputs that are old enough and have no time lock are in sums, which a new block
 * changes only by what it brings and spends; young, locked and spent ones are looked at one by one.
 */
export class MinedFunds {
  readonly #ripe = new FundsTable();
  /** Outputs included in the sums. */
  readonly #inSums = new Set<OutputKey>();
  /** Unspent outputs not in the sums: young, or with a future unlock time. */
  readonly #open = new Set<OutputKey>();
  /** Key images spent by our mined transactions while the chain does not show the outputs as spent yet. */
  readonly #late = new Set<KeyImage>();
  readonly #cache = new Map<boolean, Kept>();

  /** Takes in a mined transaction. */
  take({ outputs, spends }: TxFacts, state: WalletState, txHash: OwnedOutput['txHash']): void {
    for (const { key } of outputs) {
      const { output } = state.outputs.get(key)!;
      if (!state.unspent.has(key) || this.#inSums.has(key)) continue;
      if (isRipe(state, output)) this.#addToSums(output);
      else this.#open.add(key);
    }
    for (const { keyImage } of spends) {
      this.#leave(state, state.byKeyImage.get(keyImage));
      this.#late.delete(keyImage);
    }
    for (const image of state.sent.get(txHash)?.tx.inputs ?? []) if (spendOf(state, image) === undefined) this.#late.add(image);
  }

  #addToSums({ key, subaddress, amount }: OwnedOutput): void {
    this.#inSums.add(key);
    this.#ripe.change(subaddress, (funds) => {
      funds.mined += amount;
      funds.unlocked += amount;
      funds.parts += 1;
      funds.unspentOutputs += 1;
    });
  }

  #leave(state: WalletState, key: OutputKey | undefined): void {
    if (key === undefined) return;
    this.#open.delete(key);
    if (!this.#inSums.delete(key)) return;
    const { subaddress, amount } = state.outputs.get(key)!.output;
    this.#ripe.change(subaddress, (funds) => {
      funds.mined -= amount;
      funds.unlocked -= amount;
      funds.parts -= 1;
      funds.unspentOutputs -= 1;
    });
  }

  /** @param strict counts only the chain: outputs that pending transactions spend are included */
  tables(state: WalletState, strict: boolean, now: number): readonly FundsTable[] {
    const cached = this.#cache.get(strict);
    const isCurrent = cached?.version === state.version && (cached.second === undefined || cached.second === now);
    if (isCurrent) return [this.#ripe, cached.table];
    const table = new FundsTable();
    let timed = false;
    for (const key of this.#open) {
      const { output } = state.outputs.get(key)!;
      timed ||= !isUnlockHeight(output.unlockTime);
      table.change(output.subaddress, outputChange(state, output, strict, now));
    }
    for (const key of this.#exceptions(state)) {
      const { output } = state.outputs.get(key)!;
      table.change(output.subaddress, exceptionChange(state, output, strict));
    }
    this.#cache.set(strict, { version: state.version, second: timed ? now : undefined, table });
    return [this.#ripe, table];
  }

  /** Adds unlocked outputs to the sums. Call it after new blocks. */
  settle(state: WalletState): void {
    for (const key of this.#open) {
      const { output } = state.outputs.get(key)!;
      if (!isRipe(state, output)) continue;
      this.#open.delete(key);
      this.#addToSums(output);
    }
  }

  /** Outputs in the sums that are not available: frozen, or spent by a transaction of ours or of the pool. */
  #exceptions(state: WalletState): ReadonlySet<OutputKey> {
    const images = [...state.pool.spends.keys(), ...this.#late];
    for (const txHash of state.unmined) images.push(...state.sent.get(txHash)!.tx.inputs);
    const keys = [...state.frozen, ...images.flatMap((image) => state.byKeyImage.get(image) ?? [])];
    return new Set(keys.filter((key) => this.#inSums.has(key)));
  }
}

/** Whether an output's contribution only changes by a spend or a reorganisation. */
function isRipe({ height }: WalletState, output: OwnedOutput): boolean {
  return isUnlockHeight(output.unlockTime) && isSpendableAt(output, height, 0);
}

/** Contribution of an output that is not in the sums. */
function outputChange(state: WalletState, output: OwnedOutput, strict: boolean, now: number): (funds: MutableFunds) => void {
  const taken = isTaken(state, output);
  const frozen = state.frozen.has(output.key);
  const counts = !frozen && (strict || !taken);
  const unlocked = isSpendableAt(output, state.height, now);
  const byHeight = isUnlockHeight(output.unlockTime);
  const unlockHeight = Math.max(output.height + SPENDABLE_AGE, byHeight ? Number(output.unlockTime) : 0);
  const seconds = byHeight ? 0n : output.unlockTime - BigInt(now);
  return (funds) => {
    if (!taken) funds.unspentOutputs += 1;
    if (frozen && !taken) funds.aside += output.amount;
    if (!counts) return;
    funds.mined += output.amount;
    funds.parts += 1;
    if (unlocked) {
      funds.unlocked += output.amount;
      return;
    }
    addUnlock(funds, byHeight ? BigInt(unlockHeight) : output.unlockTime, output.amount);
    funds.blocksToUnlock = Math.max(funds.blocksToUnlock, unlockHeight - state.height);
    if (seconds > funds.timeToUnlock) funds.timeToUnlock = seconds;
  };
}

/** Correction for an output that is in the sums and spent by a pending transaction. */
function exceptionChange(state: WalletState, output: OwnedOutput, strict: boolean): (funds: MutableFunds) => void {
  const taken = isTaken(state, output);
  const frozen = state.frozen.has(output.key);
  return (funds) => {
    if (taken) funds.unspentOutputs -= 1;
    if (frozen && !taken) funds.aside += output.amount;
    if (!frozen && (strict || !taken)) return;
    funds.mined -= output.amount;
    funds.unlocked -= output.amount;
    funds.parts -= 1;
  };
}

/** Unmined funds: all change goes to the first address of the account (wallet2.cpp, balance_per_subaddress). */
export function unminedFunds(state: WalletState, lookup: AddressLookup): FundsTable {
  const table = new FundsTable();
  const back = (index: SubaddressIndex, amount: bigint) =>
    table.change(index, (funds) => {
      funds.returning += amount;
      funds.parts += 1;
    });
  for (const { tx } of pendingWithChange(state)) {
    back({ major: tx.account, minor: 0 }, tx.change);
    for (const { address, amount } of tx.destinations) {
      const index = lookup(address);
      if (index?.major === tx.account) back(index, amount);
    }
  }
  for (const { account, received } of foreignSpends(state)) back({ major: account, minor: 0 }, received);
  for (const { subaddress, amount } of poolPayments(state)) {
    table.change(subaddress, (funds) => {
      funds.incoming += amount;
      funds.parts += 1;
    });
  }
  return table;
}
