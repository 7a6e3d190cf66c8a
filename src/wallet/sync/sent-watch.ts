import { secondsOf } from '../../base/index.ts';
import type { TxHash } from '../../protocol/index.ts';
import { isOnChain, isPending, spendOf } from '../projection/index.ts';
import type { WalletEvent } from '../state/events.ts';
import type { SentEntry } from '../state/state.ts';
import type { SyncContext, SyncDaemon } from './context.ts';

/** Seconds out of the pool, and off the chain, before the same bytes are sent again. */
const REBROADCAST_AFTER = 60;
/** Seconds out of the pool, refused by the daemon, before a transaction counts as failed (wallet2.cpp, tx_propagation_timeout). */
const FAILED_AFTER = 500;

/** Follows our transactions until they are mined: sends the same bytes again while they are missing (T3), or records their failure. */
export class SentWatch {
  readonly #deps: SyncContext;
  /** When each was last seen in the pool or on the chain, or sent, and when it was last sent again, unix seconds. */
  readonly #lastSeen = new Map<TxHash, number>();
  readonly #lastTry = new Map<TxHash, number>();

  constructor(deps: SyncContext) {
    this.#deps = deps;
  }

  /** Call it at the tip, after a poll of the pool. */
  async check(daemon: SyncDaemon, inPool: (txHash: TxHash) => boolean, signal: AbortSignal): Promise<void> {
    const { state } = this.#deps;
    for (const entry of [...state.sent.values()]) {
      if (isOnChain(state, entry)) this.#lastSeen.set(entry.tx.txHash, secondsOf(this.#deps.clock));
      else if (entry.phase === 'failed') await this.#reviveIfWaiting(entry, inPool);
      else if (this.#lostItsInputs(entry)) await this.#fail(entry, 'its inputs were spent by another transaction');
      else if (isPending(state, entry)) await this.#follow(daemon, entry, inPool(entry.tx.txHash), signal);
    }
  }

  /**
   * A failure is a daemon's word: a transaction that is in the pool after all has not failed, and reserves its inputs again. So does one
   * that somebody else sent.
   */
  async #reviveIfWaiting(entry: SentEntry, inPool: (txHash: TxHash) => boolean): Promise<void> {
    const { tx } = entry;
    const { state, append, clock } = this.#deps;
    const isSuperseded =
      this.#lostItsInputs(entry) || tx.inputs.some((image) => (state.committed.get(image) ?? tx.txHash) !== tx.txHash);
    if (isSuperseded || !inPool(tx.txHash)) return;
    await append([{ type: 'TransactionAccepted', txHash: tx.txHash, at: secondsOf(clock) }], 'strict');
  }

  async #follow(daemon: SyncDaemon, entry: SentEntry, inPool: boolean, signal: AbortSignal): Promise<void> {
    const { txHash } = entry.tx;
    const now = secondsOf(this.#deps.clock);
    if (inPool) {
      this.#lastSeen.set(txHash, now);
      if (entry.phase === 'sending') await this.#deps.append([{ type: 'TransactionAccepted', txHash, at: now }], 'strict');
      return;
    }
    const missing = now - (this.#lastSeen.get(txHash) ?? entry.at);
    const sinceTry = now - (this.#lastTry.get(txHash) ?? 0);
    if (missing >= REBROADCAST_AFTER && sinceTry >= REBROADCAST_AFTER) await this.#resend(daemon, entry, now, missing, signal);
  }

  async #resend(daemon: SyncDaemon, entry: SentEntry, now: number, missing: number, signal: AbortSignal): Promise<void> {
    const { txHash, blob } = entry.tx;
    this.#lastTry.set(txHash, now);
    const answer = (await daemon.sendRawTransaction(blob, { signal })).acceptUnverified('send-answer');
    if (answer.accepted) {
      this.#lastSeen.set(txHash, now);
      await this.#deps.append([{ type: 'TransactionAccepted', txHash, at: now }], 'strict');
    } else if (missing >= FAILED_AFTER) {
      await this.#fail(entry, answer.reasons.join(', ') || 'the daemon refused it');
    }
  }

  /** Whether another mined transaction spent one of its inputs. */
  #lostItsInputs(entry: SentEntry): boolean {
    const { state } = this.#deps;
    return entry.tx.inputs.some((image) => {
      const spend = spendOf(state, image);
      return spend !== undefined && spend.txHash !== entry.tx.txHash;
    });
  }

  async #fail({ tx }: SentEntry, reason: string): Promise<void> {
    const event: WalletEvent = { type: 'TransactionFailed', txHash: tx.txHash, reason, at: secondsOf(this.#deps.clock) };
    await this.#deps.append([event], 'strict');
  }
}
