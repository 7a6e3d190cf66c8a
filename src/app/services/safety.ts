import type { WalletView } from '../../wallet/index.ts';
import { writeFacts } from '../language/formats.ts';
import { m } from '../language/messages.ts';

/** Pages of the settings section Safety. */
export type SafetyPagePath = 'backup' | 'unlock' | 'lock' | 'programs';

interface Place {
  readonly path: SafetyPagePath;
  readonly title: () => string;
  readonly text: () => string;
}

const PLACES: readonly Place[] = [
  { path: 'backup', title: m.safety_keep, text: () => named(m.safety_backup, m.safety_seed, m.safety_storage) },
  { path: 'unlock', title: m.safety_unlock, text: () => named(m.safety_password, m.passkey_title, m.pin) },
  { path: 'lock', title: m.safety_guard, text: () => named(m.lock_after, m.ask_above) },
  { path: 'programs', title: m.safety_keys, text: () => named(m.keys_file_title, m.view_key_title) },
];

const named = (...names: (() => string)[]): string => writeFacts(...names.map((name) => name()));

/** @param kind of the wallet: a Ledger's keys cannot be exported */
export const safetyPages = (kind: WalletView['kind']): readonly Place[] =>
  PLACES.map((place) => (place.path === 'programs' && kind === 'device' ? { ...place, text: m.ledger_other_programs } : place));

/** The page of a route segment; undefined for the list of pages. */
export const safetyPage = (segment: string | undefined): Place | undefined => PLACES.find(({ path }) => path === segment);
