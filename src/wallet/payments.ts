import type { FeeLevels, PaymentRequest, PricedRequest, Priority } from './api.ts';
import type { WalletContext } from './context.ts';
import type { Destination, SentTransaction } from './model.ts';
import type { FileOptions } from './offline-api.ts';
import { fileSigner } from './offline-signing/file-signer.ts';
import { txMetadata } from './offline-signing/submit.ts';
import {
  askRates,
  checkSigned,
  defaultPriority,
  type EstimateAsked,
  estimateSizeAndWeight,
  feeLevels,
  type NetworkRates,
  type PassedOnFormat,
  type PaymentPlan,
  planPayment,
  readRequest,
  sendChecked,
  sign,
  spendContextOf,
  subaddressToSweep,
} from './spend/index.ts';

/** Milliseconds for which what the daemon said of fees is gone by, so that each change of an amount is not another question to it. */
const RATES_LAST = 20_000;

/** Options of a payment. */
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
  /** In bytes, as fees are counted. */
  readonly weight: number;
  /** Of the coins it takes, as far as they are known; 64 hex digits each. */
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

/** Payments without a person's review in between, and what is asked before one. With a review: `prepareTransfer` and `send`. */
export class Payments {
  readonly #ctx: WalletContext;
  #asked: { readonly daemon: unknown; readonly at: number; readonly rates: Promise<NetworkRates> } | undefined;

  constructor(ctx: WalletContext) {
    this.#ctx = ctx;
  }

  /**
   * Plans, signs and checks a payment, and sends it unless told otherwise. A view-only wallet makes the set for its other half instead.
   * @throws WalletError `no-daemon`; SpendError; DaemonError; ProtocolError for a mistyped address
   */
  async pay(request: PaymentRequest, options: PayOptions = {}): Promise<Payment> {
    const ctx = this.#ctx;
    const spend = { ...spendContextOf(ctx), signer: ctx.signer ?? fileSigner(ctx, options) };
    const plan = await planPayment(spend, readRequest(request, ctx.keys.network));
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
      keyImages: unsigned.inputs.flatMap(({ output }) => outputs.get(output.key)?.output.keyImage ?? []),
      txKey: txKeys[i]?.join(''),
      signed: undefined,
    }));
  }

  /** The subaddress that a sweep without a choice empties. See {@link subaddressToSweep}. */
  subaddressToSweep(account: number, belowAmount?: bigint): number | undefined {
    return subaddressToSweep(this.#ctx, account, belowAmount);
  }

  /** How large a transaction would be, in bytes and in weight. See {@link estimateSizeAndWeight}. */
  estimate(asked: EstimateAsked): { readonly size: number; readonly weight: number } {
    return estimateSizeAndWeight(this.#ctx.state, asked);
  }

  /**
   * Cost of a payment at each priority, and about when it would be in a block. The daemon is asked for fees and the pool's backlog, never
   * about the payment; its answer is reused for twenty seconds.
   * @throws WalletError `no-daemon`; SpendError as for a request that is no payment, `fee-unavailable`; DaemonError
   */
  async feeLevels(request: PricedRequest): Promise<FeeLevels> {
    const spend = spendContextOf(this.#ctx);
    const order = readRequest(request, this.#ctx.keys.network);
    return feeLevels(spend, order, await this.#rates());
  }

  #rates(): Promise<NetworkRates> {
    const { daemon, clock } = this.#ctx;
    const at = clock.now();
    const last = this.#asked;
    if (last !== undefined && last.daemon === daemon && at - last.at < RATES_LAST) return last.rates;
    const rates = askRates(spendContextOf(this.#ctx));
    const asked = { daemon, at, rates };
    this.#asked = asked;
    rates.catch(() => {
      if (this.#asked === asked) this.#asked = undefined;
    });
    return rates;
  }

  /** Priority that stands for 0 now; 0 where the daemon does not say how full its blocks are. @throws WalletError `no-daemon`; DaemonError */
  defaultPriority(): Promise<Priority> {
    return defaultPriority(spendContextOf(this.#ctx));
  }
}

function paid({ txHash, txKeys, blob, destinations, fee, weight, inputs }: SentTransaction, metadata: Uint8Array | undefined) {
  return { destinations, fee, weight, keyImages: inputs, signed: { txHash, txKey: txKeys.join(''), blob, metadata } };
}
