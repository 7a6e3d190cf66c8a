import type { WalletContext } from '../../src/wallet/context.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';

/** The internals of an open wallet, for tests of its state or its journal. Only tests have access to them. */
export const inside = (wallet: Wallet): WalletContext => (wallet as unknown as { readonly inside: WalletContext }).inside;
