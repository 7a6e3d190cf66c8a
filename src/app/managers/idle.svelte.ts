import { remembered } from '../services/remembered.ts';
import { orSay } from './attempt.svelte.ts';
import { session } from './session.svelte.ts';

const KEY = 'nightjar.lock-after';
const HIDE_KEY = 'nightjar.lock-on-hide';
/** Minutes; 0 is never. */
export const LOCK_CHOICES = ['5', '15', '60', '0'] as const;
/** Minutes without a touch until the wallet is locked, as digits; `0` is never. */
export type LockAfter = (typeof LOCK_CHOICES)[number];
const DEFAULT: LockAfter = '15';

const MINUTE_MS = 60_000;
/** Milliseconds between two looks at the clock. A device that slept is found out at the first one. */
const LOOK_EVERY = 10_000;

/** Locks an open wallet that nobody has touched for a while, whatever it is doing. */
class Idle {
  choice: LockAfter = $state(LOCK_CHOICES.find((choice) => choice === remembered.get(KEY)) ?? DEFAULT);
  /** Lock as soon as the page is out of sight. */
  onHide = $state(remembered.get(HIDE_KEY) !== undefined);
  #touched = Date.now();

  constructor() {
    const touch = () => {
      this.#touched = Date.now();
    };
    for (const name of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
      window.addEventListener(name, touch, { passive: true, capture: true });
    setInterval(() => this.#look(), LOOK_EVERY);
    // Coming back to the page is not touching it: what is overdue is locked before it is seen again.
    document.addEventListener('visibilitychange', () => (document.hidden && this.onHide ? this.#lock() : this.#look()));
  }

  choose(choice: LockAfter): void {
    this.choice = choice;
    remembered.set(KEY, choice === DEFAULT ? undefined : choice);
  }

  chooseOnHide(onHide: boolean): void {
    this.onHide = onHide;
    remembered.set(HIDE_KEY, onHide ? 'yes' : undefined);
  }

  #lock(): void {
    if (session.stage === 'open') void orSay(session.lock());
  }

  #look(): void {
    const minutes = Number(this.choice);
    if (session.stage !== 'open' || minutes === 0) return;
    if (Date.now() - this.#touched >= minutes * MINUTE_MS) this.#lock();
  }
}

export const idle = new Idle();
