import { isProtocolError } from '../../protocol/index.ts';
import type { OnSpendProgress, SweepRequest, TransferRequest } from '../api.ts';
import type {
  FileOptions,
  ImportedKeyImages,
  OfflineApi,
  SetReview,
  SignedReview,
  SignedSet,
  UnsignedSet,
} from '../offline-api.ts';
import { OfflineSigningError } from '../offline-signing/errors.ts';
import { binaryGiven, bytesGiven, keyImagesGiven } from '../offline-signing/given.ts';
import type { Exchange, UnsignedTransfer } from '../offline-signing/offline-signing.ts';

/** Offline signing for a door: what stays in the worker (transaction keys) is left out, and every damage has one name. */
export class OfflineSigning implements OfflineApi {
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  exportOutputs({ compat }: FileOptions = {}): Promise<Uint8Array> {
    return this.#exchange.exportOutputs({ all: true, compat });
  }

  importOutputs(file: Uint8Array): Promise<number> {
    return reading(() => this.#exchange.importOutputs(bytesGiven(file, 'outputs_data_hex')));
  }

  exportKeyImages(): Promise<Uint8Array> {
    return this.#exchange.exportKeyImagesFile(true);
  }

  importKeyImages(file: Uint8Array): Promise<ImportedKeyImages> {
    return reading(async () => {
      const run = keyImagesGiven(file) ?? (await this.#exchange.openKeyImages(binaryGiven(file)));
      const { spent, unspent, scanFrom } = await this.#exchange.importKeyImages(run);
      return { count: run.keyImages.length, spent, unspent, scanFrom };
    });
  }

  async prepareUnsigned(
    request: TransferRequest & FileOptions,
    onProgress?: OnSpendProgress,
    signal?: AbortSignal,
  ): Promise<UnsignedSet> {
    return this.#withReview(await this.#exchange.unsignedTransfer(request, signal, onProgress));
  }

  async prepareUnsignedSweep(
    request: SweepRequest & FileOptions,
    onProgress?: OnSpendProgress,
    signal?: AbortSignal,
  ): Promise<UnsignedSet> {
    return this.#withReview(await this.#exchange.unsignedSweep(request, signal, onProgress));
  }

  reviewUnsigned(file: Uint8Array): Promise<SetReview> {
    return reading(() => this.#exchange.reviewUnsigned(bytesGiven(file, 'unsigned_txset')));
  }

  signUnsigned(file: Uint8Array): Promise<SignedSet> {
    return reading(async () => {
      const { file: signed, transactions } = await this.#exchange.sign(bytesGiven(file, 'unsigned_txset'));
      return { file: signed, txHashes: transactions.map(({ txHash }) => txHash) };
    });
  }

  reviewSigned(file: Uint8Array): Promise<SignedReview> {
    return reading(() => this.#exchange.reviewSigned(bytesGiven(file, 'signed_txset')));
  }

  submitSigned(file: Uint8Array, onProgress?: OnSpendProgress): Promise<readonly string[]> {
    return reading(() => this.#exchange.submit(bytesGiven(file, 'signed_txset'), undefined, onProgress));
  }

  /** What is shown is what the file says, not what was meant to be in it. */
  async #withReview({ file, plan }: UnsignedTransfer): Promise<UnsignedSet> {
    const coins = plan.transactions.flatMap(({ unsigned }) => unsigned.inputs.map(({ output }) => output.key));
    return { file, review: await this.#exchange.reviewUnsigned(file), coins };
  }
}

/** A file that the wallet's own key opens and that does not read to its end. */
async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isProtocolError(error)) throw error;
    throw new OfflineSigningError('damaged-file', error.message, { reason: error.code });
  }
}
