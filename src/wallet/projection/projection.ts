import type { HistoryEntry, OutputView, UnseenSpends } from '../api.ts';
import type { OutputEntry, WalletState } from '../state.ts';
import { type AddressLookup, Balances, MinedFunds, unminedFunds } from './balances.ts';
import { outputViews } from './coins.ts';
import { type HistoryPage, historyPage } from './history.ts';
import { Payments } from './payments.ts';
import { Places } from './places.ts';
import { Unseen } from './unseen.ts';

/**
 * What every door reads of a wallet's state: balances, payments, history, coins. It follows the state: a block costs what is in it, not what
 * the wallet owns; only after a reorganisation, or when an old fact turned out to be another, is it made anew.
 */
export class Projection {
  readonly #state: WalletState;
  #rewrites = -1;
  /** Of `state.transactionLog.hashes`, how many are in the parts. */
  #done = 0;
  #height = 0;
  #funds = new MinedFunds();
  #payments = new Payments();
  #places = new Places();
  #unseen = new Unseen();

  constructor(state: WalletState) {
    this.#state = state;
  }

  /** Takes in what the state learned since. */
  follow(): this {
    const state = this.#state;
    const { rewrites, hashes } = state.transactionLog;
    if (this.#rewrites !== rewrites) this.#begin(rewrites);
    for (; this.#done < hashes.length; this.#done++) {
      const txHash = hashes[this.#done]!;
      const facts = state.transactions.get(txHash)!;
      this.#funds.take(facts, state, txHash);
      this.#payments.take(facts, state, txHash);
      this.#places.take(facts, state);
      this.#unseen.take(facts);
    }
    if (this.#height !== state.height) this.#funds.settle(state);
    this.#height = state.height;
    return this;
  }

  #begin(rewrites: number): void {
    this.#rewrites = rewrites;
    this.#done = 0;
    this.#funds = new MinedFunds();
    this.#payments = new Payments();
    this.#places = new Places();
    this.#unseen = new Unseen();
  }

  /**
   * Balances now.
   * @param now unix seconds
   * @param lookup tells what of a payment under way comes back
   */
  balances(now: number, lookup: AddressLookup): Balances {
    return new Balances([...this.#funds.tables(this.#state, false, now), unminedFunds(this.#state, lookup)]);
  }

  /** Balances of what the chain holds alone, whatever is under way. @param now unix seconds */
  strictBalances(now: number): Balances {
    return new Balances(this.#funds.tables(this.#state, true, now));
  }

  /** What the chain shows of payments. */
  get payments(): Payments {
    return this.#payments;
  }

  /** What happened, newest first. @param now unix seconds */
  history(now: number, page: HistoryPage = {}): HistoryEntry[] {
    return historyPage(this.#state, this.#payments, this.#unseen.change(this.#state), now, page);
  }

  /**
   * Outputs of an account in the order in which the chain showed them, spent ones included.
   * @param minors of these subaddresses alone; of all when empty
   */
  outputsOf(major: number, minors: readonly number[]): OutputEntry[] {
    return this.#places.outputsOf(this.#state, major, minors);
  }

  /** The coin list, in chain order, spent ones included. @param account one account's; all when absent */
  coins(now: number, account?: number): readonly OutputView[] {
    const entries = account === undefined ? [...this.#state.outputs.values()] : this.outputsOf(account, []);
    return outputViews(this.#state, entries, now);
  }

  /** What a view-only wallet cannot vouch for; undefined when every spend would be seen. */
  unseenSpends(): UnseenSpends | undefined {
    return this.#unseen.spends(this.#state);
  }
}

const projections = new WeakMap<WalletState, Projection>();

/** The projection of a state, as the state is now. Ask for it anew after every change. */
export function projectionOf(state: WalletState): Projection {
  let known = projections.get(state);
  if (known === undefined) {
    known = new Projection(state);
    projections.set(state, known);
  }
  return known.follow();
}
