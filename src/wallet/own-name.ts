import type { WalletEvent } from './state/events.ts';
import type { WalletState } from './state/state.ts';

const OWN_NAME = 'own-name';

/** The event by which a wallet keeps its name, sealed with everything else. */
export const nameKept = (name: string): WalletEvent => ({ type: 'AttributeSet', key: OWN_NAME, value: name });

/** The name that a wallet keeps of itself, whatever it lies under; undefined where it keeps none. */
export const keptName = ({ attributes }: Pick<WalletState, 'attributes'>): string | undefined =>
  attributes.get(OWN_NAME) || undefined;
