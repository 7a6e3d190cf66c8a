import {
  decodeAddress,
  isProtocolError,
  MAX_OUTPUTS,
  type Network,
  type PaidAddress,
  type PaidOutput,
  payeeOf,
  sameAddress,
} from '../../protocol/index.ts';
import type { SubaddressIndex } from '../model.ts';
import type {
  PaymentRequest,
  PricedRequest,
  Priority,
  SweepRequest,
  TransferRequest,
  UnmixableRequest,
} from '../payment-requests.ts';
import { SpendError } from './errors.ts';

/** Most destinations of one transaction: with change, sixteen outputs. */
const MAX_DESTINATIONS = 15;

/** What reading a request needs of the paying wallet. */
interface Payer {
  readonly state: { readonly description: { readonly network: Network } };
  /** The wallet's address at an index. */
  addressOf(index: SubaddressIndex): string;
  /** The index of an address of the wallet; undefined for anybody else's. */
  lookup(address: string): SubaddressIndex | undefined;
}

/** An address with its text, which may be an integrated one. */
export interface WrittenAddress extends PaidAddress {
  readonly text: string;
}

/** A recipient and its amount; neither change nor dummy. */
export interface Recipient extends PaidOutput {
  readonly address: WrittenAddress;
}

/** A valid request: the first of a payment's five steps. A plain value. */
export type PaymentOrder = TransferOrder | SweepOrder | UnmixableOrder;

interface Terms {
  readonly priority: Priority;
  readonly acceptHighFee: boolean;
  /** Raw; 0 for none. */
  readonly unlockTime: bigint;
  /** 8 bytes in clear, of the integrated address. */
  readonly paymentId: Uint8Array | undefined;
  readonly account: number;
  /** Subaddresses of the account to spend from; empty for all. */
  readonly subaddresses: readonly number[];
}

/** An order to pay named recipients. */
export interface TransferOrder extends Terms {
  readonly kind: 'transfer';
  /** Destinations in the requested order. */
  readonly destinations: readonly Recipient[];
  /** Indices of destinations that bear the fee in equal parts; if empty, the change does. */
  readonly feeFrom: ReadonlySet<number>;
  /** Whether several transactions may be used if one does not suffice. */
  readonly severalTransactions: boolean;
  /** How many coins the account should have afterwards; undefined: one change output. */
  readonly keepReady: number | undefined;
}

/** An order to pay all of some coins to one address. */
export interface SweepOrder extends Terms {
  readonly kind: 'sweep';
  readonly address: WrittenAddress;
  /** Number of outputs. */
  readonly outputs: number;
  readonly coins: SweptCoins;
}

/** Coins of a sweep: one coin of any account, coins of one account, or all below an amount, 0 for any. */
export type SweptCoins =
  | { readonly keyImage: string }
  | { readonly keyImages: readonly string[] }
  | { readonly belowAmount: bigint };

/** An order to convert outputs from before RingCT that cannot be mixed to RingCT. */
export interface UnmixableOrder {
  readonly kind: 'unmixable';
  /** undefined for all. */
  readonly account: number | undefined;
  readonly acceptHighFee: boolean;
}

/**
 * Reads a request and checks what can be checked without the wallet's coins and without a daemon.
 * @throws SpendError `no-destination`, `too-many-destinations`, `bad-output-count`, `bad-fee-bearer`, `fee-bearers-split`, `zero-amount`,
 *   `bad-address`, `wrong-network`, `several-payment-ids`, `payment-id-with-several-destinations`
 */
export function readRequest(request: PricedRequest, payer: Payer): TransferOrder | SweepOrder;
export function readRequest(request: PaymentRequest, payer: Payer): PaymentOrder;
export function readRequest(request: PaymentRequest, payer: Payer): PaymentOrder {
  switch (request.kind) {
    case 'transfer':
      return readTransfer(request, payer);
    case 'sweep':
      return readSweep(request, payer);
    case 'unmixable':
      return readUnmixable(request);
  }
}

function readTransfer(request: TransferRequest, payer: Payer): TransferOrder {
  const { destinations, severalTransactions = false, keepReady } = request;
  if (destinations.length === 0) throw new SpendError('no-destination', 'expected at least one destination');
  if (destinations.length > MAX_DESTINATIONS && !severalTransactions) {
    throw new SpendError('too-many-destinations', `expected at most ${MAX_DESTINATIONS} destinations`, {
      destinations: destinations.length,
    });
  }
  if (keepReady !== undefined && !(Number.isInteger(keepReady) && keepReady >= 1 && keepReady <= MAX_OUTPUTS)) {
    throw new SpendError('bad-output-count', `expected 1 … ${MAX_OUTPUTS} coins to keep ready`, { outputs: keepReady });
  }
  const feeFrom = readBearers(request);
  const { network } = payer.state.description;
  const read = destinations.map(({ address, amount }) => ({ ...requirePayee(address, amount, network), amount }));
  return {
    kind: 'transfer',
    ...termsOf(request),
    destinations: read.map(({ address, amount }) => ({ address, amount })),
    paymentId: singlePaymentId(read, payer, request.account),
    feeFrom,
    severalTransactions,
    keepReady,
  };
}

function readSweep(request: SweepRequest, { state }: Payer): SweepOrder {
  const { network } = state.description;
  const { keyImage, keyImages, belowAmount = 0n, outputs = 1 } = request;
  const coins = keyImage !== undefined ? { keyImage } : keyImages !== undefined ? { keyImages } : { belowAmount };
  return { kind: 'sweep', ...termsOf(request), ...requirePayee(request.address, 1n, network), outputs, coins };
}

function readUnmixable({ account, acceptHighFee = false }: UnmixableRequest): UnmixableOrder {
  return { kind: 'unmixable', account, acceptHighFee };
}

function termsOf({
  priority,
  acceptHighFee = false,
  unlockTime = 0n,
  account,
  subaddresses = [],
}: TransferRequest | SweepRequest) {
  return { priority, acceptHighFee, unlockTime, account, subaddresses };
}

/** Which destinations bear the fee. @throws SpendError `bad-fee-bearer`; `fee-bearers-split` when one transaction cannot pay all */
function readBearers({ destinations, feeFrom = [] }: TransferRequest): ReadonlySet<number> {
  const last = Math.max(...feeFrom);
  if (feeFrom.some((index) => !Number.isInteger(index) || index < 0) || last >= destinations.length) {
    throw new SpendError('bad-fee-bearer', 'expected a destination at every position that bears the fee', { index: last });
  }
  if (feeFrom.length > 0 && destinations.length > MAX_DESTINATIONS) {
    throw new SpendError('fee-bearers-split', 'expected one transaction to pay all who bear its fee', { when: 'asked' });
  }
  return new Set(feeFrom);
}

interface ReadPayee {
  readonly address: WrittenAddress;
  readonly paymentId: Uint8Array | undefined;
}

/** @throws SpendError `bad-address`, `wrong-network`, `zero-amount` */
function requirePayee(text: string, amount: bigint, network: Network): ReadPayee {
  if (amount <= 0n) throw new SpendError('zero-amount', 'expected every amount to be above zero');
  try {
    const address = decodeAddress(text, network);
    return { address: { ...payeeOf(address), text }, paymentId: address.paymentId };
  } catch (error) {
    if (!isProtocolError(error)) throw error;
    const code = error.code === 'wrong-network' ? 'wrong-network' : 'bad-address';
    throw new SpendError(code, error.message, { reason: error.code }, error);
  }
}

/**
 * An encrypted payment id is for one receiver, and extra holds only one. Payments to ourselves count as change: the id is for the other
 * destination (cryptonote_tx_utils.cpp, get_destination_view_key_pub). Nobody else may read what is in an address of ours.
 */
function singlePaymentId(read: readonly ReadPayee[], payer: Payer, account: number): Uint8Array | undefined {
  const [one, ...others] = read.filter(({ paymentId }) => paymentId !== undefined);
  if (others.length > 0) throw new SpendError('several-payment-ids', 'expected at most one integrated address');
  if (one === undefined) return undefined;
  const change = decodeAddress(payer.addressOf({ major: account, minor: 0 }), payer.state.description.network);
  const [reader, ...more] = read.filter(({ address }) => !sameAddress(address, change));
  const single = more.every(({ address }) => sameAddress(address, reader!.address));
  const meant = reader === undefined || sameAddress(reader.address, one.address) || isOurs(reader.address, payer);
  if (!single || !meant) {
    throw new SpendError('payment-id-with-several-destinations', 'expected an integrated address to be the only destination');
  }
  return one.paymentId;
}

/** Whether an address is the wallet's own, with both of its keys. */
function isOurs(address: WrittenAddress, payer: Payer): boolean {
  const index = payer.lookup(address.text);
  return index !== undefined && sameAddress(address, decodeAddress(payer.addressOf(index), payer.state.description.network));
}
