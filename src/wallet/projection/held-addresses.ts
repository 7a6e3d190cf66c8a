import { valueAt } from '../../base/index.ts';
import type { WalletContext } from '../context.ts';
import type { SubaddressIndex } from '../model.ts';

/** Addresses for a list that is read later: computed while the wallet is open, because that takes its keys. */
export class HeldAddresses {
  readonly #addressOf: WalletContext['addressOf'];
  readonly #accounts = new Map<number, Map<number, string>>();

  constructor(addressOf: WalletContext['addressOf']) {
    this.#addressOf = addressOf;
  }

  /** Computes the address at an index, unless it has been. */
  hold(index: SubaddressIndex): void {
    const account = valueAt(this.#accounts, index.major, () => new Map<number, string>());
    valueAt(account, index.minor, () => this.#addressOf(index));
  }

  /** A computed address. */
  of({ major, minor }: SubaddressIndex): string {
    return this.#accounts.get(major)!.get(minor)!;
  }
}
