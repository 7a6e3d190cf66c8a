import * as v from 'valibot';
import type { TransferView } from '../wallet/index.ts';
import { result, subaddressIndex } from './fields.ts';

/** One payment in the results of `get_transfers` and related methods (`transfer_entry`, wallet_rpc_server_commands_defs.h). */
export const transferEntry = v.object({
  txid: result.text,
  payment_id: result.text,
  height: result.u32,
  timestamp: result.u32,
  amount: result.u64,
  amounts: v.array(result.u64),
  fee: result.u64,
  note: result.text,
  destinations: v.array(v.object({ amount: result.u64, address: result.text })),
  type: v.picklist(['in', 'out', 'pending', 'failed', 'pool', 'block']),
  unlock_time: result.u64,
  locked: result.bool,
  subaddr_index: subaddressIndex,
  subaddr_indices: v.array(subaddressIndex),
  address: result.text,
  double_spend_seen: result.bool,
  confirmations: v.optional(result.u32),
  suggested_confirmations_threshold: v.optional(result.u64),
});
/** A {@link transferEntry}, amounts in atomic units. */
export type TransferEntry = v.InferInput<typeof transferEntry>;

/** A transfer as in replies. @param chainHeight confirmations of a failed transfer, which the reference counts from block 0 */
export function shownTransfer(one: TransferView, chainHeight: number): TransferEntry {
  return {
    txid: one.txHash,
    payment_id: shownPaymentId(one.paymentId),
    height: one.height ?? 0,
    timestamp: one.timestamp,
    amount: one.amount,
    amounts: [...one.amounts],
    fee: one.fee,
    note: one.note,
    destinations: one.destinations.map(({ address, amount }) => ({ amount, address })),
    type: one.kind,
    unlock_time: one.unlockTime,
    locked: one.locked,
    subaddr_index: one.subaddress,
    subaddr_indices: [...one.subaddresses],
    address: one.address,
    double_spend_seen: one.doubleSpendSeen,
    // Both are omitted when there are none.
    confirmations: (one.kind === 'failed' ? chainHeight : one.confirmations) || undefined,
    suggested_confirmations_threshold: one.confirmationsWanted || undefined,
  };
}

/** Digits of a long payment id after those of a short one. */
const REST = '0'.repeat(48);

/** Sixteen digits when the rest is zeros. */
const shownPaymentId = (id = ''): string => {
  const whole = id.padEnd(64, '0');
  return whole.endsWith(REST) ? whole.slice(0, 16) : whole;
};
