import type { WalletContext } from '../../src/wallet/context.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';

/** The inside of an open wallet, where that is what a test is about: its state, its journal's door. Nothing but tests has it. */
export const inside = (wallet: Wallet): WalletContext => (wallet as unknown as { readonly inside: WalletContext }).inside;
