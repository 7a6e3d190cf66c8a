import { wipe } from '../../base/index.ts';
import { sameAddress } from '../../protocol/address.ts';
import { WalletKeys } from '../keys.ts';
import { groupKeys } from '../multisig/account.ts';
import type { KeySigner } from '../spend/index.ts';
import type { WalletState } from '../state/state.ts';
import type { SubaddressTable } from '../subaddresses.ts';
import type { Views } from '../views.ts';
import { forgetSpendKey, type WalletSecrets } from '../wallet-secrets.ts';

/**
 * The keys of a wallet that was just opened. A signer's are those of its group: its earlier spend key is wiped from memory, and stays
 * sealed in the journal's header.
 * @throws WalletError `bad-key`, `bad-address`
 */
export function keysOf(secrets: WalletSecrets, state: WalletState): WalletKeys {
  if (state.multisig === undefined) return WalletKeys.of(secrets, state.description);
  forgetSpendKey(secrets);
  return WalletKeys.of(groupSecrets(secrets, state.multisig.commonSecret.slice()), state.description);
}

/** The current secrets of an open wallet. */
export const secretsOf = (secrets: WalletSecrets, state: WalletState, { viewKey }: WalletKeys): WalletSecrets =>
  state.multisig === undefined ? secrets : groupSecrets(secrets, viewKey);

const groupSecrets = ({ seedLanguage }: WalletSecrets, viewKey: Uint8Array): WalletSecrets => ({
  ...{ spendKey: undefined, viewKey, seedLanguage },
});

/** The parts of an open wallet that depend on its keys. */
export interface KeyDependents {
  readonly state: WalletState;
  readonly keys: WalletKeys;
  readonly table: SubaddressTable;
  readonly views: Views;
  readonly signer: KeySigner | undefined;
}

/** Replaces the keys after an event by which the wallet became a signer or learned its group's address. */
export function adoptGroupKeys({ state, keys, table, views, signer }: KeyDependents): void {
  const { multisig, description } = state;
  if (multisig === undefined) return;
  if (sameAddress(keys.primary, groupKeys(multisig))) return;
  signer?.close();
  keys.become(multisig, description.primaryAddress);
  table.clear();
  views.clear();
}

/** Overwrites a signer's secrets; does nothing in a wallet of one owner. */
export function wipeAccount({ multisig }: WalletState): void {
  if (multisig !== undefined) wipe(multisig.baseSecret, multisig.commonSecret, ...multisig.keyShares);
}
