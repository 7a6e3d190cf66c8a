import type { WalletEvent } from '../../wallet/state/events.ts';
import type { WalletSecrets } from '../../wallet/wallet-secrets.ts';
import { DecodeError, decodeValue } from './decode.ts';
import { encodeValue } from './encode.ts';
import type { Value } from './tags.ts';

/** A record: the events of one append, in order. */
export function encodeEvents(events: readonly WalletEvent[]): Uint8Array<ArrayBuffer> {
  return encodeValue(events as readonly unknown[] as readonly Value[]);
}

/** @throws DecodeError unless the record is a list of events. The contents of events are checked by their readers. */
export function decodeEvents(bytes: Uint8Array): WalletEvent[] {
  const value = decodeValue(bytes);
  if (!Array.isArray(value)) throw new DecodeError('expected a list of events');
  for (const event of value as readonly Value[]) {
    if (typeof asFields(event).type !== 'string') throw new DecodeError('expected an event');
  }
  return value as unknown[] as WalletEvent[];
}

/** The plain bytes that the header seals (docs/storage.md). The caller wipes them. */
export function encodeSecrets(secrets: WalletSecrets): Uint8Array<ArrayBuffer> {
  const { spendKey, viewKey, seedLanguage, polyseed, myMoneroSeed } = secrets;
  return encodeValue({ spendKey, viewKey, seedLanguage, ...(polyseed && { polyseed }), ...(myMoneroSeed && { myMoneroSeed }) });
}

/** @throws DecodeError */
export function decodeSecrets(bytes: Uint8Array): WalletSecrets {
  const { spendKey, viewKey, seedLanguage, polyseed, myMoneroSeed } = asFields(decodeValue(bytes));
  if (typeof seedLanguage !== 'string') throw new DecodeError('expected a seed language');
  return {
    spendKey: spendKey === undefined ? undefined : asBytes(spendKey, 32),
    viewKey: asBytes(viewKey, 32),
    seedLanguage,
    ...(polyseed !== undefined && { polyseed: asBytes(polyseed, 32) }),
    ...(myMoneroSeed !== undefined && { myMoneroSeed: asBytes(myMoneroSeed, 16) }),
  };
}

function asBytes(value: Value | undefined, length: number): Uint8Array {
  if (value instanceof Uint8Array && value.length === length) return value;
  throw new DecodeError(`expected a secret of ${length} bytes`);
}

function asFields(value: Value): { readonly [name: string]: Value } {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)) {
    return value as { readonly [name: string]: Value };
  }
  throw new DecodeError('expected an object');
}
