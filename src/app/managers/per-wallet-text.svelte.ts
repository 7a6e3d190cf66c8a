import { localStore } from '../services/local-store.ts';

/** Data about a wallet in local storage. Keys are `nightjar.`, one of these, and the name that the wallet is stored under. */
const KEYS = ['ask-above', 'backup-reminded', 'called', 'keep-ready', 'mark', 'passkey', 'pin'] as const;
type Key = (typeof KEYS)[number];

const keyOf = (key: Key, wallet: string): string => `nightjar.${key}.${wallet}`;

let written: ReadonlyMap<string, string | undefined> = $state.raw(new Map());

function write(key: string, text: string | undefined): void {
  written = new Map(written).set(key, text);
  localStore.set(key, text);
}

/** A reactive local-storage entry per wallet, keyed by the wallet's name. Not for secrets. */
export class PerWalletText {
  readonly #key: Key;

  constructor(key: Key) {
    this.#key = key;
  }

  get(wallet: string): string | undefined {
    const key = keyOf(this.#key, wallet);
    return written.has(key) ? written.get(key) : localStore.get(key);
  }

  set(wallet: string, text: string | undefined): void {
    write(keyOf(this.#key, wallet), text);
  }
}

/**
 * Another tab wrote an entry, or undefined: all of them. It is read from storage again.
 * @param key in local storage @returns whether it belongs to a wallet
 */
export function writtenElsewhere(key: string | undefined): boolean {
  if (key !== undefined && !KEYS.some((one) => key.startsWith(keyOf(one, '')))) return false;
  written = new Map([...written].filter(([own]) => key !== undefined && own !== key));
  return true;
}

/** Drops all entries of a wallet. */
export function forgetTexts(wallet: string): void {
  for (const key of KEYS) write(keyOf(key, wallet), undefined);
}

/** Names of wallets that have entries. */
export function walletsWithTexts(): readonly string[] {
  const names = KEYS.flatMap((key) => {
    const prefix = keyOf(key, '');
    return localStore.keys().flatMap((kept) => (kept.startsWith(prefix) ? [kept.slice(prefix.length)] : []));
  });
  return [...new Set(names)];
}
