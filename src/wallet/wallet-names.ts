import type { WalletEvent } from './state/events.ts';
import type { WalletState } from './state/state.ts';

const OWN_NAME = 'own-name';
const DISPLAY_NAME = 'called';

/** The event that stores the name a wallet was made under. It is sealed with everything else. */
export const walletNameSet = (name: string): WalletEvent => ({ type: 'AttributeSet', key: OWN_NAME, value: name });

const originalName = ({ attributes }: Pick<WalletState, 'attributes'>): string | undefined =>
  attributes.get(OWN_NAME) || undefined;

/** The event that stores the name shown for a wallet. @param name empty to show the name it is stored under */
export const displayNameSet = (name: string): WalletEvent => ({ type: 'AttributeSet', key: DISPLAY_NAME, value: name });

const displayNameOf = ({ attributes }: Pick<WalletState, 'attributes'>): string | undefined =>
  attributes.get(DISPLAY_NAME) || undefined;

/** The names stored in a wallet's journal. */
export interface WalletNames {
  /** Name under which it was made or restored; undefined if the journal has none. */
  readonly original: string | undefined;
  /** Name that a person has given it later; undefined if it was not renamed. */
  readonly displayName: string | undefined;
}

export const walletNamesOf = (state: Pick<WalletState, 'attributes'>): WalletNames => ({
  original: originalName(state),
  displayName: displayNameOf(state),
});
