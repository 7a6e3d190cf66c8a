import {
  discardPasskey,
  openPassword,
  PasskeyError,
  passkeysOffered,
  type SealedPassword,
  sealPassword,
} from '../services/passkey.ts';
import { displayNames } from './display-names.svelte.ts';
import { PerWalletText } from './per-wallet-text.svelte.ts';

/** Passkeys of this browser's wallets. */
class Passkeys {
  /** Whether passkeys are available here. */
  offered = $state(false);
  readonly #kept = new PerWalletText('passkey');

  async look(): Promise<void> {
    this.offered = await passkeysOffered();
  }

  has(wallet: string): boolean {
    return this.#of(wallet) !== undefined;
  }

  /** @param password of the wallet, already verified @throws PasskeyError */
  async add(wallet: string, password: string): Promise<void> {
    this.#keep(wallet, await sealPassword(wallet, displayNames.of(wallet), password));
  }

  /** The wallet's password. @throws PasskeyError `passkey-refused`; `passkey-stale`, and then it is gone */
  async password(wallet: string): Promise<string> {
    const kept = this.#of(wallet);
    if (kept === undefined) throw new PasskeyError('passkey-stale');
    try {
      return await openPassword(wallet, displayNames.of(wallet), kept);
    } catch (error) {
      // The passkey itself stays: the record may be a copy from another device, where it is in use.
      if (error instanceof PasskeyError && error.code === 'passkey-stale') this.#keep(wallet, undefined);
      throw error;
    }
  }

  /** Removes the passkey and its record: it is not wanted any more, the password was changed, or the wallet is gone. */
  forget(wallet: string): void {
    const kept = this.#of(wallet);
    if (kept !== undefined) discardPasskey(kept);
    this.#keep(wallet, undefined);
  }

  #of(wallet: string): SealedPassword | undefined {
    const [id, salt, iv, sealed, ...more] = this.#kept.get(wallet)?.split(' ') ?? [];
    // A record that is not four texts is not ours: the password opens the wallet as before.
    return id && salt && iv && sealed && more.length === 0 ? { id, salt, iv, sealed } : undefined;
  }

  #keep(wallet: string, sealed: SealedPassword | undefined): void {
    this.#kept.set(wallet, sealed && [sealed.id, sealed.salt, sealed.iv, sealed.sealed].join(' '));
  }
}

export const passkeys = new Passkeys();
