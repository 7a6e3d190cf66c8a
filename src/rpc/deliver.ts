import { bytesToHex } from '../base/index.ts';
import { keccak256 } from '../crypto/index.ts';
import { totalOf } from '../protocol/index.ts';
import type { FileOptions, PaymentRequest, Wallet } from '../wallet/index.ts';
import { RpcError } from './errors.ts';

/** What is to happen with what was made, and what the reply is to hold. */
export interface DeliveryOptions extends FileOptions {
  readonly keys: boolean;
  readonly doNotSend: boolean;
  readonly hex: boolean;
  readonly metadata: boolean;
  /** Most transactions that may come of it. */
  readonly most?: number;
}

/** One transaction for a reply. What was not asked for is empty. */
export interface Delivered {
  readonly txHash: string;
  readonly txKey: string;
  readonly amount: bigint;
  /** By destination, in the order asked for; change is none. */
  readonly amounts: readonly bigint[];
  readonly fee: bigint;
  readonly weight: number;
  readonly blob: string;
  readonly metadata: string;
  readonly keyImages: readonly string[];
}

export interface Delivery {
  readonly transactions: readonly Delivered[];
  /** For the cold half to sign, hex; empty in a wallet that signs itself. */
  readonly unsignedSet: string;
  /** For the other signers of a group, hex; empty in a wallet of one owner. */
  readonly multisigSet: string;
}

/**
 * Makes what is wanted, and sends it unless told otherwise; a view-only wallet makes a set for its cold half instead
 * (wallet_rpc_server.cpp, fill_response).
 * @throws RpcError `txTooLarge`; SpendError, DaemonError and others as spending does
 */
export async function deliver(wallet: Wallet, request: PaymentRequest, options: DeliveryOptions): Promise<Delivery> {
  const { transactions, unsignedSet, multisigSet } = await wallet.payments.pay(request, {
    compat: options.compat,
    accept: (count) => requireFew(count, options),
    doNotSend: options.doNotSend,
    metadata: options.metadata,
  });
  const delivered = transactions.map(({ destinations, fee, weight, keyImages, txKey, signed }, i) => ({
    // It has no id before it is signed; the reference, too, gives one that no transaction will have, and none of a group's.
    txHash: signed?.txHash ?? (unsignedSet === undefined ? '' : bytesToHex(keccak256(unsignedSet, Uint8Array.of(i)))),
    txKey: options.keys ? (signed?.txKey ?? txKey ?? '') : '',
    amount: totalOf(destinations),
    amounts: destinations.map(({ amount }) => amount),
    ...{ fee, weight, keyImages },
    blob: options.hex ? (signed?.blob ?? '') : '',
    metadata: bytesToHex(signed?.metadata ?? new Uint8Array()),
  }));
  const hex = (set: Uint8Array | undefined) => bytesToHex(set ?? new Uint8Array());
  return { transactions: delivered, unsignedSet: hex(unsignedSet), multisigSet: hex(multisigSet) };
}

function requireFew(count: number, { most }: DeliveryOptions): void {
  if (most !== undefined && count > most)
    throw new RpcError('txTooLarge', 'Transaction would be too large.  try /transfer_split.');
}
