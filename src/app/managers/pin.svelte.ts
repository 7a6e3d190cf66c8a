import type { Stretch } from '../services/pin.ts';
import { PinError } from '../services/pin-error.ts';
import { PerWalletText } from './per-wallet-text.svelte.ts';

/** Loaded on demand: the first screen needs no database. */
const records = (): Promise<typeof import('../services/pin.ts')> => import('../services/pin.ts');

/** Wallets of this browser that a PIN opens beside their password. */
class Pins {
  readonly #known = new PerWalletText('pin');

  has(wallet: string): boolean {
    return this.#known.get(wallet) !== undefined;
  }

  /** What is known at once may be wrong after a browser was killed: Chromium writes that to the disk seconds later, the record itself at once. */
  async look(wallet: string): Promise<void> {
    const kept = await (await records()).hasPin(wallet);
    if (kept !== this.has(wallet)) this.#known.set(wallet, kept ? 'yes' : undefined);
  }

  /** @param password of the wallet, which somebody else has checked */
  async add(wallet: string, pin: string, password: string, stretch: Stretch): Promise<void> {
    await (await records()).sealBehindPin(wallet, pin, password, stretch);
    this.#known.set(wallet, 'yes');
  }

  /** The wallet's password. @throws PinError; with `pin-gone` there is none any more */
  async password(wallet: string, pin: string, stretch: Stretch): Promise<string> {
    try {
      return await (await records()).openWithPin(wallet, pin, stretch);
    } catch (error) {
      if (error instanceof PinError && error.code === 'pin-gone') this.#known.set(wallet, undefined);
      throw error;
    }
  }

  /** The wallet's password has changed, or it is gone. What is sealed goes even where the browser has forgotten that there is a PIN. */
  async forget(wallet: string): Promise<void> {
    this.#known.set(wallet, undefined);
    await (await records()).forgetPin(wallet);
  }
}

export const pins = new Pins();
