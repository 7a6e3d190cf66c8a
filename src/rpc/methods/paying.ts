import * as v from 'valibot';
import type { PaymentRequest, Priority } from '../../wallet/index.ts';
import { type CreatedTransactions, type CreateOptions, createTransactions } from '../create-transactions.ts';
import { RpcError } from '../errors.ts';
import { bool, result, text, u32, u64 } from '../fields.ts';
import { type RpcContext, WRITES } from '../method.ts';
import { requireEnabled } from '../multisig-wallet.ts';
import { toReferenceError } from '../spend-errors.ts';

/** Parameters of every method that makes transactions. `ring_size` has one value on this chain: it is accepted and ignored. */
export const PAYMENT_PARAMS = {
  priority: u32(),
  ring_size: u64(),
  unlock_time: u64(),
  payment_id: text(),
  do_not_relay: bool(),
  get_tx_hex: bool(),
  get_tx_metadata: bool(),
};

const keyImageList = v.object({ key_images: v.optional(v.array(result.text)) });

/** Amounts by destination of a transaction. */
const byDestination = v.object({ amounts: v.array(result.u64) });

/** Result of a method that makes one transaction. Amounts in atomic units. */
export const ONE_TRANSACTION = v.object({
  tx_hash: result.text,
  tx_key: result.text,
  amount: result.u64,
  amounts_by_dest: byDestination,
  fee: result.u64,
  weight: result.u32,
  tx_blob: result.text,
  tx_metadata: result.text,
  multisig_txset: result.text,
  unsigned_txset: result.text,
  spent_key_images: keyImageList,
});

/** Result of a method that makes as many transactions as the payment needs: one list entry for each. */
export const SEVERAL_TRANSACTIONS = v.object({
  tx_hash_list: v.array(result.text),
  tx_key_list: v.array(result.text),
  amount_list: v.array(result.u64),
  amounts_by_dest_list: v.array(byDestination),
  fee_list: v.array(result.u64),
  weight_list: v.array(result.u32),
  tx_blob_list: v.array(result.text),
  tx_metadata_list: v.array(result.text),
  multisig_txset: result.text,
  unsigned_txset: result.text,
  spent_key_images_list: v.array(keyImageList),
});

/** Errors of every method that makes transactions. */
export const PAYMENT_ERRORS = [
  'wrongAddress',
  'wrongPaymentId',
  'zeroDestination',
  'zeroAmount',
  'notEnoughMoney',
  'notEnoughUnlockedMoney',
  'txNotPossible',
  'notEnoughOutsToMix',
  'txTooLarge',
  'noDaemonConnection',
  'daemonBusy',
  'nonzeroUnlockTime',
  'disabled',
] as const;

/** As in the reference, values above the highest priority count as the highest. */
export const priorityOf = (priority: number): Priority => Math.min(priority, 4) as Priority;

/** Optional contents of a reply: keys of one transaction, or of several. */
interface Told {
  readonly get_tx_key?: boolean;
  readonly get_tx_keys?: boolean;
  readonly get_tx_hex: boolean;
  readonly get_tx_metadata: boolean;
}

const asksKeys = ({ get_tx_key, get_tx_keys }: Told): boolean => get_tx_key === true || get_tx_keys === true;

/** Whether a reply contains secret transaction keys, as the metadata do, too. */
const tellsKeys = (params: Told): boolean => asksKeys(params) || params.get_tx_metadata;

/** @param most largest number of transactions that is accepted; unlimited when absent */
export function optionsOf(params: Told & { readonly do_not_relay: boolean }, most?: number): CreateOptions {
  const { do_not_relay: doNotSend, get_tx_hex: hex, get_tx_metadata: metadata } = params;
  return { keys: asksKeys(params), doNotSend, hex, metadata, most };
}

/** The reply of a method that makes one transaction. */
export function replyForOne({
  transactions,
  unsignedSet,
  multisigSet,
}: CreatedTransactions): v.InferInput<typeof ONE_TRANSACTION> {
  const { txHash, txKey, amount, amounts, fee, weight, blob, metadata, keyImages } = transactions[0]!;
  return {
    ...{ tx_hash: txHash, tx_key: txKey, amount, fee, weight, tx_blob: blob, tx_metadata: metadata },
    amounts_by_dest: { amounts: [...amounts] },
    multisig_txset: multisigSet,
    unsigned_txset: unsignedSet,
    spent_key_images: { key_images: [...keyImages] },
  };
}

/** The reply of a method that makes several transactions. */
export function replyForSeveral({
  transactions,
  unsignedSet,
  multisigSet,
}: CreatedTransactions): v.InferInput<typeof SEVERAL_TRANSACTIONS> {
  const texts = (pick: (tx: CreatedTransactions['transactions'][number]) => string) =>
    transactions.map(pick).filter((value) => value !== '');
  return {
    tx_hash_list: texts(({ txHash }) => txHash),
    tx_key_list: texts(({ txKey }) => txKey),
    amount_list: transactions.map(({ amount }) => amount),
    amounts_by_dest_list: transactions.map(({ amounts }) => ({ amounts: [...amounts] })),
    fee_list: transactions.map(({ fee }) => fee),
    weight_list: transactions.map(({ weight }) => weight),
    tx_blob_list: texts(({ blob }) => blob),
    tx_metadata_list: texts(({ metadata }) => metadata),
    multisig_txset: multisigSet,
    unsigned_txset: unsignedSet,
    spent_key_images_list: transactions.map(({ keyImages }) => ({ key_images: [...keyImages] })),
  };
}

/**
 * Creates the transactions of a payment and sends them unless told otherwise.
 * @throws RpcError with the reference's message for a failure
 */
export async function createForMethod(
  { wallet, host: { compat } }: RpcContext,
  request: PaymentRequest,
  options: CreateOptions,
): Promise<CreatedTransactions> {
  try {
    return await createTransactions(wallet, request, { ...options, compat });
  } catch (error) {
    throw await toReferenceError(error, wallet, request);
  }
}

/** Defaults of a method that makes transactions. */
export const payingMethod = {
  ...WRITES,
  needs: 'daemon',
  revealsSecret: tellsKeys,
  errors: PAYMENT_ERRORS,
  fallback: 'transfer',
} as const;

/**
 * Refuses unlock times, which no daemon accepts any more, and multisig wallets unless multisig is enabled. @throws RpcError
 * `nonzeroUnlockTime`, `disabled`
 */
export function requireMayPay({ wallet }: RpcContext, { unlock_time }: { readonly unlock_time: bigint }): void {
  if (unlock_time !== 0n) throw new RpcError('nonzeroUnlockTime', 'Transaction cannot have non-zero unlock time');
  requireEnabled(wallet);
}
