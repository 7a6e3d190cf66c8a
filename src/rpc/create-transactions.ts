import { bytesToHex } from '../base/index.ts';
import { keccak256 } from '../crypto/index.ts';
import { totalOf } from '../protocol/index.ts';
import type { FileOptions, PaymentRequest, Wallet } from '../wallet/index.ts';
import { RpcError } from './errors.ts';

/** Whether transactions are sent, and what the reply contains. */
export interface CreateOptions extends FileOptions {
  readonly keys: boolean;
  readonly doNotSend: boolean;
  readonly hex: boolean;
  readonly metadata: boolean;
  /** Most transactions that are accepted. */
  readonly most?: number | undefined;
}

/**
 * Creates the transactions of a payment and sends them unless told otherwise; a view-only wallet makes an unsigned set instead
 * (wallet_rpc_server.cpp, fill_response).
 * @throws RpcError `txTooLarge`; SpendError, DaemonError and others as spending does
 */
export async function createTransactions(wallet: Wallet, request: PaymentRequest, options: CreateOptions) {
  const { transactions, unsignedSet, multisigSet } = await wallet.payments.pay(request, {
    compat: options.compat,
    accept: (count) => requireFew(count, options),
    doNotSend: options.doNotSend,
    metadata: options.metadata,
  });
  const hex = (bytes: Uint8Array | undefined) => bytesToHex(bytes ?? new Uint8Array());
  // Fields that were not requested are empty.
  const created = transactions.map(({ destinations, fee, weight, keyImages, txKey, signed }, i) => ({
    // It has no id before it is signed; the reference gives one that no transaction will have, and for a group none.
    txHash: signed?.txHash ?? (unsignedSet === undefined ? '' : bytesToHex(keccak256(unsignedSet, Uint8Array.of(i)))),
    txKey: options.keys ? (signed?.txKey ?? txKey ?? '') : '',
    amount: totalOf(destinations),
    /** Amounts of the destinations in the requested order, without change. */
    amounts: destinations.map(({ amount }) => amount),
    ...{ fee, weight, keyImages },
    blob: options.hex ? (signed?.blob ?? '') : '',
    metadata: hex(signed?.metadata),
  }));
  return {
    transactions: created,
    /** Unsigned set for the cold half, hex; empty in a wallet that signs itself. */
    unsignedSet: hex(unsignedSet),
    /** Set for the other signers of a group, hex; empty in a wallet of one owner. */
    multisigSet: hex(multisigSet),
  };
}

/** The created transactions, from which replies are made. */
export type CreatedTransactions = Awaited<ReturnType<typeof createTransactions>>;

function requireFew(count: number, { most }: CreateOptions): void {
  if (most !== undefined && count > most)
    throw new RpcError('txTooLarge', 'Transaction would be too large.  try /transfer_split.');
}
