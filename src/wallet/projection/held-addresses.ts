import { valueAt } from '../../base/index.ts';
import type { WalletContext } from '../context.ts';
import type { SubaddressIndex } from '../model.ts';

/** Addresses for a list that is read later: held while the wallet is open, for its keys make them. */
export class HeldAddresses {
  readonly #addressOf: WalletContext['addressOf'];
  readonly #accounts = new Map<number, Map<number, string>>();

  constructor(addressOf: WalletContext['addressOf']) {
    this.#addressOf = addressOf;
  }

  /** Makes the address of an index, unless it is held already. */
  hold(index: SubaddressIndex): void {
    const account = valueAt(this.#accounts, index.major, () => new Map<number, string>());
    valueAt(account, index.minor, () => this.#addressOf(index));
  }

  /** Address of an index that is held. */
  of({ major, minor }: SubaddressIndex): string {
    return this.#accounts.get(major)!.get(minor)!;
  }
}
