import { LazyList, secondsOf } from '../../base/index.ts';
import type { TxHash } from '../../protocol/index.ts';
import type { OutputView } from '../api.ts';
import type { WalletContext } from '../context.ts';
import type { ImportedOutput } from '../model.ts';
import type { OutputEntry, WalletState } from '../state/state.ts';
import { isSpendableAt, isSpent } from './coins.ts';
import { HeldAddresses } from './held-addresses.ts';
import { importedOutputs } from './imported-outputs.ts';
import { passes, type ReceivedPayment, type TransferFilter, wholePaymentId } from './payments.ts';
import { poolPayments, type UnconfirmedTransfer, unconfirmedTransfers } from './pending.ts';
import { type Projection, projectionOf } from './projection.ts';
import { type TransferView, TransferViews } from './transfer-views.ts';

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** Selection of transfers. Absent fields do not limit it. */
export interface TransferQuery {
  readonly account?: number;
  /** Only these subaddresses of the account; all when empty. */
  readonly subaddresses?: readonly number[];
  /** Heights above this. */
  readonly above?: number;
  /** Heights up to this. */
  readonly upTo?: number;
}

/** A payment by one transaction to one subaddress. Amounts in atomic units. */
export type PaymentView = ReceivedPayment & {
  /** Whether it cannot be spent yet. */
  readonly locked: boolean;
  readonly address: string;
};

/** An output as its account's owner sees it. */
export interface OwnOutputView
  extends Pick<
    OutputView,
    'amount' | 'globalIndex' | 'txHash' | 'subaddress' | 'keyImage' | 'key' | 'height' | 'frozen' | 'unlocked'
  > {
  /** Spent in the chain, spent according to a trusted daemon, or spent by a pending transaction. */
  readonly spent: boolean;
}

/**
 * Mined and pool payments as lists for one instant: they do not change with the wallet, and their elements are made on access. Made from
 * the projection of the state.
 */
export class Transfers {
  readonly #ctx: Pick<WalletContext, 'state' | 'clock' | 'addressOf'>;
  readonly #lookAtPool: () => Promise<void>;

  /** @param lookAtPool polls the daemon's pool */
  constructor(ctx: Pick<WalletContext, 'state' | 'clock' | 'addressOf'>, lookAtPool: () => Promise<void>) {
    this.#ctx = ctx;
    this.#lookAtPool = lookAtPool;
  }

  /** Payments received, by subaddress, in chain order. */
  received(query: TransferQuery = {}): LazyList<TransferView> {
    return this.#views.received(this.#projection.payments.received(filterOf(query)));
  }

  /** Mined transactions that spent outputs of this wallet, in chain order. */
  sent(query: TransferQuery = {}): LazyList<TransferView> {
    return this.#views.confirmed(this.#projection.payments.spent(filterOf(query)));
  }

  /** Unmined transactions that spend outputs of this wallet, by whomever sent. */
  pending(query: TransferQuery = {}): LazyList<TransferView> {
    return this.#views.unconfirmed(this.#unconfirmed(query).filter(({ state }) => state !== 'failed'));
  }

  /** Transactions of this wallet that failed after a daemon had accepted them. */
  failed(query: TransferQuery = {}): LazyList<TransferView> {
    return this.#views.unconfirmed(this.#unconfirmed(query).filter(({ state }) => state === 'failed'));
  }

  /** Payments in the daemon's pool. See {@link Wallet.lookAtPool}. */
  pool(query: TransferQuery = {}): LazyList<TransferView> {
    const filter = filterOf(query);
    const found = poolPayments(this.#ctx.state).filter(({ subaddress: { major, minor } }) => passes(filter, major, [minor]));
    return this.#views.pool(found);
  }

  /** A transaction as seen by an account; if it is not mined, from the pool's current state. Empty if it does not concern the account. */
  async ofTransaction(txHash: string, account: number): Promise<readonly TransferView[]> {
    if (this.#heightOf(txHash) === undefined) await this.#lookAtPool();
    const at = this.#heightOf(txHash);
    const query: TransferQuery = { account, above: at === undefined ? NO_LIMIT : at - 1, upTo: at ?? NO_LIMIT };
    const lists = [this.received(query), this.sent(query), this.pending(query), this.failed(query), this.pool(query)];
    return lists.flatMap((list) => list.toArray().filter((one) => one.txHash === txHash));
  }

  /**
   * Received payments, in chain order: those with a payment id, or all.
   * @param paymentId 16 or 64 hex digits; all zeros for those without one
   * @param above heights above this one
   */
  payments({ paymentId, above = 0 }: { readonly paymentId?: string; readonly above?: number } = {}): LazyList<PaymentView> {
    const { state, clock, addressOf } = this.#ctx;
    const { payments } = this.#projection;
    const found =
      paymentId === undefined
        ? payments.received(filterOf({ above }))
        : payments.withPaymentId(wholePaymentId(paymentId.toLowerCase()), above);
    const { height } = state;
    const now = secondsOf(clock);
    const addresses = new HeldAddresses(addressOf);
    for (const { subaddress } of found) addresses.hold(subaddress);
    return LazyList.of(found, (payment) => ({
      ...payment,
      locked: !isSpendableAt(payment, height, now),
      address: addresses.of(payment.subaddress),
    }));
  }

  /**
   * Outputs of an account in chain order, followed by imported ones of the view-only half, which have no block.
   * @param subaddresses of the account; all when empty
   * @param spent only spent or only unspent ones; both by default
   */
  outputs(account: number, subaddresses: readonly number[] = [], spent?: boolean): LazyList<OwnOutputView> {
    const { state, clock } = this.#ctx;
    const now = secondsOf(clock);
    const outputs = this.#projection.outputsOf(account, subaddresses);
    const found = spent === undefined ? outputs : outputs.filter((entry) => isSpent(state, entry) === spent);
    const { height } = state;
    const taken = takenOf(state, found);
    const frozen = frozenOf(state, found);
    const imported = importedOutputs(state).filter((output) =>
      passes(filterOf({ account, subaddresses }), output.subaddress.major, [output.subaddress.minor]),
    );
    const wanted = spent === undefined ? imported : imported.filter((output) => output.spent === spent);
    const ofChain = (entry: OutputEntry): OwnOutputView => ({
      amount: entry.output.amount,
      spent: entry.spend !== undefined || taken.has(entry),
      globalIndex: entry.output.globalIndex,
      txHash: entry.output.txHash,
      subaddress: entry.output.subaddress,
      keyImage: entry.output.keyImage,
      key: entry.output.key,
      height: entry.output.height,
      frozen: frozen.has(entry),
      unlocked: isSpendableAt(entry.output, height, now),
    });
    return LazyList.of<OutputEntry | ImportedOutput, OwnOutputView>([...found, ...wanted], (one) =>
      'output' in one ? ofChain(one) : { ...one, txHash: NO_TX, height: 0, unlocked: false },
    );
  }

  /** The transaction of the newest output, 64 hex digits; undefined before the first. */
  get lastReceived(): string | undefined {
    let last: OutputEntry['output'] | undefined;
    for (const { output } of this.#ctx.state.outputs.values())
      if (last === undefined || output.height >= last.height) last = output;
    return last?.txHash;
  }

  get #views(): TransferViews {
    return new TransferViews(this.#ctx);
  }

  get #projection(): Projection {
    return projectionOf(this.#ctx.state);
  }

  /** Pending transactions, ours or of another wallet with the same keys, and failed ones that a daemon had accepted. */
  #unconfirmed(query: TransferQuery): UnconfirmedTransfer[] {
    const filter = filterOf(query);
    return unconfirmedTransfers(this.#ctx.state).filter(({ left, account, minors }) => left && passes(filter, account, minors));
  }

  #heightOf(txHash: string): number | undefined {
    const facts = this.#ctx.state.transactions.get(txHash as TxHash);
    return facts?.outputs[0]?.height ?? facts?.spends[0]?.height;
  }
}

/** Transaction id of an output that is not mined. */
const NO_TX = '00'.repeat(32);

const filterOf = ({ account, subaddresses = [], above = 0, upTo = NO_LIMIT }: TransferQuery): TransferFilter => ({
  account,
  subaddresses,
  above,
  upTo,
});

/** Outputs of a list that pending transactions spend. A wallet that sends nothing has none, and is not searched. */
function takenOf(state: WalletState, entries: readonly OutputEntry[]): ReadonlySet<OutputEntry> {
  const none = state.committed.size + state.unplacedSpends.size + state.pool.spends.size === 0;
  return new Set(none ? [] : entries.filter((entry) => isSpent(state, entry)));
}

/** The frozen outputs of a list. */
function frozenOf({ frozen }: WalletState, entries: readonly OutputEntry[]): ReadonlySet<OutputEntry> {
  return new Set(frozen.size === 0 ? [] : entries.filter(({ output }) => frozen.has(output.key)));
}
