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

/** A part of the projection, which takes in mined transactions. */
interface Part {
  take(facts: TxFacts, state: WalletState, txHash: TxHash): void;
}

/** A part that follows the state from its first use. */
class Following<P extends Part> {
  readonly #state: WalletState;
  readonly #make: () => P;
  #part: P | undefined;
  #rewrites = -1;
  /** Number of entries of `state.transactionLog.hashes` taken in. */
  #done = 0;

  constructor(state: WalletState, make: () => P) {
    this.#state = state;
    this.#make = make;
  }

  /** Takes in new transactions if the part was ever used. */
  follow(): void {
    if (this.#part !== undefined) this.get();
  }

  /** The part for the current state. */
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
 * The projection of a wallet's state: balances, payments, history, coins. It is updated incrementally: the cost of a block depends on its
 * contents, not on what the wallet owns; it is rebuilt only after a reorganisation, or when an old fact has changed. Parts that nobody uses
 * are not computed.
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

  /** Takes in changes of the state. */
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
   * Current balances: mined, imported from the view-only half, and pending.
   * @param now unix seconds
   * @param lookup recognises what of a pending payment returns
   * @param strict without pending payments
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
   * Outputs of an account in chain order, spent ones included.
   * @param minors only these subaddresses; all when empty
   */
  outputsOf(major: number, minors: readonly number[]): OutputEntry[] {
    return this.#places.get().outputsOf(this.#state, major, minors);
  }

  /** The coin list, in chain order, spent ones included. @param account one account's; all when absent */
  coins(now: number, account?: number): readonly OutputView[] {
    const entries = account === undefined ? [...this.#state.outputs.values()] : this.outputsOf(account, []);
    return outputViews(this.#state, entries, now);
  }

  /** Outputs whose spends a view-only wallet would not see; undefined if there are none. */
  unseenSpends(): UnseenSpends | undefined {
    return this.#unseen.get().spends(this.#state);
  }
}

const projections = new WeakMap<WalletState, Projection>();

/** The projection of the current state. Call it again after every change. */
export function projectionOf(state: WalletState): Projection {
  return valueAt(projections, state, (made) => new Projection(made)).follow();
}
