import type { WalletContext } from '../wallet/context.ts';
import type { SubaddressIndex } from '../wallet/model.ts';

/** Addresses for a list that is printed later: held while the wallet is open, for its keys make them. */
export class HeldAddresses {
  readonly #room: WalletContext;
  readonly #accounts = new Map<number, Map<number, string>>();

  constructor(room: WalletContext) {
    this.#room = room;
  }

  hold(index: SubaddressIndex): void {
    const { major, minor } = index;
    let account = this.#accounts.get(major);
    if (account === undefined) {
      account = new Map();
      this.#accounts.set(major, account);
    }
    if (!account.has(minor)) account.set(minor, this.#room.addressOf(index));
  }

  /** Of an index that is held. */
  of({ major, minor }: SubaddressIndex): string {
    return this.#accounts.get(major)!.get(minor)!;
  }
}
