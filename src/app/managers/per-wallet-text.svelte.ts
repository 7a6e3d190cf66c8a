import { localStore } from '../services/local-store.ts';

/** A reactive local-storage entry per wallet, keyed by the wallet's name. Not for secrets. */
export class PerWalletText {
  readonly #key: string;
  #written: ReadonlyMap<string, string | undefined> = $state.raw(new Map());

  /** @param key prefix of the storage key; the wallet's name follows */
  constructor(key: string) {
    this.#key = key;
  }

  get(wallet: string): string | undefined {
    return this.#written.has(wallet) ? this.#written.get(wallet) : localStore.get(`${this.#key}.${wallet}`);
  }

  set(wallet: string, text: string | undefined): void {
    this.#written = new Map(this.#written).set(wallet, text);
    localStore.set(`${this.#key}.${wallet}`, text);
  }
}
