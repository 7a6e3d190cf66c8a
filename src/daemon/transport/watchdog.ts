import type { Clock } from '../../base/index.ts';
import { DaemonError } from '../errors.ts';

/** Time limits after which an exchange without progress is aborted. */
export interface WatchdogLimits {
  /** Milliseconds until the answer begins. */
  readonly firstByte: number;
  /** Milliseconds without a byte. */
  readonly idle: number;
  /** Milliseconds before the rate is checked. */
  readonly grace: number;
  /** Bytes per second, averaged since the answer began: the minimum, against slow-loris attacks. */
  readonly minRate: number;
  /** Milliseconds that the shortest answer may take in total. */
  readonly total: number;
  /** Bytes per second: a large answer has as much more time as its maximum size takes at this rate. */
  readonly fullRate: number;
}

/**
 * Ends an exchange without progress. The deadline moves with the received bytes: after `grace`, an answer may last at most `received /
 * minRate` seconds, so dripping one byte a minute does not help. It does not move for ever: at a rate just above `minRate` the largest
 * answers would occupy a wallet for a day.
 */
export class Watchdog {
  readonly #limits: WatchdogLimits;
  readonly #longest: number;
  readonly #clock: Clock;
  readonly #abort = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #onCaller = () => this.#abort.abort();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #startedAt = 0;
  #received = 0;
  /** The error to report when this watchdog ended the exchange. */
  fired: DaemonError | undefined;
  /** Rejects when {@link signal} aborts. */
  readonly #ended: Promise<never>;

  /** @param maxBytes that the answer may have */
  constructor(limits: WatchdogLimits, maxBytes: number, clock: Clock, caller: AbortSignal | undefined) {
    this.#limits = limits;
    this.#longest = limits.total + (maxBytes / limits.fullRate) * 1000;
    this.#clock = clock;
    this.#caller = caller;
    this.#ended = new Promise((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
    });
    this.#ended.catch(() => undefined);
    caller?.addEventListener('abort', this.#onCaller, { once: true });
    this.#arm(limits.firstByte, 'no answer began');
  }

  /** Aborts when the answer is too slow, or the caller has aborted. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /**
   * Waits for a step of the exchange, as long as it may. Node's `fetch` loses its signal once the collector has taken its internal request,
   * and would then wait five minutes for another byte.
   */
  during<T>(step: Promise<T>): Promise<T> {
    return Promise.race([step, this.#ended]);
  }

  /** The answer's headers have arrived. */
  headers(): void {
    this.#startedAt = this.#clock.now();
    this.#arm(this.#limits.idle, 'no byte came');
  }

  /** More bytes of the answer have arrived. @throws DaemonError `timeout` when the answer took too long in total */
  progress(bytes: number): void {
    this.#received += bytes;
    const elapsed = this.#clock.now() - this.#startedAt;
    const allowed = this.#limits.grace + (this.#received / this.#limits.minRate) * 1000;
    if (elapsed >= allowed) this.#fire(`the answer came slower than ${this.#limits.minRate} bytes a second`);
    else if (elapsed >= this.#longest) this.#fire(`the answer was not whole after ${Math.round(this.#longest / 60_000)} minutes`);
    else this.#arm(Math.min(this.#limits.idle, allowed - elapsed), 'no byte came');
    if (this.fired !== undefined) throw this.fired;
  }

  /** The answer is complete, or was given up: stops all timers. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#onCaller);
  }

  #arm(ms: number, what: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fire(`${what} for ${Math.ceil(ms / 1000)} s`), ms);
  }

  #fire(why: string): void {
    this.fired ??= new DaemonError('timeout', `the daemon is too slow: ${why}`);
    this.#abort.abort();
  }
}
