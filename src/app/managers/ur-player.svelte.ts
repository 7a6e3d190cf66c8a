import type { UrType } from '../../ur/index.ts';
import { UrEncoder } from '../../ur/index.ts';
import { localStore } from '../services/local-store.ts';

/** Local storage key of the person's settings: fragment size, speed, mixed. */
const SETTINGS = 'nightjar.codes';

/**
 * Fragment sizes in bytes, from the easiest to scan to the fastest; 130 is the default. For comparison: Feather shows 150 bytes at 12 frames a
 * second, Cake 130; Keystone reads up to 200.
 */
export const FRAGMENTS = [60, 130, 200, 350, 600] as const;
/** Frames a second. */
export const SPEEDS = [3, 5, 8, 12, 18] as const;
const USUAL = { fragment: 130, speed: 8, mixed: false } as const;

interface Settings {
  readonly fragment: number;
  readonly speed: number;
  readonly mixed: boolean;
}

function readSettings(): Settings {
  const [fragment, speed, mixed] = (localStore.get(SETTINGS) ?? '').split(' ');
  const one = (list: readonly number[], text: string | undefined, usual: number): number =>
    list.includes(Number(text)) ? Number(text) : usual;
  return { fragment: one(FRAGMENTS, fragment, USUAL.fragment), speed: one(SPEEDS, speed, USUAL.speed), mixed: mixed === 'mixed' };
}

/** Plays one message as a loop of UR codes (Uniform Resources, an animated sequence of QR codes). */
export class UrPlayer {
  fragment = $state(USUAL.fragment as number);
  /** Frames a second. */
  speed = $state(USUAL.speed as number);
  /** Alternate rounds of plain fragments with rounds of fountain-coded mixtures: a missed frame costs less, but some readers do not support it. */
  mixed = $state(false);
  paused = $state(false);
  /** Counts frames. */
  #frame = $state(0);
  readonly #encoder = $derived.by(() => new UrEncoder(this.type(), this.bytes(), this.fragment));
  readonly count = $derived(this.#encoder.count);
  /** UR sequence number of the part shown. */
  readonly seqNum = $derived.by(() => {
    const { count } = this;
    const round = Math.floor(this.#frame / count);
    const within = 1 + (this.#frame % count);
    // Mixtures come in whole rounds, so that a reader that ignores them still sees every plain fragment.
    return this.mixed && round % 2 === 1 ? ((round + 1) / 2) * count + within : within;
  });
  readonly text = $derived(this.#encoder.part(this.seqNum));

  constructor(
    readonly type: () => UrType,
    readonly bytes: () => Uint8Array,
  ) {
    const { fragment, speed, mixed } = readSettings();
    this.fragment = fragment;
    this.speed = speed;
    this.mixed = mixed;
  }

  next(): void {
    if (!this.paused) this.#frame += 1;
  }

  /** From the first part again. */
  restart(): void {
    this.#frame = 0;
  }

  remember(): void {
    this.restart();
    localStore.set(SETTINGS, [this.fragment, this.speed, this.mixed ? 'mixed' : 'plain'].join(' '));
  }
}
