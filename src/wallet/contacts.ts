import { bytesToHex, hexToBytes } from '../base/index.ts';
import type { Random } from '../crypto/index.ts';
import { decodeAddress, encodeAddress } from '../protocol/index.ts';
import { WalletError } from './errors.ts';
import type { WalletEvent } from './state/events.ts';
import type { WalletState } from './state/state.ts';

/** The address book. A payment id is part of the address: an entry that has one is an integrated address. */
export interface Contact {
  readonly id: string;
  readonly address: string;
  readonly description: string;
}

/** Contacts in the order in which they were added. */
export function contactsOf(state: WalletState): Contact[] {
  return [...state.contacts].map(([id, { address, description }]) => ({ id, address, description }));
}

const ID_BYTES = 8;

/** The event that changes an entry in its place, or adds one if none has this id. @throws ProtocolError as {@link decodeAddress} */
export function contactSaved(
  { contacts, description: wallet }: Pick<WalletState, 'contacts' | 'description'>,
  random: Random,
  { id, address, description }: Omit<Contact, 'id'> & { readonly id?: string },
): WalletEvent {
  decodeAddress(address, wallet.network);
  if (id === undefined || !contacts.has(id)) return contactAdded(random, address, description);
  return { type: 'ContactSet', id, contact: { address, description } };
}

/** The event that adds an entry at the end. */
export function contactAdded(random: Random, address: string, description: string): WalletEvent {
  return { type: 'ContactSet', id: bytesToHex(random.bytes(ID_BYTES)), contact: { address, description } };
}

/**
 * A standard or integrated address with another payment id, or none.
 * @param paymentId 16 hex digits; empty for none
 * @throws WalletError `bad-address` for a subaddress with a payment id; ProtocolError as {@link decodeAddress}
 */
export function withPaymentId(address: string, paymentId: string): string {
  const { network, kind, spendKey, viewKey } = decodeAddress(address);
  if (paymentId === '') return kind === 'integrated' ? encodeAddress({ network, kind: 'standard', spendKey, viewKey }) : address;
  if (kind === 'subaddress') throw new WalletError('bad-address', 'expected no payment id with a subaddress');
  return encodeAddress({ network, kind: 'integrated', spendKey, viewKey, paymentId: hexToBytes(paymentId) });
}

/** 16 hex digits; undefined when the address has none. */
export function paymentIdOf(address: string): string | undefined {
  const { paymentId } = decodeAddress(address);
  return paymentId === undefined ? undefined : bytesToHex(paymentId);
}
