import type { WalletForm, WalletHost } from '../../../workers/client.ts';
import { router } from '../router.svelte.ts';
import { newWallet } from '../services/new-wallet.ts';
import { Attempt } from './attempt.svelte.ts';
import { NewName } from './new-name.svelte.ts';
import { NewPassword } from './new-password.svelte.ts';
import { session } from './session.svelte.ts';

/** Last step of creating or restoring a wallet: name, password, and the action itself. Created anew with each view. */
export class WalletCreation {
  readonly name = new NewName();
  readonly password = new NewPassword();
  readonly attempt = new Attempt();
  /** The form was submitted once: from now on field errors are shown. */
  tried = $state(false);

  /**
   * Creates and opens the wallet, if name and password are valid, then goes home unless the person has navigated elsewhere meanwhile.
   * @param place where the form was submitted, if something was awaited since
   */
  async run(work: (host: WalletHost, made: WalletForm) => Promise<void>, place = router.here): Promise<void> {
    this.tried = true;
    if (!this.name.good || !this.password.good) return;
    await this.attempt.run(() =>
      router.goHomeAfter(async () => {
        // The network comes from the site's configuration, which may still be loading.
        await session.started;
        const made = newWallet(this.name.text, this.password.text, session.network, session.site);
        await session.make(made.name, (host) => work(host, made));
      }, place),
    );
  }
}
