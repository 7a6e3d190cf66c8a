import type { Height, KeyImage } from '../../protocol/index.ts';
import { requireKnownAddresses } from '../addresses-unknown.ts';
import { WalletError } from '../errors.ts';
import type { MultisigAccount } from '../multisig/account.ts';
import type { EventOf, WalletEvent } from './events.ts';
import { entryOfImage, type WalletState } from './state.ts';

/** The parts of the state that new events are checked against. */
type Known = Pick<WalletState, 'attributes' | 'description' | 'multisig' | 'height' | 'outputs' | 'keyImages' | 'byKeyImage'>;

/** A run of scanned blocks, with our transactions in them. */
export type Synced = EventOf<'Synced'>;

/**
 * Checks events against the state before they are journalled: a journal must always be readable, and no address is given out twice.
 * @throws WalletError `bad-event`, `addresses-unknown`
 */
export function requireValidEvents(state: Known, events: readonly WalletEvent[]): void {
  requireKnownAddresses(state, events);
  let { height } = state;
  let rewound = height;
  const brought = new Set<KeyImage>();
  for (const event of events) {
    if (event.type === 'Synced') {
      requireNextHeight(event, height);
      requireKnown(state, event, rewound, brought);
      height = event.to + 1;
    } else if (event.type === 'Rewound') {
      requireScannedHeight(event.height, height);
      height = event.height;
      rewound = Math.min(rewound, height);
    } else if (event.type === 'MultisigRound') {
      requireNextRound(state.multisig, event.account.roundsComplete);
    } else if (event.type === 'RestoreHeightSet') {
      if (height !== state.description.restoreHeight) requireScannedHeight(event.height, height);
      height = event.height;
    }
  }
}

/** Rounds must follow each other. */
function requireNextRound(account: MultisigAccount | undefined, round: number): void {
  if (account !== undefined && round !== account.roundsComplete + 1)
    throw new WalletError('bad-event', 'expected the next round of the key exchange', { round });
}

/** Requires that a run of blocks begins at the next height and does not end before it begins. @throws WalletError `bad-event` */
export function requireNextHeight(event: Synced, height: Height): void {
  if (event.from !== height || event.to < event.from)
    throw new WalletError('bad-event', 'expected a synced run that starts at the next block', { from: event.from, height });
}

/**
 * Requires spends to be of outputs that this run brings, that earlier runs brought, or that the state has below a height.
 * @param brought the outputs of this run are added
 * @throws WalletError `bad-event`
 */
export function requireKnown(state: Known, { outputs, spends }: Synced, below: Height, brought: Set<KeyImage>): void {
  for (const { key, keyImage } of outputs) {
    const image = keyImage ?? state.outputs.get(key)?.output.keyImage ?? state.keyImages.get(key);
    if (image !== undefined) brought.add(image);
  }
  for (const { keyImage } of spends) {
    if (brought.has(keyImage) || entryOfImage(state, keyImage)?.copies.some((copy) => copy.height < below)) continue;
    throw new WalletError('bad-event', 'expected a spend of an output this wallet knows', { keyImage });
  }
}

/** Requires a height that was reached. @throws WalletError `bad-event` */
export function requireScannedHeight(height: Height, reached: Height): void {
  if (height > reached || height < 0)
    throw new WalletError('bad-event', 'expected a height already reached', { height, reached });
}
