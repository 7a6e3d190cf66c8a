import { encodeAddress } from '../../protocol/address.ts';
import type { RecordedTransaction, SentTransaction, WalletDescription } from '../model.ts';
import type { MutableState } from '../state/state.ts';
import { groupKeys, type MultisigAccount } from './account.ts';
import { accountOf, type StoredAccount } from './stored-account.ts';

/** The parts of a wallet's state that belong to its address and are dropped with it. */
type OfOneAddress = Pick<
  MutableState,
  | 'description'
  | 'multisig'
  | 'keyImages'
  | 'predicted'
  | 'imported'
  | 'recorded'
  | 'accounts'
  | 'used'
  | 'rings'
  | 'sent'
  | 'unmined'
  | 'refused'
  | 'committed'
  | 'frozen'
>;

/** The address of a group from the keys known so far. */
export const groupAddress = (account: MultisigAccount, network: WalletDescription['network']): string =>
  encodeAddress({ network, kind: 'standard', ...groupKeys(account) });

/**
 * Makes the wallet the signer of a multisig account. State of the former address is dropped; notes, contacts, and the keys of
 * sent transactions stay.
 * @returns whether the address changed: the chain must then be scanned again
 */
export function becomeSigner(state: OfOneAddress, stored: StoredAccount, firstLabel: string): boolean {
  const account = accountOf(stored);
  const { description } = state;
  const primaryAddress = groupAddress(account, description.network);
  state.multisig = account;
  if (description.primaryAddress === primaryAddress) return false;
  state.description = { ...description, kind: 'multisig', primaryAddress };
  for (const { tx, accepted } of state.sent.values()) if (accepted) state.recorded.set(tx.txHash, recordOf(tx));
  state.imported = [];
  state.accounts = [{ labels: [firstLabel] }];
  const { keyImages, predicted, used, rings, sent, unmined, refused, committed, frozen } = state;
  for (const each of [keyImages, predicted, used, rings, sent, unmined, refused, committed, frozen]) each.clear();
  return true;
}

const recordOf = ({ txHash, txKeys, destinations, change, paymentId }: SentTransaction): RecordedTransaction => ({
  ...{ txHash, txKeys, destinations, change, paymentId },
});
