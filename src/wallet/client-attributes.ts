import type { WalletContext } from './context.ts';
import type { WalletEvent } from './state/events.ts';

/** Prefix that separates clients' attributes from the wallet's own. */
export const CLIENTS = 'rpc:';

/** The event that stores a text under a key, as clients of the service do. */
export const clientAttribute = (key: string, value: string): WalletEvent => ({ type: 'AttributeSet', key: CLIENTS + key, value });

/** Texts that a program stores in the wallet, under keys of its own. */
export class Attributes {
  readonly #ctx: Pick<WalletContext, 'state' | 'append'>;

  constructor(ctx: Pick<WalletContext, 'state' | 'append'>) {
    this.#ctx = ctx;
  }

  /** The text under a key; undefined if none was stored. */
  get(key: string): string | undefined {
    return this.#ctx.state.attributes.get(CLIENTS + key);
  }

  /** Stores a text under a key, replacing an earlier one; resolves once it is on the disk. An empty text is stored, too. */
  set(key: string, value: string): Promise<void> {
    return this.#ctx.append([clientAttribute(key, value)], 'strict');
  }
}
