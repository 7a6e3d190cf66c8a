import { LazyList, secondsOf } from '../../base/index.ts';
import { BLOCK_SECONDS, isUnlockHeight, type TxHash } from '../../protocol/index.ts';
import type { WalletContext } from '../context.ts';
import type { RecordedTransaction, SubaddressIndex } from '../model.ts';
import type { PoolPayment } from '../pool.ts';
import type { SentEntry, WalletState } from '../state/state.ts';
import { HeldAddresses } from './held-addresses.ts';
import type { ReceivedPayment, SpentTransfer } from './payments.ts';
import type { UnconfirmedTransfer } from './pending.ts';
import {
  factsOfPool,
  factsOfReceived,
  factsOfSpent,
  factsOfUnconfirmed,
  type Instant,
  type TransferFacts,
} from './transfer-facts.ts';

/** Seconds between blocks. */
const A_BLOCK = BigInt(BLOCK_SECONDS);

/** `in` received, `block` mined, `out` spent in a block; `pending` sent and unmined, `failed` refused; `pool` incoming and unmined. */
export type TransferKind = 'in' | 'block' | 'out' | 'pending' | 'failed' | 'pool';

/** A transaction as seen by one subaddress, or by the account that it spends from. Amounts in atomic units. */
export interface TransferView extends Omit<TransferFacts, 'account'> {
  readonly kind: TransferKind;
  /** Amounts of the received outputs. */
  readonly amounts: readonly bigint[];
  readonly note: string;
  /** Receiving subaddress; for an outgoing transfer, the first address of the account. */
  readonly subaddress: SubaddressIndex;
  /** Address of {@link subaddress}. */
  readonly address: string;
  /** Recommended confirmations by the reference's rule: until the rewards of as many blocks exceed the amount. */
  readonly confirmationsWanted: bigint;
}

/** Makes lists for one instant of a wallet, which can be read after it has changed or closed. */
export class TransferViews {
  readonly #state: WalletState;
  readonly #notes = new Map<TxHash, string>();
  readonly #sent = new Map<TxHash, SentEntry>();
  readonly #recorded = new Map<TxHash, RecordedTransaction>();
  readonly #addresses: HeldAddresses;
  readonly #at: Instant;
  /** Base reward of the newest block, without fees. */
  readonly #lastReward: bigint;

  constructor({ state, clock, addressOf }: Pick<WalletContext, 'state' | 'clock' | 'addressOf'>) {
    this.#state = state;
    this.#addresses = new HeldAddresses(addressOf);
    this.#at = { height: state.height, sent: this.#sent, recorded: this.#recorded, now: secondsOf(clock) };
    this.#lastReward = state.lastReward;
  }

  /** Views of received payments in the chain. */
  received(payments: readonly ReceivedPayment[]): LazyList<TransferView> {
    for (const { txHash, subaddress } of payments) this.#hold(txHash, subaddress);
    return LazyList.of(payments, (payment) => this.#received(payment));
  }

  /** Views of our transactions in the chain. */
  confirmed(spent: readonly SpentTransfer[]): LazyList<TransferView> {
    for (const { txHash, account } of spent) {
      this.#hold(txHash, firstOf(account));
      const sent = this.#state.sent.get(txHash);
      if (sent !== undefined) this.#sent.set(txHash, sent);
      const recorded = this.#state.recorded.get(txHash);
      if (recorded !== undefined) this.#recorded.set(txHash, recorded);
    }
    return LazyList.of(spent, (one) => this.#confirmed(one));
  }

  /** Views of our pending and failed transactions. */
  unconfirmed(transfers: readonly UnconfirmedTransfer[]): LazyList<TransferView> {
    for (const { txHash, account } of transfers) this.#hold(txHash, firstOf(account));
    return LazyList.of(transfers, (transfer) => this.#unconfirmed(transfer));
  }

  /** Views of incoming payments in the pool. */
  pool(payments: readonly PoolPayment[]): LazyList<TransferView> {
    for (const { txHash, subaddress } of payments) this.#hold(txHash, subaddress);
    return LazyList.of(payments, (payment) => this.#pool(payment));
  }

  /** Stores what the list will look up. */
  #hold(txHash: TxHash, index: SubaddressIndex): void {
    this.#addresses.hold(index);
    const note = this.#state.notes.get(txHash);
    if (note !== undefined) this.#notes.set(txHash, note);
  }

  #received(payment: ReceivedPayment): TransferView {
    const kind = payment.coinbase ? 'block' : 'in';
    return this.#view(kind, factsOfReceived(payment, this.#at), payment.subaddress, payment.amounts);
  }

  #confirmed(spent: SpentTransfer): TransferView {
    return this.#view('out', factsOfSpent(spent, this.#at), firstOf(spent.account));
  }

  #unconfirmed(transfer: UnconfirmedTransfer): TransferView {
    const facts = factsOfUnconfirmed(transfer);
    const subaddresses = [...facts.subaddresses].sort((a, b) => a.minor - b.minor);
    const kind = transfer.state === 'failed' ? 'failed' : 'pending';
    return this.#view(kind, { ...facts, subaddresses, doubleSpendSeen: false }, firstOf(transfer.account));
  }

  #pool(payment: PoolPayment): TransferView {
    return this.#view('pool', factsOfPool(payment), payment.subaddress, payment.amounts);
  }

  /** One literal for all of them: a list may have a hundred thousand. */
  #view(
    kind: TransferKind,
    facts: TransferFacts,
    subaddress: SubaddressIndex,
    amounts: TransferView['amounts'] = [],
  ): TransferView {
    return {
      kind,
      txHash: facts.txHash,
      paymentId: facts.paymentId,
      height: facts.height,
      timestamp: facts.timestamp,
      amount: facts.amount,
      amounts,
      fee: facts.fee,
      note: this.#notes.get(facts.txHash) ?? '',
      destinations: facts.destinations,
      unlockTime: facts.unlockTime,
      locked: facts.locked,
      subaddress,
      subaddresses: facts.subaddresses,
      address: this.#addresses.of(subaddress),
      doubleSpendSeen: facts.doubleSpendSeen,
      confirmations: facts.confirmations,
      confirmationsWanted: this.#wanted(facts),
    };
  }

  /** wallet_rpc_server.cpp, set_confirmations */
  #wanted({ amount, unlockTime }: TransferFacts): bigint {
    const lastReward = this.#lastReward;
    const byAmount = lastReward === 0n ? 0n : (amount + lastReward - 1n) / lastReward;
    const byTime = unlockTime === 0n ? 0n : this.#blocksUntil(unlockTime);
    return byAmount > byTime ? byAmount : byTime;
  }

  #blocksUntil(unlockTime: bigint): bigint {
    if (isUnlockHeight(unlockTime)) return unlockTime - BigInt(this.#at.height);
    const seconds = unlockTime - BigInt(this.#at.now);
    return seconds > 0n ? (seconds + A_BLOCK - 1n) / A_BLOCK : 0n;
  }
}

const firstOf = (account: number): SubaddressIndex => ({ major: account, minor: 0 });
