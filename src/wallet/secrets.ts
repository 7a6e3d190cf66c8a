import { bytesToHex } from '../base/index.ts';
import type { WalletContext } from './context.ts';
import { type SeedForm, wordsOf } from './create-wallet.ts';
import { requireNoOwnSecret } from './own-secrets.ts';

/**
 * A wallet's secrets, on explicit request. No password is checked here: a user interface that strangers can reach must do so ({@link
 * Wallet.checkPassword}).
 */
export class Secrets {
  readonly #ctx: Pick<WalletContext, 'secrets' | 'state' | 'keys'>;

  constructor(ctx: Pick<WalletContext, 'secrets' | 'state' | 'keys'>) {
    this.#ctx = ctx;
  }

  /**
   * The words of the seed, in the language they were first shown in.
   * @param form by default the one in which the wallet was made
   * @throws WalletError `view-only`; `bad-seed` when no words give both keys: the wallet was made from keys, or not from a Polyseed
   */
  async words(form?: SeedForm): Promise<string> {
    return wordsOf(this.#ctx.secrets, form);
  }

  /** The secret view key, 64 hex digits. */
  async viewKey(): Promise<string> {
    return bytesToHex(this.#ctx.secrets.viewKey);
  }

  /**
   * The secret spend key, 64 hex digits; undefined in a view-only wallet, and while it is locked. For a signer of a group it is the secret
   * that signs its messages, and spends nothing.
   */
  async spendKey(): Promise<string | undefined> {
    const spendKey = this.#ctx.state.multisig?.baseSecret ?? this.#ctx.secrets.spendKey;
    return spendKey && bytesToHex(spendKey);
  }

  /**
   * Checks that none of these texts is a secret key of the wallet or of one of its transactions, before they are sent as ids to anybody.
   * @internal @param texts 64 hex digits are looked at, others pass @throws WalletError `own-secret`
   */
  async requireNone(texts: readonly string[]): Promise<void> {
    requireNoOwnSecret(this.#ctx, texts);
  }
}
