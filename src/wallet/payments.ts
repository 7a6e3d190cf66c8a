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

/** Milliseconds for which what the daemon said of fees is gone by, so that each change of an amount is not another question to it. */
const RATES_LAST = 20_000;

/** How a payment is made in one go. */
export interface PayOptions extends FileOptions {
  /** Told how many transactions it takes, before any is signed: what it throws stops the payment. */
  readonly accept?: (transactions: number) => void;
  /** Sends nothing: what is made can be sent later, by its metadata. */
  readonly doNotSend?: boolean;
  /** Tells the metadata, which holds transaction keys. */
  readonly metadata?: boolean;
}

/** One transaction of a payment. Amounts in atomic units. */
export interface PaidTransaction {
  readonly destinations: readonly Destination[];
  readonly fee: bigint;
  /** Weight in bytes, which the fee is charged for. */
  readonly weight: number;
  /** Key images of the spent outputs as far as they are known; 64 hex digits each. */
  readonly keyImages: readonly string[];
  /** Its secret keys, 64 hex digits each, the main one first, where they are decided before it is signed whole. */
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
        /** Undefined unless it was asked for. */
        readonly metadata: Uint8Array | undefined;
      };
}

/** A payment that was made in one go. */
export interface Payment {
  readonly transactions: readonly PaidTransaction[];
  /** The set for the half that signs; undefined in a wallet that signs itself. */
  readonly unsignedSet: Uint8Array | undefined;
  /** The set for the other signers of a group; undefined in a wallet of one owner. */
  readonly multisigSet: Uint8Array | undefined;
}

/**
 * Paying: in one go, or prepared for a person to look at and sent at their word. A prepared payment is kept until it is sent or discarded,
 * or the wallet is closed.
 */
export class Payments {
  readonly #ctx: WalletContext;
  readonly #spend: (progress?: OnSpendProgress) => SpendContext;
  readonly #plans = new Map<string, PaymentPlan>();
  readonly #underWay = new Set<AbortController>();
  #asked: { readonly daemon: unknown; readonly at: number; readonly rates: Promise<NetworkRates> } | undefined;

  /** @param spend throws WalletError `no-daemon`, `closed` */
  constructor(ctx: WalletContext, spend: (progress?: OnSpendProgress) => SpendContext) {
    this.#ctx = ctx;
    this.#spend = spend;
  }

  /**
   * Plans, signs and checks a payment, and sends it unless told otherwise. A view-only wallet makes the set for its other half instead.
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
   * Plans a payment, with fee and decoys, for the person to look at: nothing is signed yet.
   * @throws SpendError; DaemonError; WalletError `no-daemon`; AbortError once {@link cancel} has stopped it
   */
  prepareTransfer(request: TransferRequest, onProgress?: OnSpendProgress): Promise<PreparedTransfer> {
    return this.#prepare({ ...request, kind: 'transfer' }, onProgress);
  }

  /** Plans a payment of everything an account has, or of chosen coins of it, to one address. @throws as {@link prepareTransfer} */
  prepareSweep(request: SweepRequest, onProgress?: OnSpendProgress): Promise<PreparedTransfer> {
    return this.#prepare({ ...request, kind: 'sweep' }, onProgress);
  }

  /**
   * Makes ready to send back what nothing can hide: coins from before RingCT that have fewer others of their amount than a ring needs.
   * Everybody will see which coins are spent and what they are worth. Undefined when there is nothing of the kind, by the daemon's count.
   * @throws as {@link prepareTransfer}
   */
  async prepareUnmixable(request: UnmixableRequest, onProgress?: OnSpendProgress): Promise<PreparedTransfer | undefined> {
    const prepared = await this.#prepare({ ...request, kind: 'unmixable' }, onProgress);
    return prepared.transactions.length > 0 ? prepared : undefined;
  }

  /** Plans what this wallet can sign, and keeps the plan if there is anything in it. */
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
   * Signs, checks and sends what was prepared, once: a second call with the same id is refused, whatever came of the first. Returns the hashes.
   * @throws WalletError `not-found`; SpendError `signer-refused`, `check-failed`, `output-not-spendable`, `rejected`, `perhaps-sent`; DaemonError when
   *   the daemon turned it away unread: nothing has left
   */
  async send(preparedId: string, onProgress?: OnSpendProgress): Promise<readonly string[]> {
    const context = this.#spend(onProgress);
    const { transactions } = await this.signed(preparedId, context);
    return sendChecked(context, transactions);
  }

  /** Gives up what was prepared. */
  async discard(preparedId: string): Promise<void> {
    this.#plans.delete(preparedId);
  }

  /**
   * Stops what is being prepared, signed or checked now: nothing of it is kept, and its promise rejects with an AbortError. What has begun to
   * leave is not stopped.
   */
  async cancel(): Promise<void> {
    for (const stop of this.#underWay) stop.abort();
  }

  /**
   * Signs and checks a plan, which is let go of whatever comes of it: nothing is signed twice.
   * @internal
   * @throws WalletError `not-found`; SpendError; AbortError once {@link cancel} has stopped it
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
   * Has a plan signed by a signer who does not come to the end, and lets go of it: what is to be passed on.
   * @internal
   * @throws WalletError `not-found`; SpendError `check-failed` where it came to the end; AbortError once {@link cancel} has stopped it
   */
  passedOn(id: string, onProgress?: OnSpendProgress): Promise<Uint8Array> {
    const plan = this.#take(id);
    return this.stoppable(async (signal) => {
      const signing = await sign(this.#spend(onProgress), plan, signal);
      if (signing.kind === 'unfinished') return signing.bytes;
      throw new SpendError('check-failed', 'expected a signer that passes on');
    });
  }

  /** Does work that {@link cancel} stops. @internal @throws what the work throws; AbortError once stopped */
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

  /** When the wallet closes. @internal */
  clear(): void {
    void this.cancel();
    this.#plans.clear();
  }

  /** A plan, which nobody has again. @throws WalletError `not-found` */
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

  /** How large a transaction would be, in bytes and in weight. See {@link estimateSizeAndWeight}. */
  estimate(asked: SizeEstimateRequest): { readonly size: number; readonly weight: number } {
    return estimateSizeAndWeight(this.#ctx.state, asked);
  }

  /**
   * Cost of a payment at each priority, and about when it would be in a block. The daemon is asked for fees and the pool's backlog, never
   * about the payment; its answer is reused for twenty seconds.
   * @throws WalletError `no-daemon`; SpendError as for a request that is no payment, `fee-unavailable`; DaemonError
   */
  async feeLevels(request: PricedRequest): Promise<FeeLevels> {
    const spend = this.#spend();
    const order = readRequest(request, this.#ctx);
    return feeLevels(spend, order, await this.#rates());
  }

  #rates(): Promise<NetworkRates> {
    const { daemon, clock } = this.#ctx;
    const at = clock.now();
    const last = this.#asked;
    if (last !== undefined && last.daemon === daemon && at - last.at < RATES_LAST) return last.rates;
    const rates = askRates(this.#spend());
    const asked = { daemon, at, rates };
    this.#asked = asked;
    rates.catch(() => {
      if (this.#asked === asked) this.#asked = undefined;
    });
    return rates;
  }

  /** Priority that stands for 0 now; 0 where the daemon does not say how full its blocks are. @throws WalletError `no-daemon`; DaemonError */
  async defaultPriority(): Promise<Priority> {
    return defaultPriority(this.#spend());
  }
}

function paid({ txHash, txKeys, blob, destinations, fee, weight, inputs }: SentTransaction, metadata: Uint8Array | undefined) {
  return { destinations, fee, weight, keyImages: inputs, signed: { txHash, txKey: txKeys.join(''), blob, metadata } };
}
