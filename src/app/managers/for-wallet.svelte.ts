import { remembered } from '../services/remembered.ts';

/** A small text for each wallet of this browser, by the wallet's name: no secret, kept between visits, and followed by what shows it. */
export class ForWallet {
  readonly #key: string;
  #written: ReadonlyMap<string, string | undefined> = $state.raw(new Map());

  /** @param key what the texts are kept under, before the wallet's name */
  constructor(key: string) {
    this.#key = key;
  }

  get(wallet: string): string | undefined {
    return this.#written.has(wallet) ? this.#written.get(wallet) : remembered.get(`${this.#key}.${wallet}`);
  }

  set(wallet: string, text: string | undefined): void {
    this.#written = new Map(this.#written).set(wallet, text);
    remembered.set(`${this.#key}.${wallet}`, text);
  }
}
