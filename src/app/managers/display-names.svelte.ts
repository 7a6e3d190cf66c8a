import { PerWalletText } from './per-wallet-text.svelte.ts';

/**
 * Display names of the wallets of this browser. A wallet is stored under the name it was created with; renaming it sets a display name only.
 * Display names are stored in clear, as the list of locked wallets shows them. Each wallet also has its own encrypted copy, which takes precedence.
 */
class DisplayNames {
  readonly #custom = new PerWalletText('called');

  /** The name to show. @param name the wallet is stored under */
  of(name: string): string {
    return this.custom(name) ?? name;
  }

  /** The display name; undefined if the wallet was never renamed. */
  custom(name: string): string | undefined {
    return this.#custom.get(name) || undefined;
  }

  set(name: string, displayName: string | undefined): void {
    this.#custom.set(name, displayName);
  }
}

export const displayNames = new DisplayNames();
