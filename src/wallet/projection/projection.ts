import { valueAt } from '../../base/index.ts';
import type { TxHash } from '../../protocol/index.ts';
import type { HistoryEntry, OutputView, UnseenSpends } from '../api.ts';
import type { OutputEntry, WalletState } from '../state/state.ts';
import type { TxFacts } from '../state/tx-facts.ts';
import { type AddressLookup, Balances, MinedFunds, unminedFunds } from './balances.ts';
import { outputViews } from './coins.ts';
import { type HistoryPage, historyPage } from './history.ts';
import { importedFunds } from './imported-outputs.ts';
import { OutputIndex } from './output-index.ts';
import { Payments } from './payments.ts';
import { UnseenSpendsTracker } from './unseen-spends.ts';

/** A part of what is read: it takes in transactions as the chain shows them. */
interface Part {
  take(facts: TxFacts, state: WalletState, txHash: TxHash): void;
}

/** A part that follows the state from when it is first asked for. */
class Following<P extends Part> {
  readonly #state: WalletState;
  readonly #make: () => P;
  #part: P | undefined;
  #rewrites = -1;
  /** How many of `state.transactionLog.hashes` have been taken. */
  #done = 0;

  constructor(state: WalletState, make: () => P) {
    this.#state = state;
    this.#make = make;
  }

  /** Takes in what the state learned since, where anybody asked before. */
  follow(): void {
    if (this.#part !== undefined) this.get();
  }

  /** The part as the state is now. */
  get(): P {
    const { transactions, transactionLog } = this.#state;
    const { rewrites, hashes } = transactionLog;
    let part = this.#part;
    if (part === undefined || this.#rewrites !== rewrites) {
      part = this.#make();
      this.#part = part;
      this.#rewrites = rewrites;
      this.#done = 0;
    }
    for (; this.#done < hashes.length; this.#done++) {
      const txHash = hashes[this.#done]!;
      part.take(transactions.get(txHash)!, this.#state, txHash);
    }
    return part;
  }
}

/**
 * The projection of a wallet's state that every door reads: balances, payments, history, coins. It follows the state: a block costs what is in it, not what
 * the wallet owns; only after a reorganisation, or when an old fact turned out to be another, is it made anew. What nobody asks for is not made.
 */
export class Projection {
  readonly #state: WalletState;
  readonly #funds: Following<MinedFunds>;
  readonly #payments: Following<Payments>;
  readonly #places: Following<OutputIndex>;
  readonly #unseen: Following<UnseenSpendsTracker>;
  /** Height at which the funds were last settled. */
  #settled: { readonly funds: MinedFunds; readonly height: number } | undefined;

  constructor(state: WalletState) {
    this.#state = state;
    this.#funds = new Following(state, () => new MinedFunds());
    this.#payments = new Following(state, () => new Payments());
    this.#places = new Following(state, () => new OutputIndex());
    this.#unseen = new Following(state, () => new UnseenSpendsTracker());
  }

  /** Takes in what the state learned since. */
  follow(): this {
    this.#currentFunds();
    for (const part of [this.#payments, this.#places, this.#unseen]) part.follow();
    return this;
  }

  #currentFunds(): MinedFunds {
    const funds = this.#funds.get();
    const { height } = this.#state;
    if (this.#settled?.funds !== funds || this.#settled.height !== height) funds.settle(this.#state);
    this.#settled = { funds, height };
    return funds;
  }

  /**
   * Balances now: what the chain holds, what the view-only half told of, and what is under way.
   * @param now unix seconds
   * @param lookup tells what of a payment under way comes back
   * @param strict without what is under way
   */
  balances(now: number, lookup: AddressLookup, strict = false): Balances {
    const settled = [...this.#currentFunds().tables(this.#state, strict, now), importedFunds(this.#state)];
    return new Balances(strict ? settled : [...settled, unminedFunds(this.#state, lookup)]);
  }

  /** Mined payments. */
  get payments(): Payments {
    return this.#payments.get();
  }

  /** History entries, newest first. @param now unix seconds */
  history(now: number, page: HistoryPage = {}): HistoryEntry[] {
    return historyPage(this.#state, this.#payments.get(), this.#unseen.get().change(this.#state), now, page);
  }

  /**
   * Outputs of an account in the order in which the chain showed them, spent ones included.
   * @param minors of these subaddresses alone; of all when empty
   */
  outputsOf(major: number, minors: readonly number[]): OutputEntry[] {
    return this.#places.get().outputsOf(this.#state, major, minors);
  }

  /** The coin list, in chain order, spent ones included. @param account one account's; all when absent */
  coins(now: number, account?: number): readonly OutputView[] {
    const entries = account === undefined ? [...this.#state.outputs.values()] : this.outputsOf(account, []);
    return outputViews(this.#state, entries, now);
  }

  /** Outputs whose spends a view-only wallet would not see; undefined when there are none. */
  unseenSpends(): UnseenSpends | undefined {
    return this.#unseen.get().spends(this.#state);
  }
}

const projections = new WeakMap<WalletState, Projection>();

/** The projection of a state, as the state is now. Ask for it anew after every change. */
export function projectionOf(state: WalletState): Projection {
  return valueAt(projections, state, (made) => new Projection(made)).follow();
}
