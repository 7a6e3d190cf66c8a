import { bytesToHex } from '../../base/index.ts';

/** Public keys of an address that is paid. 32 bytes each. */
export interface PaidAddress {
  readonly spendKey: Uint8Array;
  readonly viewKey: Uint8Array;
  readonly isSubaddress: boolean;
}

/** An output to make. */
export interface PaidOutput {
  readonly address: PaidAddress;
  /** 0 only for the dummy that keeps a transaction at two outputs. */
  readonly amount: bigint;
}

export function sameAddress(a: PaidAddress, b: PaidAddress): boolean {
  return addressId(a) === addressId(b);
}

/** Two addresses are one when both keys agree: 128 hex digits. */
function addressId(address: PaidAddress): string {
  return bytesToHex(address.spendKey) + bytesToHex(address.viewKey);
}

/** What kinds of addresses a transaction pays, change apart (`classify_addresses`, cryptonote_tx_utils.cpp). */
export interface Recipients {
  readonly standard: number;
  readonly subaddresses: number;
  /** The last new subaddress met. */
  readonly subaddress: PaidAddress | undefined;
  /** One key for all does not do when subaddresses are mixed with others. */
  readonly needsAdditionalKeys: boolean;
}

export function classifyRecipients(outputs: readonly PaidOutput[], change: PaidAddress | undefined): Recipients {
  const seen = new Set<string>();
  let standard = 0;
  let subaddresses = 0;
  let subaddress: PaidAddress | undefined;
  for (const { address } of outputs) {
    const id = addressId(address);
    if (seen.has(id) || (change !== undefined && sameAddress(address, change))) continue;
    seen.add(id);
    if (address.isSubaddress) {
      subaddresses++;
      subaddress = address;
    } else standard++;
  }
  const needsAdditionalKeys = subaddresses > 0 && (standard > 0 || subaddresses > 1);
  return { standard, subaddresses, subaddress, needsAdditionalKeys };
}

/**
 * The view key that a payment id is encrypted to (`get_destination_view_key_pub`): that of the one destination, or of change when
 * everything returns; undefined when there are several.
 */
export function paymentIdViewKey(outputs: readonly PaidOutput[], change: PaidAddress | undefined): Uint8Array | undefined {
  let single: PaidAddress | undefined;
  for (const { address, amount } of outputs) {
    if (amount === 0n || (change !== undefined && sameAddress(address, change))) continue;
    if (single !== undefined && !sameAddress(single, address)) return undefined;
    single = address;
  }
  return (single ?? change)?.viewKey;
}

/** Whether the extra field holds an encrypted payment id: a real one, or a dummy for the usual destination and change. */
export function hasEncryptedPaymentId(outputs: readonly PaidOutput[], change: PaidAddress | undefined, real: boolean): boolean {
  return real || (outputs.length <= 2 && paymentIdViewKey(outputs, change) !== undefined);
}

/** Bytes of the extra field: key 33, additional keys, nonce with an encrypted payment id 11. */
export function extraSize(outputs: readonly PaidOutput[], change: PaidAddress | undefined, real: boolean): number {
  const additional = classifyRecipients(outputs, change).needsAdditionalKeys ? 2 + 32 * outputs.length : 0;
  return 33 + additional + (hasEncryptedPaymentId(outputs, change, real) ? 11 : 0);
}

/** Bytes of the extra field that the wallet already holds when it estimates: the payment id. */
export const PAYMENT_ID_EXTRA_SIZE = 11;
