import type { TxHash } from '../protocol/index.ts';
import type { WalletContext } from './context.ts';
import type { WalletEvent } from './state/events.ts';

/** The person's notes on transactions. */
export class Notes {
  readonly #ctx: Pick<WalletContext, 'state' | 'append'>;

  constructor(ctx: Pick<WalletContext, 'state' | 'append'>) {
    this.#ctx = ctx;
  }

  /** The note on a transaction, 64 hex digits; empty if there is none. */
  of(txHash: string): string {
    return this.#ctx.state.notes.get(txHash as TxHash) ?? '';
  }

  /** Writes several notes, all or none. */
  async write(notes: readonly { readonly txHash: string; readonly note: string }[]): Promise<void> {
    const events = notes.map(({ txHash, note }): WalletEvent => ({ type: 'Noted', txHash: txHash as TxHash, note }));
    await this.#ctx.append(events, 'strict');
  }
}
