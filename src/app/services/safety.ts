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

type Kind = Pick<WalletView, 'kind' | 'group'>;

/** Title and text of a page for a wallet that lacks some of what the page offers. */
function different({ kind, group }: Kind, path: SafetyPagePath): Partial<Place> {
  if (path === 'backup' && group) return { title: m.safety_backup, text: () => named(m.group_seed_title, m.safety_storage) };
  if (path === 'backup' && kind !== 'full') return { title: m.safety_backup, text: m.safety_storage };
  if (path === 'lock' && kind === 'view') return { title: m.lock_after, text: m.lock_on_hide };
  if (path === 'programs' && kind === 'device') return { text: m.ledger_other_programs };
  return path === 'programs' && kind !== 'full' ? { text: m.keys_file_title } : {};
}

/** Pages of a wallet. They do not promise recovery words, a view key to share or spending to wallets without them. */
export const safetyPages = (wallet: Kind): readonly Place[] =>
  PLACES.map((place) => ({ ...place, ...different(wallet, place.path) }));

/** The page of a route segment; undefined for the list of pages. */
export const safetyPage = (wallet: Kind, segment: string | undefined): Place | undefined =>
  safetyPages(wallet).find(({ path }) => path === segment);
