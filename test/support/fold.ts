import type { WalletEvent } from '../../src/wallet/state/events.ts';
import { applyEvent, firstState } from '../../src/wallet/state/fold.ts';
import type { WalletState } from '../../src/wallet/state/state.ts';

/** The state that results from events, the first of which is `Created`. */
export function foldEvents(events: Iterable<WalletEvent>): WalletState {
  const [first, ...others] = events;
  const state = firstState(first!);
  for (const event of others) applyEvent(state, event);
  return state;
}
