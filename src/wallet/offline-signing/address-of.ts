import { encodeAddress, type Network } from '../../protocol/index.ts';
import type { TxDestination } from '../../wallet2/index.ts';

/** The address of these keys; integrated if there is a payment id and it is not a subaddress. */
export function addressOf(
  { spendKey, viewKey, isSubaddress }: Pick<TxDestination, 'spendKey' | 'viewKey' | 'isSubaddress'>,
  network: Network,
  paymentId?: Uint8Array,
): string {
  const keys = { network, spendKey, viewKey };
  if (isSubaddress) return encodeAddress({ ...keys, kind: 'subaddress' });
  return encodeAddress(paymentId === undefined ? { ...keys, kind: 'standard' } : { ...keys, kind: 'integrated', paymentId });
}
