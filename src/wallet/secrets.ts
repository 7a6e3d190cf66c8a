import { bytesToHex } from '../base/index.ts';
import type { WalletContext } from './context.ts';
import { type SeedForm, wordsOf } from './create-wallet.ts';

/**
 * A wallet's secrets, for who asks for them by name. Nothing here asks for the password: a door that a stranger may stand at does
 * ({@link Wallet.checkPassword}).
 */
export class Secrets {
  readonly #ctx: Pick<WalletContext, 'secrets' | 'state'>;

  constructor(ctx: Pick<WalletContext, 'secrets' | 'state'>) {
    this.#ctx = ctx;
  }

  /**
   * The words of the seed, in the language they were first shown in.
   * @param form as the wallet was made unless told
   * @throws WalletError `view-only`; `bad-seed` when no words hold both keys: the wallet was made from keys, or from no Polyseed
   */
  async words(form?: SeedForm): Promise<string> {
    return wordsOf(this.#ctx.secrets, form);
  }

  /** The secret view key, 64 hex digits. */
  async viewKey(): Promise<string> {
    return bytesToHex(this.#ctx.secrets.viewKey);
  }

  /**
   * The secret spend key, 64 hex digits; undefined in a view-only wallet, and while it is forgotten. Of a signer it is the secret that its
   * messages are signed with, which spends nothing.
   */
  async spendKey(): Promise<string | undefined> {
    const spendKey = this.#ctx.state.multisig?.baseSecret ?? this.#ctx.secrets.spendKey;
    return spendKey && bytesToHex(spendKey);
  }
}
