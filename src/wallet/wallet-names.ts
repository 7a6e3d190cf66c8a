import type { WalletEvent } from './state/events.ts';
import type { WalletState } from './state/state.ts';

const OWN_NAME = 'own-name';
const CALLED = 'called';

/** The event by which a wallet keeps its name, sealed with everything else. */
export const walletNameSet = (name: string): WalletEvent => ({ type: 'AttributeSet', key: OWN_NAME, value: name });

const keptName = ({ attributes }: Pick<WalletState, 'attributes'>): string | undefined => attributes.get(OWN_NAME) || undefined;

/** The event by which a wallet keeps what a person calls it, beside the name that it lies under. @param name empty: as it lies */
export const displayNameSet = (name: string): WalletEvent => ({ type: 'AttributeSet', key: CALLED, value: name });

const calledName = ({ attributes }: Pick<WalletState, 'attributes'>): string | undefined => attributes.get(CALLED) || undefined;

/** A wallet's names as it keeps them of itself, sealed. */
export interface WalletNames {
  /** What it was made or restored under; undefined where it keeps none, or cannot be read. */
  readonly kept: string | undefined;
  /** What a person calls it since; undefined for the same. */
  readonly called: string | undefined;
}

export const walletNamesOf = (state: Pick<WalletState, 'attributes'>): WalletNames => ({
  kept: keptName(state),
  called: calledName(state),
});
