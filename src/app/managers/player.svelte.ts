import type { UrType } from '../../ur/index.ts';
import { UrEncoder } from '../../ur/index.ts';
import { remembered } from '../services/remembered.ts';

/** How codes are shown, as the person left it on this device. */
const SETTINGS = 'nightjar.codes';

/**
 * Bytes of a fragment and frames a second, from the easiest to the fastest. Feather shows 150 bytes twelve times a second, Cake 130;
 * Keystone takes up to 200. The second is ours.
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
  const [fragment, speed, mixed] = (remembered.get(SETTINGS) ?? '').split(' ');
  const one = (list: readonly number[], text: string | undefined, usual: number): number =>
    list.includes(Number(text)) ? Number(text) : usual;
  return { fragment: one(FRAGMENTS, fragment, USUAL.fragment), speed: one(SPEEDS, speed, USUAL.speed), mixed: mixed === 'mixed' };
}

/** Plays one message as codes, over and over. */
export class Player {
  fragment = $state(USUAL.fragment as number);
  /** Frames a second. */
  speed = $state(USUAL.speed as number);
  /** After each round of fragments comes one of mixtures of them, new ones each time: a lost frame costs less, but old readers trip. */
  mixed = $state(false);
  paused = $state(false);
  /** Counts frames. */
  #frame = $state(0);
  readonly #encoder = $derived.by(() => new UrEncoder(this.type(), this.bytes(), this.fragment));
  readonly count = $derived(this.#encoder.count);
  /** The number of the part that is shown. */
  readonly seqNum = $derived.by(() => {
    const { count } = this;
    const round = Math.floor(this.#frame / count);
    const within = 1 + (this.#frame % count);
    // Whole rounds in between: a reader that knows mixtures no better leaves them out and misses nothing.
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
    remembered.set(SETTINGS, [this.fragment, this.speed, this.mixed ? 'mixed' : 'plain'].join(' '));
  }
}
