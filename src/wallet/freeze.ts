import type { OutputKey } from '../protocol/index.ts';
import { WalletError } from './errors.ts';
import type { WalletEvent } from './state/events.ts';
import type { WalletState } from './state/state.ts';

/**
 * The events that freeze or thaw outputs; none for outputs that are in that state already.
 * @throws WalletError `not-found` when one of the keys is no output of this wallet
 */
export function freezeEvents({ outputs, frozen }: WalletState, keys: readonly string[], freeze: boolean): WalletEvent[] {
  const known = keys.filter((key): key is OutputKey => outputs.has(key as OutputKey));
  if (known.length < keys.length) throw new WalletError('not-found', 'expected outputs of this wallet');
  const type = freeze ? 'Frozen' : 'Thawed';
  return known.filter((key) => frozen.has(key) !== freeze).map((key) => ({ type, key }));
}

/** The event that names an output; an empty name takes its name away. @throws WalletError `not-found` when the key is no output of this wallet */
export function nameEvent({ outputs }: WalletState, key: string, name: string): WalletEvent {
  if (!outputs.has(key as OutputKey)) throw new WalletError('not-found', 'expected an output of this wallet');
  return { type: 'OutputNamed', key: key as OutputKey, name };
}
