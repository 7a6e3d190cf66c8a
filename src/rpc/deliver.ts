import { bytesToHex } from '../base/index.ts';
import { keccak256 } from '../crypto/index.ts';
import type { SweepRequest, TransferRequest, UnmixableRequest } from '../wallet/api.ts';
import type { FileOptions } from '../wallet/offline-api.ts';
import { buildUnsignedSet, txMetadata } from '../wallet/offline-signing/index.ts';
import {
  type AssembledPlan,
  layOutSweep,
  layOutTransfer,
  layOutUnmixable,
  type Prepared,
  prepareSweep,
  prepareTransfer,
  prepareUnmixable,
  type SpendContext,
  spendContextOf,
  submitPrepared,
} from '../wallet/spend/index.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { RpcError } from './errors.ts';

/** What a request wants to be paid or swept. */
export type Wanted =
  | { readonly kind: 'transfer'; readonly request: TransferRequest }
  | { readonly kind: 'sweep'; readonly request: SweepRequest }
  | { readonly kind: 'unmixable'; readonly request: UnmixableRequest };

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
export async function deliver(wallet: Wallet, wanted: Wanted, options: DeliveryOptions): Promise<Delivery> {
  return wallet.state.description.kind === 'view' ? assemble(wallet, wanted, options) : sign(wallet, wanted, options);
}

async function sign(wallet: Wallet, wanted: Wanted, options: DeliveryOptions): Promise<Delivery> {
  const { room } = wallet;
  const spend = spendContextOf(room);
  const prepared = await prepare(spend, wanted);
  if (prepared === undefined) return { transactions: [], unsignedSet: '' };
  requireFew(prepared.transactions.length, options);
  const metadata = options.metadata ? await metadataOf(wallet, prepared) : [];
  if (!options.doNotRelay) await submitPrepared(spend, prepared);
  const transactions = prepared.transactions.map((tx, i) => ({
    hash: tx.txHash,
    key: options.keys ? tx.txKeys.join('') : '',
    amount: tx.destinations.reduce((sum, { amount }) => sum + amount, 0n),
    amounts: tx.destinations.map(({ amount }) => amount),
    fee: tx.fee,
    weight: tx.weight,
    blob: options.hex ? tx.blob : '',
    metadata: metadata[i] ?? '',
    keyImages: tx.inputs,
  }));
  return { transactions, unsignedSet: '' };
}

function prepare(spend: SpendContext, { kind, request }: Wanted): Promise<Prepared | undefined> {
  if (kind === 'transfer') return prepareTransfer(spend, request);
  return kind === 'sweep' ? prepareSweep(spend, request) : prepareUnmixable(spend, request);
}

async function metadataOf({ room }: Wallet, prepared: Prepared): Promise<string[]> {
  await room.ready();
  return txMetadata(room, prepared).map(bytesToHex);
}

async function assemble({ room }: Wallet, wanted: Wanted, options: DeliveryOptions): Promise<Delivery> {
  const spend = spendContextOf(room);
  const plan = await layOut(spend, wanted);
  requireFew(plan.transactions.length, options);
  await room.ready();
  const set = await buildUnsignedSet(room, plan, options);
  const transactions = plan.transactions.map(({ planned, unsigned }, i) => ({
    // It has no id before it is signed; the reference, too, gives one that no transaction will have.
    hash: bytesToHex(keccak256(set, Uint8Array.of(i))),
    key: '',
    amount: planned.destinations.reduce((sum, { amount }) => sum + amount, 0n),
    amounts: planned.destinations.map(({ amount }) => amount),
    fee: unsigned.fee,
    weight: planned.weight,
    blob: '',
    metadata: '',
    keyImages: unsigned.inputs.flatMap(({ output }) => room.state.outputs.get(output.key)?.output.keyImage ?? []),
  }));
  return { transactions, unsignedSet: bytesToHex(set) };
}

function layOut(spend: SpendContext, { kind, request }: Wanted): Promise<AssembledPlan> {
  if (kind === 'transfer') return layOutTransfer(spend, request);
  return kind === 'sweep' ? layOutSweep(spend, request) : layOutUnmixable(spend, request);
}

function requireFew(count: number, { most }: DeliveryOptions): void {
  if (most !== undefined && count > most)
    throw new RpcError('txTooLarge', 'Transaction would be too large.  try /transfer_split.');
}
