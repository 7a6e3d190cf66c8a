import type { PreparedTransfer } from './api.ts';
import { WalletError } from './errors.ts';
import type { Prepared } from './spend/index.ts';

/** Payments that are being made ready, which can be stopped, and those that are ready, which wait to be sent or let go. */
export class Preparations {
  readonly #ready = new Map<string, Prepared>();
  readonly #underWay = new Set<AbortController>();

  /** Keeps what the work makes, unless it was stopped meanwhile. @throws what the work throws; AbortError once stopped */
  async make(work: (signal: AbortSignal) => Promise<Prepared>): Promise<PreparedTransfer> {
    const prepared = await this.stoppable(work);
    this.#ready.set(prepared.summary.id, prepared);
    return prepared.summary;
  }

  /** The same of work that may find nothing to make. */
  async makeAny(work: (signal: AbortSignal) => Promise<Prepared | undefined>): Promise<PreparedTransfer | undefined> {
    const prepared = await this.stoppable(work);
    if (prepared !== undefined) this.#ready.set(prepared.summary.id, prepared);
    return prepared?.summary;
  }

  /** Does work that {@link cancel} stops. @throws what the work throws; AbortError once stopped */
  async stoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    this.#underWay.add(stop);
    try {
      const made = await work(stop.signal);
      stop.signal.throwIfAborted();
      return made;
    } finally {
      this.#underWay.delete(stop);
    }
  }

  /** Stops all that is being made ready. */
  cancel(): void {
    for (const stop of this.#underWay) stop.abort();
  }

  /** @throws WalletError `not-found` */
  get(id: string): Prepared {
    const prepared = this.#ready.get(id);
    if (prepared !== undefined) return prepared;
    throw new WalletError('not-found', 'expected a prepared transfer that was neither sent nor discarded');
  }

  /** Gives it out once: what is sent cannot be sent a second time. @throws WalletError `not-found` */
  take(id: string): Prepared {
    const prepared = this.get(id);
    this.#ready.delete(id);
    return prepared;
  }

  discard(id: string): void {
    this.#ready.delete(id);
  }

  clear(): void {
    this.cancel();
    this.#ready.clear();
  }
}
