import { isProtocolError } from '../../protocol/index.ts';
import type { OnSpendProgress, PaymentRequest, SweepRequest, TransferRequest } from '../api.ts';
import type { WalletContext } from '../context.ts';
import type { FileOptions, ImportedKeyImages, SetReview, SignedReview, SignedSet, UnsignedSet } from '../offline-api.ts';
import type { Payments } from '../payments.ts';
import { planPayment, readRequest, type SpendContext, sign } from '../spend/index.ts';
import type { OfflineContext } from './context.ts';
import { type DescribedSet, describeUnsigned } from './describe.ts';
import { OfflineSigningError } from './errors.ts';
import { decodeTextFile, fileBytes, keyImagesOfReply } from './file-bytes.ts';
import { fileSigner, setToSign } from './file-signer.ts';
import { type ExportedKeyImages, exportKeyImages, exportKeyImagesFile, importKeyImages, openKeyImages } from './key-images.ts';
import { type ExportOptions, exportOutputs, importOutputs, openOutputs } from './outputs.ts';
import { isKnownKeysFile, ownKeysFileKnown } from './own-keys-file.ts';
import { hasSameKeys } from './reference-files.ts';
import { reviewSigned, reviewUnsigned } from './review.ts';
import { signUnsigned } from './sets.ts';
import { hashIfSent, relayMetadata, resendPending, submitSigned, txMetadata } from './submit.ts';

/** Parts of the wallet that plan, sign and send. */
export interface OfflineHost {
  readonly payments: Pick<Payments, 'signed' | 'stoppable'>;
  /** @throws WalletError `no-daemon`, `closed` */
  spend(progress?: OnSpendProgress): SpendContext;
}

/**
 * The two halves of a wallet, a view-only one that is online and an offline one with the spend key, and the files between them; also files
 * for other programs with the same keys. They are the reference wallet's own (`wallet2.cpp`), encrypted with the view key that both halves
 * have. An incoming file may also be given in hex, or as the reply of monero-wallet-rpc that contains it in hex. Every method rejects with
 * Wallet2Error `bad-magic` for a file of another kind, `unsupported-version` for another version of the format, `not-authentic` for a file
 * of another wallet; OfflineSigningError `damaged-file` for a truncated or malformed one.
 */
export class OfflineSigning {
  readonly #ctx: OfflineContext & Pick<WalletContext, 'daemon' | 'trusted' | 'ready' | 'still'>;
  readonly #host: OfflineHost;

  constructor(ctx: OfflineContext & Pick<WalletContext, 'daemon' | 'trusted' | 'ready' | 'still'>, host: OfflineHost) {
    this.#ctx = ctx;
    this.#host = host;
  }

  /**
   * The file for `import_outputs` of the other half: by default all outputs this wallet knows.
   * @throws OfflineSigningError `nothing-requested`, `start-without-all`
   */
  async exportOutputs(options: ExportOptions = {}): Promise<Uint8Array> {
    return exportOutputs(await this.#ready(), { all: true, ...options });
  }

  /**
   * Imports the outputs of the view-only half. Returns how many outputs this wallet then knows.
   * @throws OfflineSigningError `view-only`, `other-account`, `missing-outputs`, `outputs-beyond-total`, `not-ours`, and then nothing is
   *   imported
   */
  importOutputs(file: Uint8Array): Promise<number> {
    return reading(async () => importOutputs(await this.#ready(), fileBytes(file, 'outputs_data_hex')));
  }

  /** Number of outputs in such a file; imports none of them. @throws OfflineSigningError `other-account` */
  countOutputs(file: Uint8Array): Promise<number> {
    return reading(async () => (await openOutputs(await this.#ready(), fileBytes(file, 'outputs_data_hex'))).outputs.length);
  }

  /** The file for `import_key_images` of the view-only half. @throws OfflineSigningError `view-only`, `not-ours` */
  async exportKeyImages(): Promise<Uint8Array> {
    return exportKeyImagesFile(await this.#ready(), true);
  }

  /**
   * The key images as values: all, or those from the first that the other half requested.
   * @throws OfflineSigningError `view-only`, `not-ours`
   */
  async keyImages(all = false): Promise<ExportedKeyImages> {
    return exportKeyImages(await this.#ready(), all);
  }

  /**
   * Imports the key images of the signing half, so that spends are seen. A trusted daemon is asked which are spent (T24).
   * @throws OfflineSigningError `other-account`, `missing-outputs`, `too-many-key-images`, `bad-key-image`, `bad-signature`, and then
   *   nothing is imported; `bad-daemon-answer`, DaemonError
   */
  importKeyImages(input: Uint8Array | ExportedKeyImages): Promise<ImportedKeyImages> {
    return reading(async () => {
      const ctx = await this.#ready();
      const run =
        input instanceof Uint8Array ? (keyImagesOfReply(input) ?? (await openKeyImages(ctx, decodeTextFile(input)))) : input;
      const imported = await this.#ctx.still(() => importKeyImages(ctx, run, ctx.trusted ? ctx.daemon : undefined));
      return { count: run.keyImages.length, ...imported };
    });
  }

  /** View-only: a payment for the other half to sign (`unsigned_monero_tx`). `payments.cancel` stops it. @throws as `payments.prepareTransfer` */
  prepareUnsigned(request: TransferRequest & FileOptions, onProgress?: OnSpendProgress): Promise<UnsignedSet> {
    return this.#unsigned({ ...request, kind: 'transfer' }, onProgress);
  }

  /** As {@link prepareUnsigned}, for a sweep. @throws as `payments.prepareSweep` */
  prepareUnsignedSweep(request: SweepRequest & FileOptions, onProgress?: OnSpendProgress): Promise<UnsignedSet> {
    return this.#unsigned({ ...request, kind: 'sweep' }, onProgress);
  }

  /** The review is read back from the file, not from the request. */
  #unsigned(request: PaymentRequest & FileOptions, onProgress: OnSpendProgress | undefined): Promise<UnsignedSet> {
    return this.#host.payments.stoppable(async (signal) => {
      const ctx = await this.#ready();
      const spend = { ...this.#host.spend(onProgress), signer: fileSigner(ctx, request) };
      const plan = await planPayment(spend, readRequest(request, spend), signal);
      const file = setToSign(await sign(spend, plan, signal));
      const coins = plan.transactions.flatMap(({ unsigned }) => unsigned.inputs.map(({ output }) => output.key));
      return { file, review: await reviewUnsigned(ctx, file), coins };
    });
  }

  /**
   * Describes every source and recipient of a set as its maker states them, unchecked: {@link signUnsigned} checks them against this
   * wallet.
   * @throws OfflineSigningError `change-not-paid`, `change-too-large`, `several-change-addresses`
   */
  describeUnsigned(file: Uint8Array): Promise<DescribedSet> {
    return reading(async () => describeUnsigned(await this.#ready(), fileBytes(file, 'unsigned_txset')));
  }

  /**
   * Reviews an unsigned set. A wallet that can sign checks all of it, as signing does.
   * @throws OfflineSigningError `wrong-network`, `already-spent`, `not-ours`, `empty-set`, `contradictory-set`, `locked-transaction`,
   *   `foreign-change`, `unsupported-form`, `change-not-paid`, `change-too-large`, `several-change-addresses`
   */
  reviewUnsigned(file: Uint8Array): Promise<SetReview> {
    return reading(async () => reviewUnsigned(await this.#ready(), fileBytes(file, 'unsigned_txset')));
  }

  /**
   * Checks and signs an unsigned set (`signed_monero_tx`).
   * @throws as {@link reviewUnsigned}; OfflineSigningError `view-only`, `missing-outputs`, `outputs-beyond-total`
   */
  signUnsigned(file: Uint8Array): Promise<SignedSet> {
    return reading(async () => {
      const { file: signed, transactions } = await signUnsigned(await this.#ready(), fileBytes(file, 'unsigned_txset'));
      return { file: signed, txHashes: transactions.map(({ txHash }) => txHash), blobs: transactions.map(({ blob }) => blob) };
    });
  }

  /**
   * Reviews a signed set, its amounts checked against the transactions in it.
   * @throws OfflineSigningError `wrong-network`, `already-sent`, `already-spent`, `not-ours`, `empty-set`, `contradictory-set` and those of
   *   {@link reviewUnsigned} about change
   */
  reviewSigned(file: Uint8Array): Promise<SignedReview> {
    return reading(async () => reviewSigned(await this.#ready(), fileBytes(file, 'signed_txset')));
  }

  /**
   * Sends a signed set and imports its key images. Returns the hashes.
   * @throws OfflineSigningError `too-many-key-images`, `bad-key-image`, `empty-set`, `contradictory-set`, `not-ours`; SpendError
   */
  submitSigned(file: Uint8Array, onProgress?: OnSpendProgress): Promise<readonly string[]> {
    return reading(async () => {
      const ctx = await this.#ready();
      return this.#ctx.still(() => submitSigned(ctx, this.#host.spend(onProgress), fileBytes(file, 'signed_txset')));
    });
  }

  /**
   * Signs a prepared payment without sending it, and returns the metadata of each transaction, which contains transaction keys.
   * @throws WalletError `not-found`; SpendError
   */
  async metadata(preparedId: string): Promise<readonly Uint8Array[]> {
    const ctx = await this.#ready();
    const { plan, transactions } = await this.#host.payments.signed(preparedId);
    return txMetadata(ctx, plan, transactions);
  }

  /**
   * Sends a transaction from its metadata, ours or the reference's: also one that was sent before and is not mined, since the pool may have
   * dropped it. Returns its hash.
   * @throws ProtocolError, Wallet2Error for anything but metadata; OfflineSigningError `contradictory-set`; SpendError
   */
  async relay(metadata: Uint8Array): Promise<string> {
    const before = hashIfSent(this.#ctx.state, metadata);
    if (before === undefined) return relayMetadata(await this.#ready(), this.#host.spend(), metadata);
    await resendPending(this.#ctx, this.#host.spend(), before);
    return before;
  }

  /**
   * Whether a `.keys` file of the reference is this wallet. One that is will be known the next time without being opened.
   * @param kdfRounds as the reference's `--kdf-rounds`
   * @throws Wallet2Error `wrong-password`, `unsupported-kind`, `keys-do-not-match`; ProtocolError for anything but such a file
   * @internal
   */
  async isOwnKeysFile(file: Uint8Array, password: string, kdfRounds = 1): Promise<boolean> {
    const { state } = this.#ctx;
    if (isKnownKeysFile(state, file)) return true;
    if (!(await hasSameKeys(file, password, kdfRounds, state.description))) return false;
    await this.#ctx.append([ownKeysFileKnown(file)], 'relaxed');
    return true;
  }

  async #ready(): Promise<OfflineContext & Pick<WalletContext, 'daemon' | 'trusted'>> {
    await this.#ctx.ready();
    return this.#ctx;
  }
}

/** Reports a file that the wallet's key decrypts but that cannot be parsed as damaged. */
async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isProtocolError(error)) throw error;
    throw new OfflineSigningError('damaged-file', error.message, { reason: error.code });
  }
}
