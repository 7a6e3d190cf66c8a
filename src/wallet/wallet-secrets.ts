import { wipe } from '../base/index.ts';

/** Secrets of a wallet: sealed at rest in the header of its journal, in memory only in the worker that owns the wallet. */
export interface WalletSecrets {
  /** 32 bytes; absent in view-only wallets. */
  readonly spendKey: Uint8Array | undefined;
  /** 32 bytes. */
  readonly viewKey: Uint8Array;
  /** English name of the word list that the seed was shown in. */
  readonly seedLanguage: string;
  /** 32 bytes: the stored form of the Polyseed, encrypted with a passphrase or not. */
  readonly polyseed?: Uint8Array;
  /** 16 bytes: the MyMonero seed that the keys came from. */
  readonly myMoneroSeed?: Uint8Array;
}

/** A copy: wiping one leaves the other intact. */
export const copySecrets = ({ spendKey, viewKey, seedLanguage, polyseed, myMoneroSeed }: WalletSecrets): WalletSecrets => ({
  spendKey: spendKey?.slice(),
  viewKey: viewKey.slice(),
  seedLanguage,
  ...(polyseed && { polyseed: polyseed.slice() }),
  ...(myMoneroSeed && { myMoneroSeed: myMoneroSeed.slice() }),
});

/** Wipes the secrets that can spend; the view key stays the same array. */
export function forgetSpendKey({ spendKey, viewKey, seedLanguage, polyseed, myMoneroSeed }: WalletSecrets): WalletSecrets {
  wipe(...[spendKey, polyseed, myMoneroSeed].filter((bytes) => bytes !== undefined));
  return { spendKey: undefined, viewKey, seedLanguage };
}

/** Overwrites all secrets with zeros. */
export function wipeSecrets(secrets: WalletSecrets): void {
  forgetSpendKey(secrets);
  wipe(secrets.viewKey);
}
