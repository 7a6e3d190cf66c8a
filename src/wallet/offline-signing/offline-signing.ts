import type { TxHash } from '../../protocol/model.ts';
import type { OnSpendProgress, SweepRequest, TransferRequest } from '../api.ts';
import type { FileOptions, SetReview, SignedReview } from '../offline-api.ts';
import { type AssembledPlan, layOutSweep, layOutTransfer, type Prepared, type SpendContext } from '../spend/index.ts';
import type { OfflineContext, TrustedDaemon } from './context.ts';
import { type DescribedSet, describeUnsigned } from './describe.ts';
import {
  exportKeyImages,
  exportKeyImagesFile,
  importKeyImages,
  type KeyImageRun,
  type KeyImagesImport,
  openKeyImages,
} from './key-images.ts';
import { type ExportOptions, exportOutputs, importOutputs } from './outputs.ts';
import { reviewSigned, reviewUnsigned } from './review.ts';
import { buildUnsignedSet, type ColdSignature, signUnsigned } from './sets.ts';
import { relayMetadata, submitSigned, txMetadata } from './submit.ts';

/** What an open wallet lends to its exchange. */
export interface ExchangeHost {
  readonly context: OfflineContext;
  /** @throws WalletError `no-daemon`, `closed` */
  spend(progress?: OnSpendProgress): SpendContext;
  /** undefined when there is none, or it is not trusted (T24). */
  trustedDaemon(): TrustedDaemon | undefined;
  /** @throws WalletError `not-found` */
  prepared(id: string): Prepared;
  /** Resolves once every subaddress of the lookahead can be recognised. @throws WalletError `closed` */
  ready(): Promise<void>;
  /** Does work while nothing is scanned. */
  still<T>(work: () => Promise<T>): Promise<T>;
}

/** A transfer that the cold half is to sign. */
export interface UnsignedTransfer {
  readonly file: Uint8Array;
  readonly plan: AssembledPlan;
}

/**
 * What one wallet says to its other half, or to itself in another program, in the files of the reference wallet: outputs and
 * key images, sets to sign and signed ones, metadata of transactions. Had from an open wallet as `wallet.exchange`.
 */
export class Exchange {
  readonly #host: ExchangeHost;

  constructor(host: ExchangeHost) {
    this.#host = host;
  }

  /** See {@link exportOutputs}. */
  async exportOutputs(options: ExportOptions = {}): Promise<Uint8Array> {
    return exportOutputs(await this.#context(), options);
  }

  /** Returns how many outputs this wallet then knows. See {@link importOutputs}. */
  async importOutputs(file: Uint8Array): Promise<number> {
    return importOutputs(await this.#context(), file);
  }

  /** See {@link exportKeyImages}. */
  async exportKeyImages(all = false): Promise<KeyImageRun> {
    return exportKeyImages(await this.#context(), all);
  }

  async exportKeyImagesFile(all = false): Promise<Uint8Array> {
    return exportKeyImagesFile(await this.#context(), all);
  }

  /** Asks the daemon about them only where it is trusted; else `scanFrom` says from where a rescan would find spends. */
  importKeyImages(run: KeyImageRun): Promise<KeyImagesImport> {
    return this.#host.still(async () => importKeyImages(await this.#context(), run, this.#host.trustedDaemon()));
  }

  /** See {@link openKeyImages}. */
  async openKeyImages(file: Uint8Array): Promise<KeyImageRun> {
    return openKeyImages(await this.#context(), file);
  }

  /** View-only: plans a payment for the cold half to sign. @throws as `prepareTransfer` */
  async unsignedTransfer(
    { compat, ...request }: TransferRequest & FileOptions,
    signal?: AbortSignal,
    onProgress?: OnSpendProgress,
  ): Promise<UnsignedTransfer> {
    return this.#unsigned(await layOutTransfer(this.#host.spend(onProgress), request, signal), compat);
  }

  /** View-only: plans a sweep for the cold half to sign. @throws as `prepareSweep` */
  async unsignedSweep(
    { compat, ...request }: SweepRequest & FileOptions,
    signal?: AbortSignal,
    onProgress?: OnSpendProgress,
  ): Promise<UnsignedTransfer> {
    return this.#unsigned(await layOutSweep(this.#host.spend(onProgress), request, signal), compat);
  }

  async #unsigned(plan: AssembledPlan, compat: FileOptions['compat']): Promise<UnsignedTransfer> {
    return { plan, file: await buildUnsignedSet(await this.#context(), plan, { compat }) };
  }

  /** What a set would do, in the words of its maker. See {@link describeUnsigned}. */
  async describe(file: Uint8Array): Promise<DescribedSet> {
    return describeUnsigned(await this.#context(), file);
  }

  /** What a set would do, checked where this wallet could sign it. See {@link reviewUnsigned}. */
  async reviewUnsigned(file: Uint8Array): Promise<SetReview> {
    return reviewUnsigned(await this.#context(), file);
  }

  /** What a signed set would do. See {@link reviewSigned}. */
  async reviewSigned(file: Uint8Array): Promise<SignedReview> {
    return reviewSigned(await this.#context(), file);
  }

  /** Cold: checks and signs a set. See {@link signUnsigned}. */
  async sign(file: Uint8Array, signal?: AbortSignal): Promise<ColdSignature> {
    return signUnsigned(await this.#context(), file, signal);
  }

  /** View-only: sends what the cold half signed. Returns the hashes. See {@link submitSigned}. */
  async submit(file: Uint8Array, signal?: AbortSignal, onProgress?: OnSpendProgress): Promise<readonly TxHash[]> {
    const context = await this.#context();
    return this.#host.still(() => submitSigned(context, this.#host.spend(onProgress), file, signal));
  }

  /** Metadata of each transaction of a prepared transfer. Holds transaction keys. */
  async metadata(preparedId: string): Promise<readonly Uint8Array[]> {
    return txMetadata(await this.#context(), this.#host.prepared(preparedId));
  }

  /** Sends a transaction from its metadata. Returns its hash. See {@link relayMetadata}. */
  async relay(metadata: Uint8Array, signal?: AbortSignal): Promise<TxHash> {
    return relayMetadata(await this.#context(), this.#host.spend(), metadata, signal);
  }

  async #context(): Promise<OfflineContext> {
    await this.#host.ready();
    return this.#host.context;
  }
}
