import type { NewWallet } from '../../../workers/client.ts';
import { errorText } from '../errors.ts';
import { m } from '../paraglide/messages.js';
import { router } from '../router.svelte.ts';
import { freshName, newWallet } from '../services/newWallet.ts';
import { session } from './session.svelte.ts';

/** What every way of making a wallet ends with: its name, its password, and the making. Made anew each time a view opens. */
export class Making {
  name = $state(freshName(m.wallet_default_name(), session.shelf));
  password = $state('');
  /** Written by the fields. */
  nameGood = $state(false);
  passwordGood = $state(false);
  /** The person has asked for it: from now on it is said what is missing. */
  tried = $state(false);
  busy = $state(false);
  problem: string | undefined = $state();

  /** Makes it and goes inside, when name and password are there. */
  async run(work: (made: NewWallet) => Promise<void>): Promise<void> {
    if (!this.nameGood || !this.passwordGood || this.busy) return;
    this.busy = true;
    this.problem = undefined;
    try {
      await work(newWallet(this.name, this.password, session.site));
      router.replace('');
    } catch (error) {
      this.problem = errorText(error);
    } finally {
      this.busy = false;
    }
  }
}
