import type { ImportedKeyImages, SetReview, SpendProgress, WalletKind } from '../../wallet/index.ts';
import { mayHavePaid } from '../error-codes.ts';
import { errorText } from '../errors.ts';
import { m } from '../language/messages.ts';
import { fileBytes, saveFile } from '../services/file.ts';
import { FILES, formOf } from '../services/offline.ts';
import { Attempt } from './attempt.svelte.ts';
import { notices } from './notices.svelte.ts';
import { wallet } from './wallet.svelte.ts';

/** `unclear`: sending failed, but may have paid something. */
export type SetStep = 'choose' | 'reading' | 'review' | 'working' | 'signed' | 'sent' | 'unclear';

/** One set of transactions from a file: a full wallet signs it, a view-only wallet sends it. Created with the view. */
export class SetFlow {
  step: SetStep = $state('choose');
  problem: string | undefined = $state();
  review: SetReview | undefined = $state.raw();
  /** Progress while it sends. */
  progress: SpendProgress | undefined = $state.raw();
  /** Hashes of the transactions sent. */
  sent: readonly string[] = $state.raw([]);
  readonly #api = wallet.api;
  #file = new Uint8Array();

  constructor(readonly kind: () => WalletKind) {}

  /** Loads a file for review; nothing is signed or sent yet. */
  async load(file: File): Promise<void> {
    this.problem = undefined;
    this.step = 'reading';
    try {
      this.#file = await fileBytes(file);
      this.review = await (this.kind() === 'full'
        ? this.#api.offline.reviewUnsigned(this.#file)
        : this.#api.offline.reviewSigned(this.#file));
      this.step = 'review';
    } catch (error) {
      this.problem = errorText(error);
      this.step = 'choose';
    }
  }

  back(): void {
    this.problem = undefined;
    this.review = undefined;
    this.#file = new Uint8Array();
    this.step = 'choose';
  }

  /** Signs and saves, or sends, the reviewed set. */
  async confirm(): Promise<void> {
    if (this.step !== 'review') return;
    this.step = 'working';
    try {
      await (this.kind() === 'full' ? this.#sign() : this.#send());
    } catch (error) {
      this.back();
      this.problem = errorText(error);
      if (mayHavePaid(error)) this.step = 'unclear';
    }
  }

  async #sign(): Promise<void> {
    const { file } = await this.#api.offline.signUnsigned(this.#file);
    saveFile(FILES.signed, file);
    this.step = 'signed';
  }

  async #send(): Promise<void> {
    this.sent = await this.#api.offline.submitSigned(this.#file, (progress) => {
      this.progress = progress;
    });
    this.step = 'sent';
  }
}

/** Exchange of outputs and key images by files, from which a view-only wallet learns what was spent. Created with the view. */
export class KeyImagesFlow {
  readonly attempt = new Attempt();
  imported: ImportedKeyImages | undefined = $state.raw();
  /** Number of outputs known after an import. */
  outputs: number | undefined = $state();
  /** Write the outputs file for an old release of the reference wallet. */
  older = $state(false);
  readonly #api = wallet.api;

  saveOutputs(): Promise<void> {
    return this.attempt.run(async () => save(FILES.outputs, await this.#api.offline.exportOutputs(formOf(this.older))));
  }

  saveKeyImages(): Promise<void> {
    return this.attempt.run(async () => save(FILES.keyImages, await this.#api.offline.exportKeyImages()));
  }

  loadOutputs(file: File): Promise<void> {
    return this.attempt.run(async () => {
      this.outputs = undefined;
      this.outputs = await this.#api.offline.importOutputs(await fileBytes(file));
    });
  }

  loadKeyImages(file: File): Promise<void> {
    return this.attempt.run(async () => {
      this.imported = undefined;
      this.imported = await this.#api.offline.importKeyImages(await fileBytes(file));
    });
  }

  scan(height: number): Promise<void> {
    return this.attempt.run(async () => {
      await this.#api.rescan(height);
      this.imported = undefined;
      notices.say(m.scan_started(), 'good');
    });
  }
}

function save(name: string, bytes: Uint8Array): void {
  saveFile(name, bytes);
  notices.say(m.offline_saved({ name }), 'good');
}
