import { bytesToHex, equalBytes } from '../../base/index.ts';
import { addressId, type Network, parseExtra, paymentIdOf, sameAddress, totalOf } from '../../protocol/index.ts';
import { type TxConstruction, type TxDestination, type TxSource, unsignedSetFile } from '../../wallet2/index.ts';
import type { SubaddressIndex } from '../model.ts';
import type { SetReview } from '../offline-api.ts';
import { warningsOf } from '../spend/index.ts';
import { indexKey } from '../state/state.ts';
import { addressOf } from './address-of.ts';
import { realMember } from './claims.ts';
import { isClearForm } from './construction.ts';
import type { OfflineContext } from './context.ts';
import { OfflineSigningError } from './errors.ts';

/** A recipient: an address, and the sum it receives. */
export interface DescribedRecipient {
  readonly address: string;
  readonly amount: bigint;
}

/** An output that is spent. */
export interface DescribedSource {
  readonly amount: bigint;
  readonly globalIndex: bigint;
  readonly rct: boolean;
  /** One-time key and commitment, 128 hex digits. */
  readonly pubkey: string;
}

/** Description of one transaction of a set (`describe_transfer`). */
export interface DescribedTransaction {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Size of the smallest ring. */
  readonly ringSize: number;
  /** Raw. */
  readonly unlockTime: bigint;
  readonly sources: readonly DescribedSource[];
  /** Without change. */
  readonly recipients: readonly DescribedRecipient[];
  /** 16 or 64 hex digits; empty where there is none. */
  readonly paymentId: string;
  readonly changeAmount: bigint;
  /** Empty where there is no change. */
  readonly changeAddress: string;
  readonly fee: bigint;
  readonly dummyOutputs: number;
  /** Hex. */
  readonly extra: string;
}

/** A set of transactions as it describes itself, one by one and in total. Amounts in atomic units. */
export interface DescribedSet {
  readonly transactions: readonly DescribedTransaction[];
  readonly summary: {
    readonly amountIn: bigint;
    readonly amountOut: bigint;
    readonly recipients: readonly DescribedRecipient[];
    readonly changeAmount: bigint;
    readonly changeAddress: string;
    readonly fee: bigint;
  };
}

/** Unchecked: {@link signUnsigned} checks the description against this wallet. @throws as {@link describeSet} */
export async function describeUnsigned(ctx: OfflineContext, file: Uint8Array): Promise<DescribedSet> {
  const { transactions } = await unsignedSetFile.open(file, ctx.keys.viewKey);
  return describeSet(transactions, ctx.keys.network);
}

/** A recipient with its keys: one address may be written in several ways. */
interface Tally {
  readonly address: string;
  amount: bigint;
}

/** Summary of a set (wallet_rpc_server.cpp, on_describe_transfer). @throws OfflineSigningError `several-change-addresses` */
export function describeSet(transactions: readonly TxConstruction[], network: Network): DescribedSet {
  requireOneChange(transactions);
  const all = new Map<string, Tally>();
  const described = transactions.map((construction) => describeOne(construction, transactions[0]!, network, all));
  const sum = (pick: (one: DescribedTransaction) => bigint) => described.reduce((total, one) => total + pick(one), 0n);
  return {
    transactions: described,
    summary: {
      amountIn: sum(({ amountIn }) => amountIn),
      amountOut: sum(({ amountOut }) => amountOut),
      recipients: [...all.values()].map(({ address, amount }) => ({ address, amount })),
      changeAmount: sum(({ changeAmount }) => changeAmount),
      changeAddress: described.findLast(({ changeAddress }) => changeAddress !== '')?.changeAddress ?? '',
      fee: sum(({ fee }) => fee),
    },
  };
}

/**
 * Recipients of a set, each address once. The summary, like the reference's, distinguishes them by keys: two payment ids of one exchange
 * are one recipient there, under the first.
 */
function recipientsOf({ transactions }: Pick<DescribedSet, 'transactions'>): readonly DescribedRecipient[] {
  const all = new Map<string, bigint>();
  for (const { address, amount } of transactions.flatMap(({ recipients }) => recipients))
    all.set(address, (all.get(address) ?? 0n) + amount);
  return [...all].map(([address, amount]) => ({ address, amount }));
}

/**
 * A review of a set for display.
 * @param spentFrom subaddresses whose outputs a transaction spends together (T11)
 * @throws OfflineSigningError as {@link describeSet}
 */
export function reviewOfSet(
  transactions: readonly TxConstruction[],
  network: Network,
  spentFrom: (construction: TxConstruction, index: number) => readonly SubaddressIndex[],
): SetReview {
  const described = describeSet(transactions, network);
  const recipients = recipientsOf(described);
  const { fee, changeAmount } = described.summary;
  const warnings = warningsOf({
    transactions: transactions.length,
    isInTheOpen: transactions.some(isClearForm),
    isLocked: transactions.some(({ unlockTime }) => unlockTime !== 0n),
    linksSubaddresses: transactions.some((one, i) => new Set(spentFrom(one, i).map(indexKey)).size > 1),
    fee,
    amount: totalOf(recipients),
  });
  return { recipients, fee, change: changeAmount, transactions: transactions.length, warnings };
}

function requireOneChange(transactions: readonly TxConstruction[]): void {
  const [first, ...others] = transactions.map(({ change }) => change).filter(({ amount }) => amount > 0n);
  if (first === undefined || others.every((other) => sameAddress(other, first))) return;
  throw new OfflineSigningError('several-change-addresses', 'expected all change to go to one address');
}

function describeOne(
  construction: TxConstruction,
  first: TxConstruction,
  network: Network,
  all: Map<string, Tally>,
): DescribedTransaction {
  const { sources, splitDestinations, change, unlockTime, extra } = construction;
  const paymentId = paymentIdIn(extra);
  const amountIn = totalOf(sources);
  const amountOut = totalOf(splitDestinations);
  const paid = tallyDestinations(splitDestinations, paymentId?.length === 8 ? paymentId : undefined, network);
  takeChange(paid, change);
  const recipients = [...paid].filter(([, { amount }]) => amount > 0n);
  for (const [keys, recipient] of recipients) addTo(all, keys, recipient.address, recipient.amount);
  return {
    amountIn,
    amountOut,
    ringSize: sources.reduce((least, { outputs }) => Math.min(least, outputs.length), 0xffff_ffff),
    unlockTime,
    sources: sources.map(describedSource),
    recipients: recipients.map(([, { address, amount }]) => ({ address, amount })),
    paymentId: paymentId === undefined ? '' : bytesToHex(paymentId),
    changeAmount: change.amount,
    changeAddress: change.amount > 0n ? addressOf({ ...first.change, isSubaddress: first.account > 0 }, network) : '',
    fee: amountIn - amountOut,
    dummyOutputs: paid.size - recipients.length,
    extra: bytesToHex(extra),
  };
}

function describedSource(source: TxSource): DescribedSource {
  const { amount, rct } = source;
  const { globalIndex, key, commitment } = realMember(source);
  return { amount, globalIndex, rct, pubkey: bytesToHex(key) + bytesToHex(commitment) };
}

/** 8 bytes of an encrypted payment id that is not the dummy, or 32 of a clear one. */
function paymentIdIn(extra: Uint8Array): Uint8Array | undefined {
  const { fields, remainder } = parseExtra(extra);
  const id = remainder.length > 0 ? undefined : paymentIdOf(fields);
  return id === undefined || (id.kind === 'encrypted' && equalBytes(id.bytes, new Uint8Array(8))) ? undefined : id.bytes;
}

function tallyDestinations(
  destinations: readonly TxDestination[],
  paymentId: Uint8Array | undefined,
  network: Network,
): Map<string, Tally> {
  const paid = new Map<string, Tally>();
  for (const destination of destinations) {
    addTo(paid, addressId(destination), addressOf(destination, network, paymentId), destination.amount);
  }
  return paid;
}

function addTo(tallies: Map<string, Tally>, keys: string, address: string, amount: bigint): void {
  const tally = tallies.get(keys);
  if (tally === undefined) tallies.set(keys, { address, amount });
  else tally.amount += amount;
}

function takeChange(paid: Map<string, Tally>, change: TxDestination): void {
  if (change.amount === 0n) return;
  const keys = addressId(change);
  const tally = paid.get(keys);
  if (tally === undefined)
    throw new OfflineSigningError('change-not-paid', 'expected the claimed change to go to a paid address');
  if (tally.amount < change.amount) {
    throw new OfflineSigningError('change-too-large', 'expected no more change than is paid to its address');
  }
  tally.amount -= change.amount;
  if (tally.amount === 0n) paid.delete(keys);
}
