import { m } from '../language/messages.ts';
import { isNameTaken, nameFrom, unusedName } from '../services/new-wallet.ts';
import { displayNames } from './display-names.svelte.ts';
import { session } from './session.svelte.ts';

/** Most characters of a wallet's name. */
export const NAME_MOST = 60;

/** Form field for the name of a new wallet, or for a new display name. */
export class NewName {
  readonly #of: string | undefined;
  text = $state('');
  empty = $derived(this.text.trim() === '');

  /** @param of stored name of the wallet to rename; undefined for a new wallet */
  constructor(of?: string) {
    this.#of = of;
    this.text = of === undefined ? unusedName(m.wallet_default_name(), session.takenNames()) : displayNames.of(of);
  }

  /** Proposes a name that somebody else gave the wallet; does nothing if no valid name results. */
  propose(label: string): void {
    const name = nameFrom(label, NAME_MOST);
    if (name !== '') this.text = unusedName(name, session.takenNames());
  }

  get taken(): boolean {
    return isNameTaken(this.text, session.takenNames(this.#of));
  }

  get good(): boolean {
    return !this.empty && !this.taken;
  }
}
