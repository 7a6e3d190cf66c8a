import { type ReadResult, UrDecoder, type UrType } from '../../ur/index.ts';
import type { ImportedKeyImages, SetReview, SpendProgress, UnsignedSet, WalletKind } from '../../wallet/index.ts';
import { mayHavePaid } from '../error-codes.ts';
import { errorText } from '../errors.ts';
import { m } from '../language/messages.ts';
import { notices } from './notices.svelte.ts';
import { wallet } from './wallet.svelte.ts';

/**
 * `start`: nothing is under way. `show`: codes are shown to the other device. `scan`: the camera reads its codes. `images`: key images
 * were taken. `unclear`: sending failed, and may have paid something all the same.
 */
export type CodesStep = 'start' | 'show' | 'scan' | 'reading' | 'images' | 'review' | 'working' | 'sent' | 'unclear';

/** Codes shown to the other device. */
export interface Shown {
  readonly type: ColdType;
  readonly bytes: Uint8Array;
}

/** The way of a payment between the two halves, each thing shown by one and read by the other. */
export const COLD_SIGNING_STEPS = [
  'xmr-output',
  'xmr-keyimage',
  'xmr-txunsigned',
  'xmr-txsigned',
] as const satisfies readonly UrType[];

type ColdType = (typeof COLD_SIGNING_STEPS)[number];

/** Types of codes that each half reads. */
const AWAITED: Readonly<Record<WalletKind, readonly UrType[]>> = {
  full: ['xmr-output', 'xmr-txunsigned'],
  view: ['xmr-keyimage', 'xmr-txsigned'],
  // A group's messages are others.
  multisig: [],
  // It signs what is asked of it, with no network of its own.
  device: [],
};

/** One half's side of cold signing by codes alone. It outlives the view that shows it, until the wallet is left. */
export class CodesFlow {
  step: CodesStep = $state('start');
  problem: string | undefined = $state();
  shown: Shown | undefined = $state.raw();
  /** Result of the last code, where it was not a new part. */
  said: ReadResult | undefined = $state.raw();
  parts: readonly boolean[] = $state.raw([]);
  /** Type of what is being read. */
  reading: UrType | undefined = $state();
  /** Outputs known after they were taken. */
  outputs: number | undefined = $state();
  imported: ImportedKeyImages | undefined = $state.raw();
  review: SetReview | undefined = $state.raw();
  /** Progress while it sends. */
  progress: SpendProgress | undefined = $state.raw();
  /** Hashes of what was sent. */
  sent: readonly string[] = $state.raw([]);
  /** View-only: the payment that is out to be signed. */
  unsigned: UnsignedSet | undefined = $state.raw();
  readonly awaited: readonly UrType[];
  readonly #api = wallet.api;
  readonly #decoder: UrDecoder;
  #set: Uint8Array = new Uint8Array();

  constructor(readonly kind: WalletKind) {
    this.awaited = AWAITED[kind];
    this.#decoder = new UrDecoder(this.awaited);
  }

  /** How far the journey is: an index of {@link COLD_SIGNING_STEPS}, or its length once it is sent; undefined before it began. */
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

  /** View-only: shows what it owns, for the key images. */
  showOutputs(): Promise<void> {
    return this.#work(async () => this.show('xmr-output', await this.#api.offline.exportOutputs()));
  }

  /** View-only: shows a payment that was reviewed here, to be signed there. Its coins are set aside already. */
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

  /** Back to what was shown before, where something was. */
  leaveScan(): void {
    if (this.shown) this.show(this.shown.type, this.shown.bytes);
    else this.start();
  }

  /** Another code was begun by mistake: what was gathered of it is let go. */
  scanAnew(): void {
    this.#decoder.clear();
    this.reading = undefined;
    this.parts = [];
    this.said = undefined;
  }

  /** Takes what the camera read. */
  read(text: string): void {
    if (this.step !== 'scan') return;
    const taken = this.#decoder.take(text);
    this.parts = [...this.#decoder.parts];
    this.reading = this.#decoder.type;
    this.said = taken.kind === 'new' ? undefined : taken;
    if (taken.kind === 'whole') void this.#take(taken.type, taken.bytes);
  }

  /** Signs, or sends: once, whatever comes of it. */
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

  /** View-only: the payment that is out will not be signed, and its coins are free again. */
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
          // A half that signs something else than it was given is not left to the person to find out.
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

  /** Runs work that leads to another step, or back to the first one with the reason. */
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

  /** To what was shown before, or to the beginning, with the reason. */
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

/** Whether two sets pay the same people the same, for the same fee. */
function paysTheSame(one: SetReview, other: SetReview): boolean {
  const paid = ({ recipients }: SetReview): string =>
    recipients
      .map(({ address, amount }) => `${address} ${amount}`)
      .sort()
      .join();
  return one.fee === other.fee && paid(one) === paid(other);
}

/** The exchange of codes that was begun with the open wallet. In memory alone. */
let current: CodesFlow | undefined;
wallet.onLeave(() => {
  current = undefined;
});

/** The exchange by camera that is under way, or a new one: it is kept while the person looks elsewhere. @param kind which half this wallet is */
export function openCodes(kind: WalletKind): CodesFlow {
  current ??= new CodesFlow(kind);
  return current;
}
