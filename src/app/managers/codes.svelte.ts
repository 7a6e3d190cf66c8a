import { type ReadResult, UrDecoder, type UrType } from '../../ur/index.ts';
import type { ImportedKeyImages, SetReview, SpendProgress, UnsignedSet, WalletKind } from '../../wallet/index.ts';
import { mayHavePaid } from '../error-codes.ts';
import { errorText } from '../errors.ts';
import { m } from '../language/messages.ts';
import { notices } from './notices.svelte.ts';
import { wallet } from './wallet.svelte.ts';

/**
 * `show`: codes are shown to the other device. `scan`: the camera scans its codes. `images`: key images were imported. `unclear`: sending failed,
 * but may have paid something.
 */
export type CodesStep = 'start' | 'show' | 'scan' | 'reading' | 'images' | 'review' | 'working' | 'sent' | 'unclear';

/** Codes shown to the other device. */
export interface Shown {
  readonly type: ColdType;
  readonly bytes: Uint8Array;
}

/** The exchanges of cold signing in order; view-only wallet and signing wallet show them in turns. */
export const COLD_SIGNING_STEPS = [
  'xmr-output',
  'xmr-keyimage',
  'xmr-txunsigned',
  'xmr-txsigned',
] as const satisfies readonly UrType[];

type ColdType = (typeof COLD_SIGNING_STEPS)[number];

/** UR types that each kind of wallet scans. */
const AWAITED: Readonly<Record<WalletKind, readonly UrType[]>> = {
  full: ['xmr-output', 'xmr-txunsigned'],
  view: ['xmr-keyimage', 'xmr-txsigned'],
  // Multisig messages are handled elsewhere.
  multisig: [],
  // A Ledger signs over USB.
  device: [],
};

/** One device's side of cold signing by QR codes. Kept while the person is on other views, until the wallet is closed. */
export class ColdSigningFlow {
  step: CodesStep = $state('start');
  problem: string | undefined = $state();
  shown: Shown | undefined = $state.raw();
  /** Result of the last scanned code, if it was not a new part. */
  said: ReadResult | undefined = $state.raw();
  parts: readonly boolean[] = $state.raw([]);
  /** UR type that is being scanned. */
  reading: UrType | undefined = $state();
  /** Number of outputs known after an import. */
  outputs: number | undefined = $state();
  imported: ImportedKeyImages | undefined = $state.raw();
  review: SetReview | undefined = $state.raw();
  /** Progress while it sends. */
  progress: SpendProgress | undefined = $state.raw();
  /** Hashes of the transactions sent. */
  sent: readonly string[] = $state.raw([]);
  /** View-only: the payment that waits to be signed. */
  unsigned: UnsignedSet | undefined = $state.raw();
  readonly awaited: readonly UrType[];
  readonly #api = wallet.api;
  readonly #decoder: UrDecoder;
  #set: Uint8Array = new Uint8Array();

  constructor(readonly kind: WalletKind) {
    this.awaited = AWAITED[kind];
    this.#decoder = new UrDecoder(this.awaited);
  }

  /** Index in {@link COLD_SIGNING_STEPS} of the current step, their number once it is sent; undefined before the first. */
  get at(): number | undefined {
    if (this.step === 'sent' || this.step === 'unclear') return COLD_SIGNING_STEPS.length;
    const type = this.step === 'scan' ? this.reading : this.shown?.type;
    if (this.step === 'images') return 1;
    if (this.step === 'review' || this.step === 'working') return this.kind === 'full' ? 2 : 3;
    return type === undefined ? undefined : COLD_SIGNING_STEPS.indexOf(type as ColdType);
  }

  start(): void {
    this.#forget();
    this.shown = undefined;
    this.step = 'start';
  }

  /** View-only: shows its outputs, to get their key images. */
  showOutputs(): Promise<void> {
    return this.#work(async () => this.show('xmr-output', await this.#api.offline.exportOutputs()));
  }

  /** View-only: shows a reviewed payment, to be signed on the other device. Its coins are already frozen. */
  showUnsigned(unsigned: UnsignedSet): void {
    this.unsigned = unsigned;
    this.show('xmr-txunsigned', unsigned.file);
  }

  show(type: ColdType, bytes: Uint8Array): void {
    this.#forget();
    this.shown = { type, bytes };
    this.step = 'show';
  }

  scan(): void {
    this.#forget();
    this.#decoder.clear();
    this.step = 'scan';
  }

  /** Leaves scanning for the codes shown before, or for the start. */
  leaveScan(): void {
    if (this.shown) this.show(this.shown.type, this.shown.bytes);
    else this.start();
  }

  /** Drops the parts scanned so far, e.g. of the wrong code. */
  scanAnew(): void {
    this.#decoder.clear();
    this.reading = undefined;
    this.parts = [];
    this.said = undefined;
  }

  /** Handles a scanned code. */
  read(text: string): void {
    if (this.step !== 'scan') return;
    const taken = this.#decoder.take(text);
    this.parts = [...this.#decoder.parts];
    this.reading = this.#decoder.type;
    this.said = taken.kind === 'new' ? undefined : taken;
    if (taken.kind === 'whole') void this.#take(taken.type, taken.bytes);
  }

  /** Signs or sends the reviewed set. */
  async confirm(): Promise<void> {
    if (this.step !== 'review') return;
    this.step = 'working';
    try {
      if (this.kind === 'full') this.show('xmr-txsigned', (await this.#api.offline.signUnsigned(this.#set)).file);
      else await this.#send();
    } catch (error) {
      this.#failed(error);
      if (mayHavePaid(error)) this.step = 'unclear';
    }
  }

  /** View-only: gives up the payment that waits to be signed, and unfreezes its coins. */
  async giveUp(): Promise<void> {
    const { unsigned } = this;
    if (!unsigned) return;
    await this.#work(async () => {
      await this.#api.setFrozen(unsigned.coins, false);
      this.unsigned = undefined;
      notices.say(m.codes_given_up(), 'good');
      this.start();
    });
  }

  async rescan(height: number): Promise<void> {
    await this.#work(async () => {
      await this.#api.rescan(height);
      notices.say(m.scan_started(), 'good');
      this.start();
    });
  }

  async #take(type: UrType, bytes: Uint8Array): Promise<void> {
    const { offline } = this.#api;
    await this.#work(async () => {
      switch (type) {
        case 'xmr-output': {
          const outputs = await offline.importOutputs(bytes);
          this.show('xmr-keyimage', await offline.exportKeyImages());
          this.outputs = outputs;
          return;
        }
        case 'xmr-keyimage':
          this.imported = await offline.importKeyImages(bytes);
          this.shown = undefined;
          this.step = 'images';
          return;
        case 'xmr-txunsigned':
          this.#toReview(await offline.reviewUnsigned(bytes), bytes);
          return;
        case 'xmr-txsigned': {
          const review = await offline.reviewSigned(bytes);
          // Refuses a signed set that does not match the unsigned one, rather than leave that to the person.
          if (this.unsigned && !paysTheSame(review, this.unsigned.review)) this.#back(m.codes_not_prepared());
          else this.#toReview(review, bytes);
        }
      }
    });
  }

  async #send(): Promise<void> {
    const sent = await this.#api.offline.submitSigned(this.#set, (progress) => {
      this.progress = progress;
    });
    this.#forget();
    this.shown = undefined;
    this.unsigned = undefined;
    this.sent = sent;
    this.step = 'sent';
  }

  /** Runs work that leads to the next step; on error, goes back and shows the reason. */
  async #work(work: () => Promise<void>): Promise<void> {
    this.problem = undefined;
    this.step = 'reading';
    try {
      await work();
    } catch (error) {
      this.#failed(error);
    }
  }

  #toReview(review: SetReview, set: Uint8Array): void {
    this.review = review;
    this.#set = set;
    this.step = 'review';
  }

  #failed(error: unknown): void {
    this.#back(errorText(error));
  }

  /** Goes back to the codes shown before, or to the start, with an error. */
  #back(problem: string): void {
    const { shown } = this;
    this.#forget();
    this.step = shown ? 'show' : 'start';
    this.problem = problem;
  }

  #forget(): void {
    this.problem = undefined;
    this.said = undefined;
    this.parts = [];
    this.reading = undefined;
    this.outputs = undefined;
    this.imported = undefined;
    this.review = undefined;
    this.progress = undefined;
    this.#set = new Uint8Array();
  }
}

/** Whether two sets have the same recipients, amounts and fee. */
function paysTheSame(one: SetReview, other: SetReview): boolean {
  const paid = ({ recipients }: SetReview): string =>
    recipients
      .map(({ address, amount }) => `${address} ${amount}`)
      .sort()
      .join();
  return one.fee === other.fee && paid(one) === paid(other);
}

/** The open wallet's current exchange; in memory only. */
let current: ColdSigningFlow | undefined;
wallet.onLeave(() => {
  current = undefined;
});

/** The current exchange, or a new one. @param kind of the open wallet */
export function openColdSigning(kind: WalletKind): ColdSigningFlow {
  current ??= new ColdSigningFlow(kind);
  return current;
}
