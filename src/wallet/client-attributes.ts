import type { WalletContext } from './context.ts';
import type { WalletEvent } from './state/events.ts';

/** Attributes of clients stand apart from those that the wallet keeps for itself. */
export const CLIENTS = 'rpc:';

/** The event that keeps a text under a key, as clients of the service do. */
export const clientAttribute = (key: string, value: string): WalletEvent => ({ type: 'AttributeSet', key: CLIENTS + key, value });

/** Texts that a program keeps in the wallet, by keys of its own. */
export class Attributes {
  readonly #ctx: Pick<WalletContext, 'state' | 'append'>;

  constructor(ctx: Pick<WalletContext, 'state' | 'append'>) {
    this.#ctx = ctx;
  }

  /** The text under a key; undefined when none was kept there. */
  get(key: string): string | undefined {
    return this.#ctx.state.attributes.get(CLIENTS + key);
  }

  /** Keeps a text under a key, in place of what was there; resolves once it is on the disk. An empty text is kept as such. */
  set(key: string, value: string): Promise<void> {
    return this.#ctx.append([clientAttribute(key, value)], 'strict');
  }
}
