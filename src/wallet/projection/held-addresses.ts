import type { WalletContext } from '../context.ts';
import type { SubaddressIndex } from '../model.ts';

/** Addresses for a list that is read later: held while the wallet is open, for its keys make them. */
export class HeldAddresses {
  readonly #addressOf: WalletContext['addressOf'];
  readonly #accounts = new Map<number, Map<number, string>>();

  constructor(addressOf: WalletContext['addressOf']) {
    this.#addressOf = addressOf;
  }

  hold(index: SubaddressIndex): void {
    const { major, minor } = index;
    let account = this.#accounts.get(major);
    if (account === undefined) {
      account = new Map();
      this.#accounts.set(major, account);
    }
    if (!account.has(minor)) account.set(minor, this.#addressOf(index));
  }

  /** Of an index that is held. */
  of({ major, minor }: SubaddressIndex): string {
    return this.#accounts.get(major)!.get(minor)!;
  }
}
