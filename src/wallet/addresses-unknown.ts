import { WalletError } from './errors.ts';
import type { WalletEvent } from './state/events.ts';

/**
 * Attribute of a wallet whose addresses were given out by another program, with no file that lists them; its value says why. Until the
 * chain is scanned to its tip, any new address may be one that somebody already pays; after that, at least those that were paid are known,
 * and the value is empty.
 */
const GIVEN_ADDRESSES = 'given-addresses';

/** A wallet's own settings, by name. */
export interface Attributes {
  readonly attributes: ReadonlyMap<string, string>;
}

/** Why the cache file does not say which addresses were given out. */
export type UnknownAddresses = 'missing' | 'damaged' | 'too-old' | 'other-wallet';

/** The event that stores why the number of addresses given out is unknown. */
export const addressesUnknown = (why: UnknownAddresses): WalletEvent => ({
  type: 'AttributeSet',
  key: GIVEN_ADDRESSES,
  value: why,
});

/** The events after a scan reached the tip: the addresses that were paid are known again. */
export function addressesKnownAgain({ attributes }: Attributes): WalletEvent[] {
  return (attributes.get(GIVEN_ADDRESSES) ?? '') === '' ? [] : [{ type: 'AttributeSet', key: GIVEN_ADDRESSES, value: '' }];
}

/** @throws WalletError `addresses-unknown` when events give out an address of a wallet that may have given it out before */
export function requireKnownAddresses({ attributes }: Attributes, events: readonly WalletEvent[]): void {
  const why = attributes.get(GIVEN_ADDRESSES) ?? '';
  if (why === '' || !events.some(({ type }) => type === 'SubaddressAdded' || type === 'AccountAdded')) return;
  throw new WalletError(
    'addresses-unknown',
    `expected to know the addresses given out: the wallet's cache file is ${WORDS[why as UnknownAddresses] ?? why}. ` +
      'New ones are given out once the chain is scanned to its tip.',
    { why },
  );
}

const WORDS: Readonly<Record<UnknownAddresses, string>> = {
  missing: 'missing',
  damaged: 'damaged',
  'too-old': 'of a release before 0.18',
  'other-wallet': "another wallet's",
};
