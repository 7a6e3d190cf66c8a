import type { SubaddressIndex } from './model.ts';
import type { WalletEvent } from './state/events.ts';
import { indexKey, type WalletState } from './state/state.ts';

/** How a list shows an address: before all others, not unless it is asked for, or as usual. It changes nothing else about the address. */
export type AddressDisplay = 'usual' | 'pinned' | 'hidden';

const keyOf = (index: SubaddressIndex): string => `address-display:${indexKey(index)}`;

/** The event that stores how a list shows an address. */
export const addressDisplaySet = (index: SubaddressIndex, display: AddressDisplay): WalletEvent => ({
  type: 'AttributeSet',
  key: keyOf(index),
  value: display === 'usual' ? '' : display,
});

/** What was stored for an address; `usual` if nothing was, or by a later version. */
export function addressDisplayOf({ attributes }: Pick<WalletState, 'attributes'>, index: SubaddressIndex): AddressDisplay {
  const stored = attributes.get(keyOf(index));
  return stored === 'pinned' || stored === 'hidden' ? stored : 'usual';
}
