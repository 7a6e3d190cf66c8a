import { bytesToHex } from '../base/index.ts';
import type {
  FeeLevels,
  OnSpendProgress,
  PaymentRequest,
  PreparedTransfer,
  PricedRequest,
  Priority,
  SweepRequest,
  TransferRequest,
  UnmixableRequest,
} from './api.ts';
import type { WalletContext } from './context.ts';
import { WalletError } from './errors.ts';
import type { Destination, SentTransaction } from './model.ts';
import type { FileOptions } from './offline-api.ts';
import { fileSigner } from './offline-signing/file-signer.ts';
import { txMetadata } from './offline-signing/submit.ts';
import {
  askRates,
  checkSigned,
  defaultPriority,
  estimateSizeAndWeight,
  feeLevels,
  type NetworkRates,
  type PassedOnFormat,
  type PaymentPlan,
  planPayment,
  readRequest,
  requireSigner,
  reviewPayment,
  type SizeEstimateRequest,
  type SpendContext,
  SpendError,
  sendChecked,
  sign,
  signedTransactions,
  subaddressToSweep,
} from './spend/index.ts';

/** Milliseconds for which the daemon's fee rates are reused, so that not every change of an amount causes a query. */
const RATES_LAST = 20_000;

/** Options of a payment without review. */
export interface PayOptions extends FileOptions {
  /** Called with the number of transactions before any is signed; throwing stops the payment. */
  readonly accept?: (transactions: number) => void;
  /** Does not send: the transactions can be sent later by their metadata. */
  readonly doNotSend?: boolean;
  /** Returns the metadata, which contains transaction keys. */
  readonly metadata?: boolean;
}

/** One transaction of a payment. Amounts in atomic units. */
export interface PaidTransaction {
  readonly destinations: readonly Destination[];
  readonly fee: bigint;
  /** Weight in bytes, on which the fee is based. */
  readonly weight: number;
  /** Key images of the spent outputs, where known; 64 hex digits each. */
  readonly keyImages: readonly string[];
  /** Its secret keys, 64 hex digits each, the main one first, if they are known before it is fully signed. */
  readonly txKey?: string | undefined;
  /** Undefined before it is signed. */
  readonly signed:
    | undefined
    | {
        readonly txHash: string;
        /** Its secret keys, 64 hex digits each, the main one first. */
        readonly txKey: string;
        /** The transaction, whole, hex. */
        readonly blob: string;
        /** Undefined unless requested. */
        readonly metadata: Uint8Array | undefined;
      };
}

/** A payment made without review. */
export interface Payment {
  readonly transactions: readonly PaidTransaction[];
  /** The set for the offline half; undefined in a wallet that signs by itself. */
  readonly unsignedSet: Uint8Array | undefined;
  /** The set for the other signers of a group; undefined in a wallet of one owner. */
  readonly multisigSet: Uint8Array | undefined;
}

/**
 * Makes payments: at once, or prepared for a person to review and sent on confirmation. A prepared payment is kept until it is sent or
 * discarded, or the wallet is closed.
 */
export class Payments {
  readonly #ctx: WalletContext;
  readonly #spend: (progress?: OnSpendProgress) => SpendContext;
  readonly #plans = new Map<string, PaymentPlan>();
  readonly #underWay = new Set<AbortController>();
  #lastRates: { readonly daemon: unknown; readonly at: number; readonly rates: Promise<NetworkRates> } | undefined;

  /** @param spend throws WalletError `no-daemon`, `closed` */
  constructor(ctx: WalletContext, spend: (progress?: OnSpendProgress) => SpendContext) {
    this.#ctx = ctx;
    this.#spend = spend;
  }

  /**
   * Plans, signs and checks a payment, and sends it unless told otherwise. A view-only wallet makes the set for its offline half instead.
   * @throws WalletError `no-daemon`; SpendError; DaemonError; ProtocolError for a mistyped address
   */
  async pay(request: PaymentRequest, options: PayOptions = {}): Promise<Payment> {
    const ctx = this.#ctx;
    const spend = { ...this.#spend(), signer: ctx.signer ?? fileSigner(ctx, options) };
    const plan = await planPayment(spend, readRequest(request, spend));
    options.accept?.(plan.transactions.length);
    const signing = await sign(spend, plan);
    if (signing.kind === 'unfinished') {
      const of = (format: PassedOnFormat) => (signing.format === format ? signing.bytes : undefined);
      const transactions = this.#planned(plan, signing.txKeys);
      return { transactions, unsignedSet: of('unsigned-set'), multisigSet: of('multisig-set') };
    }
    const checked = await checkSigned(spend, plan, signing.transactions);
    const metadata = options.metadata === true ? txMetadata(ctx, plan, checked) : [];
    if (options.doNotSend !== true) await sendChecked(spend, checked);
    return { transactions: checked.map((tx, i) => paid(tx, metadata[i])), unsignedSet: undefined, multisigSet: undefined };
  }

  #planned(plan: PaymentPlan, txKeys: readonly (readonly string[])[] = []): PaidTransaction[] {
    const { outputs } = this.#ctx.state;
    return plan.transactions.map(({ destinations, unsigned, weight }, i) => ({
      destinations,
      fee: unsigned.fee,
      weight,
      // Sorted as in a transaction: the largest key image first.
      keyImages: unsigned.inputs
        .flatMap(({ output }) => outputs.get(output.key)?.output.keyImage ?? [])
        .sort()
        .reverse(),
      txKey: txKeys[i]?.join(''),
      signed: undefined,
    }));
  }

  /**
   * Plans a payment, with fee and decoys, for review: nothing is signed yet.
   * @throws SpendError; DaemonError; WalletError `no-daemon`; AbortError after {@link cancel}
   */
  prepareTransfer(request: TransferRequest, onProgress?: OnSpendProgress): Promise<PreparedTransfer> {
    return this.#prepare({ ...request, kind: 'transfer' }, onProgress);
  }

  /** Plans a payment of everything an account has, or of chosen coins of it, to one address. @throws as {@link prepareTransfer} */
  prepareSweep(request: SweepRequest, onProgress?: OnSpendProgress): Promise<PreparedTransfer> {
    return this.#prepare({ ...request, kind: 'sweep' }, onProgress);
  }

  /**
   * Plans to send back unmixable coins: those from before RingCT that have fewer others of their amount than a ring needs. Everybody will
   * see which coins are spent and their amounts. Undefined if the daemon's counts show no such coins.
   * @throws as {@link prepareTransfer}
   */
  async prepareUnmixable(request: UnmixableRequest, onProgress?: OnSpendProgress): Promise<PreparedTransfer | undefined> {
    const prepared = await this.#prepare({ ...request, kind: 'unmixable' }, onProgress);
    return prepared.transactions.length > 0 ? prepared : undefined;
  }

  /** Plans a payment that this wallet can sign, and stores the plan if it has any transactions. */
  #prepare(request: PaymentRequest, onProgress: OnSpendProgress | undefined): Promise<PreparedTransfer> {
    return this.stoppable(async (signal) => {
      const context = this.#spend(onProgress);
      requireSigner(context);
      const plan = await planPayment(context, readRequest(request, context), signal);
      signal.throwIfAborted();
      const id = bytesToHex(context.random.bytes(16));
      if (plan.transactions.length > 0) this.#plans.set(id, plan);
      return { id, ...reviewPayment(plan) };
    });
  }

  /**
   * Signs, checks and sends a prepared payment, once: a second call with the same id is refused, whatever the first one's outcome. Returns
   * the hashes.
   * @throws WalletError `not-found`; SpendError `signer-refused`, `check-failed`, `output-not-spendable`, `rejected`, `perhaps-sent`;
   *   DaemonError if the daemon did not read it: nothing was sent
   */
  send(preparedId: string, onProgress?: OnSpendProgress): Promise<readonly string[]> {
    return this.sendAfter(async () => undefined, preparedId, onProgress);
  }

  /**
   * {@link send}, after work that is given the hashes: only when it is done does anything leave.
   * @internal
   * @throws as {@link send}, and what the work throws: nothing was sent
   */
  async sendAfter(
    work: (hashes: readonly string[]) => Promise<void>,
    preparedId: string,
    onProgress?: OnSpendProgress,
  ): Promise<readonly string[]> {
    const context = this.#spend(onProgress);
    const { transactions } = await this.signed(preparedId, context);
    await work(transactions.map(({ txHash }) => txHash));
    return sendChecked(context, transactions);
  }

  /** Discards a prepared payment. */
  async discard(preparedId: string): Promise<void> {
    this.#plans.delete(preparedId);
  }

  /**
   * Stops a payment that is being prepared, signed or checked: it is dropped, and its promise rejects with an AbortError. A payment that is
   * already being sent is not stopped.
   */
  async cancel(): Promise<void> {
    for (const stop of this.#underWay) stop.abort();
  }

  /**
   * Signs and checks a plan, which is removed in any case: nothing is signed twice.
   * @internal
   * @throws WalletError `not-found`; SpendError; AbortError after {@link cancel}
   */
  async signed(
    id: string,
    context = this.#spend(),
  ): Promise<{ readonly plan: PaymentPlan; readonly transactions: readonly SentTransaction[] }> {
    const plan = this.#take(id);
    return this.stoppable(async (signal) => {
      const signing = await sign(context, plan, signal);
      return { plan, transactions: await checkSigned(context, plan, signedTransactions(signing), signal) };
    });
  }

  /**
   * Has a plan signed by a signer that only makes a file for others to complete, removes the plan, and returns the file.
   * @internal
   * @throws WalletError `not-found`; SpendError `check-failed` if the signer completed it; AbortError after {@link cancel}
   */
  passedOn(id: string, onProgress?: OnSpendProgress): Promise<Uint8Array> {
    const plan = this.#take(id);
    return this.stoppable(async (signal) => {
      const signing = await sign(this.#spend(onProgress), plan, signal);
      if (signing.kind === 'unfinished') return signing.bytes;
      throw new SpendError('check-failed', 'expected a signer that passes on');
    });
  }

  /** Runs work that {@link cancel} stops. @internal @throws what the work throws; AbortError once stopped */
  async stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    this.#underWay.add(stop);
    try {
      const made = await work(stop.signal);
      stop.signal.throwIfAborted();
      return made;
    } finally {
      this.#underWay.delete(stop);
    }
  }

  /** Called when the wallet closes. @internal */
  clear(): void {
    void this.cancel();
    this.#plans.clear();
  }

  /** Removes and returns a plan. @throws WalletError `not-found` */
  #take(id: string): PaymentPlan {
    const plan = this.#plans.get(id);
    if (plan === undefined)
      throw new WalletError('not-found', 'expected a prepared transfer that was neither sent nor discarded');
    this.#plans.delete(id);
    return plan;
  }

  /** The subaddress that a sweep without a choice empties. See {@link subaddressToSweep}. */
  subaddressToSweep(account: number, belowAmount?: bigint): number | undefined {
    return subaddressToSweep(this.#ctx, account, belowAmount);
  }

  /** Estimated size and weight of a transaction, in bytes. See {@link estimateSizeAndWeight}. */
  estimate(request: SizeEstimateRequest): { readonly size: number; readonly weight: number } {
    return estimateSizeAndWeight(this.#ctx.state, request);
  }

  /**
   * Cost of a payment at each priority, and about when it would be in a block. The daemon is asked for fees and the pool's backlog, never
   * about the payment; its answer is reused for twenty seconds.
   * @throws WalletError `no-daemon`; SpendError as for an invalid request, `fee-unavailable`; DaemonError
   */
  async feeLevels(request: PricedRequest): Promise<FeeLevels> {
    const spend = this.#spend();
    const order = readRequest(request, this.#ctx);
    return feeLevels(spend, order, await this.#rates());
  }

  #rates(): Promise<NetworkRates> {
    const { daemon, clock } = this.#ctx;
    const at = clock.now();
    const last = this.#lastRates;
    if (last !== undefined && last.daemon === daemon && at - last.at < RATES_LAST) return last.rates;
    const rates = askRates(this.#spend());
    const query = { daemon, at, rates };
    this.#lastRates = query;
    rates.catch(() => {
      if (this.#lastRates === query) this.#lastRates = undefined;
    });
    return rates;
  }

  /**
   * The priority that 0 stands for now; 0 if the daemon does not say how full its blocks are. @throws WalletError `no-daemon`; DaemonError
   */
  async defaultPriority(): Promise<Priority> {
    return defaultPriority(this.#spend());
  }
}

function paid({ txHash, txKeys, blob, destinations, fee, weight, inputs }: SentTransaction, metadata: Uint8Array | undefined) {
  return { destinations, fee, weight, keyImages: inputs, signed: { txHash, txKey: txKeys.join(''), blob, metadata } };
}
