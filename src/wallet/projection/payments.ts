import { firstWhere, pushTo } from '../../base/index.ts';
import { type TxHash, totalOf } from '../../protocol/index.ts';
import type { OwnedOutput, SubaddressIndex } from '../model.ts';
import { sentDetails } from '../sent-details.ts';
import { entryOfImage, indexKey, type WalletState } from '../state/state.ts';
import type { TxFacts } from '../state/tx-facts.ts';
import { DailyBalances } from './daily-balances.ts';

/** A payment by one transaction to one subaddress outside the account it spends from (wallet2::payment_details). */
export interface ReceivedPayment {
  readonly kind: 'received';
  readonly txHash: TxHash;
  /** 16 hex digits, or 64 of an old one; undefined if there is none. */
  readonly paymentId: string | undefined;
  readonly amount: bigint;
  /** Amounts of its outputs. */
  readonly amounts: readonly bigint[];
  readonly fee: bigint;
  readonly height: number;
  /** Unix seconds of its block. */
  readonly timestamp: number;
  readonly unlockTime: bigint;
  readonly coinbase: boolean;
  readonly subaddress: SubaddressIndex;
}

/** A mined transaction that spent outputs of ours (wallet2::confirmed_transfer_details). */
export interface SpentTransfer {
  readonly kind: 'spent';
  readonly txHash: TxHash;
  /** Sum of our inputs. */
  readonly amountIn: bigint;
  /** Change to the account it spends from. */
  readonly received: bigint;
  readonly fee: bigint;
  readonly height: number;
  /** Unix seconds of its block. */
  readonly timestamp: number;
  readonly unlockTime: bigint;
  /** Account of our last input. */
  readonly account: number;
  /** Subaddresses that it spent from, ascending. */
  readonly minors: readonly number[];
}

/** A mined payment, in or out. */
export type ChainPayment = ReceivedPayment | SpentTransfer;

/** Selection of payments. Absent fields do not limit it. */
export interface TransferFilter {
  readonly account?: number | undefined;
  /** All when empty. */
  readonly subaddresses: readonly number[];
  /** Heights above this. */
  readonly above: number;
  /** Heights up to this. */
  readonly upTo: number;
}

/** Whether a payment to an account's subaddresses matches a filter. */
export function passes(
  filter: Pick<TransferFilter, 'account' | 'subaddresses'>,
  account: number,
  minors: readonly number[],
): boolean {
  if (filter.account !== undefined && filter.account !== account) return false;
  return filter.subaddresses.length === 0 || minors.some((minor) => filter.subaddresses.includes(minor));
}

const LONG_PAYMENT_ID = 64;

/** A payment id padded with zeros to 64 hex digits, by which lists are searched; all zeros for none. */
export const wholePaymentId = (id = ''): string => id.padEnd(LONG_PAYMENT_ID, '0');

const NO_PAYMENT_ID = wholePaymentId();

/** Mined payments, in chain order. */
export class Payments {
  readonly #all: ChainPayment[] = [];
  readonly #byPaymentId = new Map<string, ReceivedPayment[]>();
  /** Daily balances. */
  readonly days = new DailyBalances();

  /** Takes in a mined transaction. */
  take(facts: TxFacts, state: WalletState, txHash: TxHash): void {
    // A shortcut for most transactions, without the lists and the map below; the result would be the same.
    if (facts.spends.length === 0 && facts.outputs.length === 1) {
      this.#receive(receivedPayment(state, txHash, facts.outputs));
      return;
    }
    const taken = facts.spends.flatMap(({ keyImage }) => entryOfImage(state, keyImage)?.output ?? []);
    const spentFrom = taken.at(-1)?.subaddress.major;
    if (spentFrom !== undefined) this.#spend(spentTransfer(state, txHash, facts, taken, spentFrom));
    for (const group of bySubaddress(facts.outputs, spentFrom)) this.#receive(receivedPayment(state, txHash, group));
  }

  #spend(transfer: SpentTransfer): void {
    insert(this.#all, transfer);
    this.days.add(transfer.timestamp, transfer.received - transfer.amountIn);
  }

  #receive(payment: ReceivedPayment | undefined): void {
    if (payment === undefined) return;
    insert(this.#all, payment);
    this.days.add(payment.timestamp, payment.amount);
    if (payment.paymentId !== undefined) this.#index(wholePaymentId(payment.paymentId), payment);
  }

  #index(id: string, payment: ReceivedPayment): void {
    const known = this.#byPaymentId.get(id);
    if (known === undefined) this.#byPaymentId.set(id, [payment]);
    else insert(known, payment);
  }

  /** Received payments that match the filter. */
  received(filter: TransferFilter): ReceivedPayment[] {
    return this.#between(filter).filter(
      (one): one is ReceivedPayment => one.kind === 'received' && passes(filter, one.subaddress.major, [one.subaddress.minor]),
    );
  }

  /** Transactions that spent outputs of ours and match the filter. */
  spent(filter: TransferFilter): SpentTransfer[] {
    return this.#between(filter).filter(
      (one): one is SpentTransfer => one.kind === 'spent' && passes(filter, one.account, one.minors),
    );
  }

  /**
   * Received payments with a payment id, above a height.
   * @param id 64 hex digits, see {@link wholePaymentId}
   */
  withPaymentId(id: string, above: number): readonly ReceivedPayment[] {
    const everything = { subaddresses: [], above, upTo: Number.MAX_SAFE_INTEGER };
    if (id === NO_PAYMENT_ID) return this.received(everything).filter(({ paymentId }) => wholePaymentId(paymentId) === id);
    const found = this.#byPaymentId.get(id) ?? [];
    return found.slice(firstAbove(found, above));
  }

  /** The newest block first; within a block by transaction id. */
  *newestFirst(): Generator<ChainPayment> {
    for (let end = this.#all.length, start = end; end > 0; end = start) {
      const { height } = this.#all[end - 1]!;
      while (start > 0 && this.#all[start - 1]!.height === height) start--;
      yield* this.#all.slice(start, end).sort((a, b) => (a.txHash < b.txHash ? -1 : a.txHash > b.txHash ? 1 : 0));
    }
  }

  #between({ above, upTo }: TransferFilter): ChainPayment[] {
    return this.#all.slice(firstAbove(this.#all, above), firstAbove(this.#all, upTo));
  }
}

/** Inserts by height; a new entry is almost always the highest. */
function insert<T extends { readonly height: number }>(list: T[], entry: T): void {
  if ((list.at(-1)?.height ?? 0) <= entry.height) list.push(entry);
  else list.splice(firstAbove(list, entry.height), 0, entry);
}

/** Position of the first entry above a height; the list is in order of height. */
function firstAbove(entries: readonly { readonly height: number }[], above: number): number {
  return firstWhere(entries.length, (at) => entries[at]!.height > above);
}

function spentTransfer(
  state: WalletState,
  txHash: TxHash,
  facts: TxFacts,
  taken: readonly OwnedOutput[],
  account: number,
): SpentTransfer {
  const back = facts.outputs.filter(({ subaddress }) => subaddress.major === account);
  const { fee, height, timestamp, unlockTime } = facts.spends[0]!;
  return {
    kind: 'spent',
    txHash,
    amountIn: totalOf(taken),
    received: back.reduce((sum, output) => sum + worth(state, output), 0n),
    fee,
    height,
    timestamp,
    unlockTime,
    account,
    minors: [...new Set(taken.map(({ subaddress }) => subaddress.minor))].sort((a, b) => a - b),
  };
}

function bySubaddress(outputs: readonly OwnedOutput[], spentFrom: number | undefined): Iterable<OwnedOutput[]> {
  const groups = new Map<string, OwnedOutput[]>();
  for (const output of outputs) {
    if (output.subaddress.major !== spentFrom) pushTo(groups, indexKey(output.subaddress), output);
  }
  return groups.values();
}

function receivedPayment(state: WalletState, txHash: TxHash, group: readonly OwnedOutput[]): ReceivedPayment | undefined {
  const amounts = worths(state, group);
  if (amounts.length === 0) return undefined;
  const { paymentId, fee, height, timestamp, unlockTime, coinbase, subaddress } = group[0]!;
  const amount = amounts.length === 1 ? amounts[0]! : amounts.reduce((sum, part) => sum + part, 0n);
  // One literal instead of two spreads: engines make it in a tenth of the time.
  return {
    kind: 'received',
    txHash,
    paymentId,
    amount,
    amounts,
    fee: fee ?? 0n,
    height,
    timestamp,
    unlockTime,
    coinbase,
    subaddress,
  };
}

/** The positive amounts that the outputs added. */
function worths(state: WalletState, group: readonly OwnedOutput[]): bigint[] {
  const first = worth(state, group[0]!);
  // `[first]` takes less memory than a list that grew to one element, and there may be one for each coin.
  if (group.length === 1) return first > 0n ? [first] : [];
  return group.map((output) => worth(state, output)).filter((amount) => amount > 0n);
}

/** Amount that this copy of an output key added: 0 for a burnt copy, the difference for a larger one (T7). */
function worth(state: WalletState, output: OwnedOutput): bigint {
  const entry = state.outputs.get(output.key)!;
  if (entry.copies.length === 1) return output.amount;
  let best = 0n;
  for (const copy of entry.copies) {
    const counts = entry.spend === undefined || copy.height <= entry.spend.height;
    const gain = counts && copy.amount > best ? copy.amount - best : 0n;
    if (copy.txHash === output.txHash && copy.outputIndex === output.outputIndex) return gain;
    best += gain;
  }
  return 0n;
}

/**
 * Amount sent to others: inputs less known change and fee; 0 for a payment to ourselves only. At least 0, also where some inputs are
 * unknown: outputs below the first block that the wallet looks at.
 */
export function amountSent(
  state: Pick<WalletState, 'sent' | 'recorded'>,
  { txHash, amountIn, received, fee }: Pick<SpentTransfer, 'txHash' | 'amountIn' | 'received' | 'fee'>,
): bigint {
  const change = sentDetails(state, txHash)?.change;
  const sent = amountIn - fee - (change === undefined || amountIn === received + fee ? received : change);
  return sent < 0n ? 0n : sent;
}
