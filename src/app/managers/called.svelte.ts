import { ForWallet } from './for-wallet.svelte.ts';

/**
 * What the wallets of this browser are called. A wallet lies under the name that it was made with, by which all else is kept of it; what a
 * person calls it since stands beside it, in clear as that name does, since a list of locked wallets shows it. The wallet keeps it too,
 * sealed, and that one holds.
 */
class Called {
  readonly #given = new ForWallet('nightjar.called');

  /** Name that a person sees. @param name that it lies under */
  of(name: string): string {
    return this.given(name) ?? name;
  }

  /** Name that it was given later; undefined where there is none. */
  given(name: string): string | undefined {
    return this.#given.get(name) || undefined;
  }

  set(name: string, called: string | undefined): void {
    this.#given.set(name, called);
  }
}

export const called = new Called();
