import { forgetPin, openWithPin, PinError, type Stretch, sealBehindPin } from '../services/pin.ts';
import { remembered } from '../services/remembered.ts';

const keyOf = (wallet: string): string => `nightjar.pin.${wallet}`;

/** Wallets of this browser that a PIN opens beside their password. */
class Pins {
  #known: ReadonlyMap<string, boolean> = $state.raw(new Map());

  has(wallet: string): boolean {
    return this.#known.get(wallet) ?? remembered.get(keyOf(wallet)) !== undefined;
  }

  /** @param password of the wallet, which somebody else has checked */
  async add(wallet: string, pin: string, password: string, stretch: Stretch): Promise<void> {
    await sealBehindPin(wallet, pin, password, stretch);
    this.#note(wallet, true);
  }

  /** The wallet's password. @throws PinError; with `pin-gone` there is none any more */
  async password(wallet: string, pin: string, stretch: Stretch): Promise<string> {
    try {
      return await openWithPin(wallet, pin, stretch);
    } catch (error) {
      if (error instanceof PinError && error.code === 'pin-gone') this.#note(wallet, false);
      throw error;
    }
  }

  /** The wallet's password has changed, or it is gone. */
  async forget(wallet: string): Promise<void> {
    if (!this.has(wallet)) return;
    this.#note(wallet, false);
    await forgetPin(wallet);
  }

  #note(wallet: string, has: boolean): void {
    this.#known = new Map(this.#known).set(wallet, has);
    remembered.set(keyOf(wallet), has ? 'yes' : undefined);
  }
}

export const pins = new Pins();
