import type { WalletEvent } from './events.ts';
import type { WalletState } from './state.ts';

/** Attributes of clients stand apart from those that the wallet keeps for itself. */
export const CLIENTS = 'rpc:';

/** The event that keeps a text under a key, as clients of the service do. */
export const clientAttribute = (key: string, value: string): WalletEvent => ({ type: 'AttributeSet', key: CLIENTS + key, value });

/** What a client keeps under a key. */
export const clientAttributeOf = ({ attributes }: Pick<WalletState, 'attributes'>, key: string): string | undefined =>
  attributes.get(CLIENTS + key);
