import { ACCOUNT_TAGS } from '../account-tags.ts';
import { CLIENTS } from '../client-attributes.ts';
import { WalletError } from '../errors.ts';
import type { WalletEvent } from '../state/events.ts';

/** Events that can be read from the chain or the daemon again. */
const TOLD_AGAIN: ReadonlySet<WalletEvent['type']> = new Set([
  ...(['Synced', 'Rewound', 'RestoreHeightSet', 'BlocksVerified', 'SpendsLearned', 'NetworkFound'] as const),
  ...(['TransactionAccepted', 'TransactionFailed'] as const),
]);
/** Attributes that people and their programs write; the others are the wallet's own. */
const WRITTEN = [CLIENTS, ACCOUNT_TAGS];

/**
 * A locked journal keeps events in memory only, where they may be lost. Rings, payments and the user's own data must not be (T3, T16).
 * @throws WalletError `view-only`
 */
export function requireRecoverable(events: readonly WalletEvent[]): void {
  if (events.every(isRegained)) return;
  throw new WalletError(
    'view-only',
    'expected a wallet that holds its spend key: without it nothing of this can be written down',
  );
}

const isRegained = (event: WalletEvent): boolean =>
  event.type === 'AttributeSet' ? !WRITTEN.some((name) => event.key.startsWith(name)) : TOLD_AGAIN.has(event.type);
