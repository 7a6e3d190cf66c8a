import { WalletError } from './errors.ts';
import type { Lookahead, SubaddressIndex } from './model.ts';
import type { Durability } from './ports.ts';
import type { WalletEvent } from './state/events.ts';

/** The default lookahead (wallet2.h, SUBADDRESS_LOOKAHEAD_MAJOR and _MINOR). */
export const DEFAULT_LOOKAHEAD: Lookahead = { major: 50, minor: 200 };

/** Largest number of addresses that a lookahead may span. Each takes memory, and every scan looks for all of them. */
export const MAX_WATCHED_ADDRESSES = 2_000_000;

/** Label of accounts that were found only because they were paid, as in the reference. */
const UNTITLED_ACCOUNT_LABEL = 'Untitled account';

const MAX_SUBADDRESS = 0xffff_ffff;

/** A wallet's accounts, each with one label for every address made or used, and the lookahead beyond them. */
export interface WatchedAccounts {
  readonly accounts: readonly { readonly labels: readonly string[] }[];
  readonly lookahead: Lookahead;
}

/** Number of accounts to watch, counted with the lookahead beyond the last used one (wallet2.cpp, expand_subaddresses). */
export function majorsAhead({ accounts, lookahead }: WatchedAccounts): number {
  return Math.min(accounts.length - 1 + lookahead.major, 2 ** 32);
}

/** Number of subaddresses of an account to watch, counted with the lookahead beyond the last used one. */
export function minorsAhead(watch: WatchedAccounts, major: number): number {
  const made = watch.accounts[major]?.labels.length ?? 1;
  return Math.min(made - 1 + minorsBearable(watch), 2 ** 32);
}

/** Addresses to watch in each account. Fewer than the lookahead when a file names so many accounts that all of them would not fit in memory. */
function minorsBearable({ accounts: { length }, lookahead: { minor } }: WatchedAccounts): number {
  const bearable = Math.max(1, Math.floor(MAX_WATCHED_ADDRESSES / length));
  return bearable < DEFAULT_LOOKAHEAD.minor ? Math.min(minor, bearable) : minor;
}

/** Whether the reference would recognise an output to this subaddress now. */
export function isWithin(watch: WatchedAccounts, index: SubaddressIndex): boolean {
  return index.major < majorsAhead(watch) && index.minor < minorsAhead(watch, index.major);
}

/** Number of watched addresses. */
const watchedIn = ({ accounts, lookahead }: WatchedAccounts): number =>
  accounts.reduce((sum, { labels }) => sum + labels.length - 1 + lookahead.minor, lookahead.major * lookahead.minor);

/**
 * Grows accounts by payments that a file claims, which cost its maker nothing: only as far as a wallet can watch. Addresses beyond that are
 * known one by one, as the file lists them.
 */
export function growImportedAccounts(
  accounts: { labels: string[] }[],
  lookahead: Lookahead,
  indices: readonly SubaddressIndex[],
): void {
  // Most that one of them adds: accounts, and addresses in the last of them.
  const most = (lookahead.major + 1) * lookahead.minor;
  let watched = watchedIn({ accounts, lookahead });
  for (const index of indices) {
    if (watched + most > MAX_WATCHED_ADDRESSES) return;
    const before = accounts.length + (accounts[index.major]?.labels.length ?? 0);
    growAccounts(accounts, lookahead, index);
    if (before !== accounts.length + (accounts[index.major]?.labels.length ?? 0)) watched = watchedIn({ accounts, lookahead });
  }
}

/** Grows accounts as the reference's `expand_subaddresses` does, within the lookahead of `should_expand`. */
export function growAccounts(accounts: { labels: string[] }[], lookahead: Lookahead, index: SubaddressIndex): void {
  if (index.major > clamp(accounts.length + lookahead.major - 1)) return;
  const made = accounts[index.major]?.labels.length ?? 0;
  if (made > 0 && index.minor > clamp(made + lookahead.minor - 1)) return;
  while (accounts.length <= index.major) accounts.push({ labels: [UNTITLED_ACCOUNT_LABEL] });
  const { labels } = accounts[index.major]!;
  while (labels.length <= index.minor) labels.push('');
}

const clamp = (value: number): number => Math.min(value, MAX_SUBADDRESS);

/** The larger of two lookaheads in both directions: a wallet never stops watching an address. */
export const widened = (a: Lookahead, b: Lookahead): Lookahead => ({
  major: Math.max(a.major, b.major),
  minor: Math.max(a.minor, b.minor),
});

/** The largest lookahead from a stranger's file that a wallet with this many accounts can afford, never less than the default. */
export function bearableLookahead({ major, minor }: Lookahead, accounts: number): Lookahead {
  const mostMinor = Math.floor(MAX_WATCHED_ADDRESSES / (accounts + DEFAULT_LOOKAHEAD.major));
  const bearable = Math.max(DEFAULT_LOOKAHEAD.minor, Math.min(minor, mostMinor));
  const mostMajor = Math.floor(MAX_WATCHED_ADDRESSES / bearable) - accounts;
  return { major: Math.max(DEFAULT_LOOKAHEAD.major, Math.min(major, mostMajor)), minor: bearable };
}

/**
 * Watches this many accounts, and addresses in each, beyond the last one made or used; addresses watched before stay watched. Blocks
 * already scanned are not scanned again.
 * @throws WalletError `lookahead-out-of-range` for more than a wallet can watch, or nothing
 */
export async function setLookahead({ state, append, ready }: Watching, lookahead: Lookahead): Promise<void> {
  const { major, minor } = widened(state.lookahead, lookahead);
  if (lookahead.major < 1 || lookahead.minor < 1 || (state.accounts.length + major) * minor > MAX_WATCHED_ADDRESSES) {
    const data = { most: MAX_WATCHED_ADDRESSES };
    throw new WalletError(
      'lookahead-out-of-range',
      `expected a lookahead of 1 to ${MAX_WATCHED_ADDRESSES} addresses in all`,
      data,
    );
  }
  await append([{ type: 'LookaheadSet', lookahead }], 'strict');
  // Scans wait for the keys; the caller does not have to.
  void ready().catch(() => undefined);
}

/** The parts of an open wallet that it uses. */
interface Watching {
  readonly state: WatchedAccounts;
  append(events: readonly WalletEvent[], durability: Durability): Promise<void>;
  ready(): Promise<void>;
}
