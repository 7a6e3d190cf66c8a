import { SerialQueue } from '../../base/index.ts';
import { WalletError } from '../errors.ts';
import type { Durability, Journal } from '../ports.ts';
import { projectionOf } from '../projection/index.ts';
import { requireValidEvents } from '../state/check-events.ts';
import type { WalletEvent } from '../state/events.ts';
import { applyEvent } from '../state/fold.ts';
import { snapshot } from '../state/snapshot.ts';
import type { WalletState } from '../state/state.ts';
import { requireRecoverable } from './recoverable-events.ts';

/** Number of records in a journal above which a snapshot replaces them. */
const COMPACT_ABOVE = 4000;

/** The only way to change a wallet's state: events are journalled, then applied, then reported, in the order of the calls. */
export class StateWriter {
  readonly #journal: Journal;
  readonly #state: WalletState;
  readonly #changed: () => void;
  #records: number;
  readonly #queue = new SerialQueue();
  #ended = false;
  /** The journal is locked and keeps new events in memory. */
  #locked = false;

  /**
   * @param records in the journal so far
   * @param changed called after events were applied
   */
  constructor(journal: Journal, state: WalletState, records: number, changed: () => void) {
    this.#journal = journal;
    this.#state = state;
    this.#records = records;
    this.#changed = changed;
  }

  /** Appends all events or none. @throws WalletError `closed`, `bad-event`, `view-only`; StorageError */
  async append(events: readonly WalletEvent[], durability: Durability): Promise<void> {
    if (events.length === 0) return;
    await this.#queue.run(async () => {
      if (this.#ended) throw new WalletError('closed', 'expected an open wallet');
      if (this.#locked) requireRecoverable(events);
      requireValidEvents(this.#state, events);
      await this.#journal.append(events, durability);
      for (const event of events) applyEvent(this.#state, event);
      // The projection is up to date before anybody reads it, however many blocks came.
      projectionOf(this.#state);
      this.#records += events.length;
      this.#changed();
    });
  }

  /** Replaces a long journal by a snapshot. @param always also a short one */
  compact(always = false): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#ended || (!always && this.#records <= COMPACT_ABOVE)) return;
      const events = [...snapshot(this.#state)];
      await this.#journal.compact(events);
      // A wallet whose snapshot alone is long is not rewritten every time.
      this.#records = Math.min(events.length, COMPACT_ABOVE / 2);
    });
  }

  /** The journal forgets the spend key, and what opens it. Until {@link unlock} only recoverable events are accepted. Idempotent. */
  lock(): Promise<void> {
    return this.#queue.run(async () => {
      await this.#journal.lock();
      this.#locked = true;
    });
  }

  /** Writes the pending events. @throws StorageError `wrong-password`, `full` */
  unlock(password: string): Promise<void> {
    return this.#queue.run(async () => {
      await this.#journal.unlock(password);
      this.#locked = false;
    });
  }

  /** Resolves when all calls so far are done, failed or not. */
  async settled(): Promise<void> {
    await this.#queue.idle();
  }

  /** Accepts nothing more. Resolves when all earlier calls are done. */
  async end(): Promise<void> {
    await this.#queue.idle();
    this.#ended = true;
  }
}
