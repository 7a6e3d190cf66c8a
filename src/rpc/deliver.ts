import { bytesToHex } from '../base/index.ts';
import { keccak256 } from '../crypto/index.ts';
import type { PaymentRequest } from '../wallet/api.ts';
import type { FileOptions } from '../wallet/offline-api.ts';
import { fileSigner, txMetadata } from '../wallet/offline-signing/index.ts';
import {
  checkSigned,
  type PaymentPlan,
  planPayment,
  readRequest,
  sendChecked,
  sign,
  spendContextOf,
} from '../wallet/spend/index.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { RpcError } from './errors.ts';

/** What is to happen with what was made, and what the reply is to hold. */
export interface DeliveryOptions extends FileOptions {
  readonly keys: boolean;
  readonly doNotRelay: boolean;
  readonly hex: boolean;
  readonly metadata: boolean;
  /** Most transactions that may come of it. */
  readonly most?: number;
}

/** One transaction for a reply. What was not asked for is empty. */
export interface Delivered {
  readonly hash: string;
  readonly key: string;
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
}

/**
 * Makes what is wanted, and sends it unless told otherwise; a view-only wallet makes a set for its cold half instead
 * (wallet_rpc_server.cpp, fill_response).
 * @throws RpcError `txTooLarge`; SpendError, DaemonError and others as spending does
 */
export async function deliver({ room }: Wallet, request: PaymentRequest, options: DeliveryOptions): Promise<Delivery> {
  const spend = { ...spendContextOf(room), signer: room.signer ?? fileSigner(room, options) };
  const plan = await planPayment(spend, readRequest(request, room.keys.network));
  requireFew(plan.transactions.length, options);
  const signing = await sign(spend, plan);
  if (signing.kind === 'unfinished') return unsignedDelivery(room, plan, signing.bytes);
  const checked = await checkSigned(spend, plan, signing.transactions);
  const metadata = options.metadata ? txMetadata(room, plan, checked).map(bytesToHex) : [];
  if (!options.doNotRelay) await sendChecked(spend, checked);
  const transactions = checked.map((tx, i) => ({
    hash: tx.txHash,
    key: options.keys ? tx.txKeys.join('') : '',
    ...amountsOf(tx),
    fee: tx.fee,
    weight: tx.weight,
    blob: options.hex ? tx.blob : '',
    metadata: metadata[i] ?? '',
    keyImages: tx.inputs,
  }));
  return { transactions, unsignedSet: '' };
}

function unsignedDelivery({ state }: Wallet['room'], plan: PaymentPlan, set: Uint8Array): Delivery {
  const transactions = plan.transactions.map((planned, i) => ({
    // It has no id before it is signed; the reference, too, gives one that no transaction will have.
    hash: bytesToHex(keccak256(set, Uint8Array.of(i))),
    key: '',
    ...amountsOf(planned),
    fee: planned.unsigned.fee,
    weight: planned.weight,
    blob: '',
    metadata: '',
    keyImages: planned.unsigned.inputs.flatMap(({ output }) => state.outputs.get(output.key)?.output.keyImage ?? []),
  }));
  return { transactions, unsignedSet: bytesToHex(set) };
}

function amountsOf({ destinations }: { readonly destinations: PaymentPlan['transactions'][0]['destinations'] }) {
  const amounts = destinations.map(({ amount }): bigint => amount);
  return { amounts, amount: amounts.reduce((sum, amount) => sum + amount, 0n) };
}

function requireFew(count: number, { most }: DeliveryOptions): void {
  if (most !== undefined && count > most)
    throw new RpcError('txTooLarge', 'Transaction would be too large.  try /transfer_split.');
}
