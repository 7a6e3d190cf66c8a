import type { Height } from '../protocol/model.ts';
import { WalletError } from './errors.ts';
import type { WalletEvent } from './events.ts';
import { requireKnownAddresses } from './given-addresses.ts';
import type { WalletState } from './state.ts';

type Synced = Extract<WalletEvent, { type: 'Synced' }>;

/**
 * Checks, before they are journalled, that events follow from the state: what is once in a journal must fold, and give out nothing twice.
 * @throws WalletError `bad-event`, `addresses-unknown`
 */
export function requireFollows(state: WalletState, events: readonly WalletEvent[]): void {
  requireKnownAddresses(state, events);
  let { height } = state;
  for (const event of events) {
    if (event.type === 'Synced') {
      requireNext(event, height);
      height = event.to + 1;
    } else if (event.type === 'Rewound') {
      requireReached(event.height, height);
      height = event.height;
    } else if (event.type === 'RestoreHeightSet') {
      if (height !== state.description.restoreHeight) requireReached(event.height, height);
      height = event.height;
    }
  }
}

function requireNext(event: Synced, height: Height): void {
  if (event.from !== height || event.to < event.from)
    throw new WalletError('bad-event', 'expected a synced run that starts at the next block', { from: event.from, height });
}

export function requireReached(height: Height, reached: Height): void {
  if (height > reached || height < 0)
    throw new WalletError('bad-event', 'expected a height already reached', { height, reached });
}
