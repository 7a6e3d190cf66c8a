import { pushTo } from '../../base/index.ts';
import type { OutputKey } from '../../protocol/index.ts';
import { indexKey, type OutputEntry, type WalletState } from '../state/state.ts';
import type { TxFacts } from '../state/tx-facts.ts';

/** Index of outputs by account and by subaddress: a query for one address does not walk the whole wallet. */
export class OutputIndex {
  /** Output keys in chain order. */
  readonly #keys: OutputKey[] = [];
  /** Positions in `#keys`, by account. */
  readonly #accounts = new Map<number, number[]>();
  readonly #subaddresses = new Map<string, number[]>();
  /** Keys that occur more than once on the chain, as far as seen: a second copy is the same output (T7). */
  readonly #repeated = new Set<OutputKey>();

  /** Takes in a mined transaction. */
  take({ outputs }: TxFacts, state: WalletState): void {
    for (const { key, subaddress } of outputs) {
      if (state.outputs.get(key)!.copies.length > 1) {
        if (this.#repeated.has(key)) continue;
        this.#repeated.add(key);
      }
      const place = this.#keys.push(key) - 1;
      pushTo(this.#accounts, subaddress.major, place);
      pushTo(this.#subaddresses, indexKey(subaddress), place);
    }
  }

  /**
   * Outputs of an account in chain order, spent ones included.
   * @param minors only these subaddresses; all when empty
   */
  outputsOf(state: WalletState, major: number, minors: readonly number[]): OutputEntry[] {
    const all = this.#accounts.get(major) ?? [];
    // If the account has every output of the wallet, the state already has them in this order.
    if (minors.length === 0 && all.length === this.#keys.length) return [...state.outputs.values()];
    const places = minors.length === 0 ? all : this.#placesOf(major, minors);
    return places.map((place) => state.outputs.get(this.#keys[place]!)!);
  }

  #placesOf(major: number, minors: readonly number[]): number[] {
    const found = [...new Set(minors)].flatMap((minor) => this.#subaddresses.get(indexKey({ major, minor })) ?? []);
    return found.sort((a, b) => a - b);
  }
}
