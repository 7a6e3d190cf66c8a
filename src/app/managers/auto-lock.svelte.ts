import { localStore } from '../services/local-store.ts';
import { noticeErrors } from './attempt.svelte.ts';
import { session } from './session.svelte.ts';

const KEY = 'nightjar.lock-after';
const HIDE_KEY = 'nightjar.lock-on-hide';
/** Minutes; 0 is never. */
export const LOCK_CHOICES = ['5', '15', '60', '0'] as const;
/** Minutes without input until the wallet is locked, as a string; `0` is never. */
export type LockAfter = (typeof LOCK_CHOICES)[number];
const DEFAULT: LockAfter = '15';

const MINUTE_MS = 60_000;
/** Milliseconds between checks. After the device slept, the first check locks. */
const LOOK_EVERY = 10_000;

/** Locks the open wallet after a time without input, even while it is working. */
class AutoLockTimer {
  choice: LockAfter = $state(LOCK_CHOICES.find((choice) => choice === localStore.get(KEY)) ?? DEFAULT);
  /** Lock as soon as the page is hidden. */
  onHide = $state(localStore.get(HIDE_KEY) !== undefined);
  #touched = Date.now();

  constructor() {
    const touch = () => {
      this.#touched = Date.now();
    };
    for (const name of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
      window.addEventListener(name, touch, { passive: true, capture: true });
    setInterval(() => this.#look(), LOOK_EVERY);
    // Showing the page does not count as input: an overdue wallet is locked before it is seen.
    document.addEventListener('visibilitychange', () => (document.hidden && this.onHide ? this.#lock() : this.#look()));
  }

  choose(choice: LockAfter): void {
    this.choice = choice;
    localStore.set(KEY, choice === DEFAULT ? undefined : choice);
  }

  chooseOnHide(onHide: boolean): void {
    this.onHide = onHide;
    localStore.set(HIDE_KEY, onHide ? 'yes' : undefined);
  }

  #lock(): void {
    if (session.stage === 'open') void noticeErrors(session.lock());
  }

  #look(): void {
    const minutes = Number(this.choice);
    if (session.stage !== 'open' || minutes === 0) return;
    if (Date.now() - this.#touched >= minutes * MINUTE_MS) this.#lock();
  }
}

export const autoLock = new AutoLockTimer();
