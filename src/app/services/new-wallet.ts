import type { SiteConfig, WalletForm } from '../../../workers/client.ts';
import type { Network } from '../../protocol/model.ts';

/** Form of a new wallet, with the site's daemon; the settings can change that later. */
export function newWallet(name: string, password: string, network: Network, site: SiteConfig | undefined): WalletForm {
  return {
    name: name.trim(),
    password,
    network,
    daemon: site?.daemon && { url: site.daemon.url, trusted: site.daemon.kind === 'devnet' },
  };
}

/** Spaces, line ends, other control characters, and those that are not allowed in file names on every system. */
const BREAKS = /[\s\p{Cc}/\\:*?"<>|]+/gu;

/**
 * A wallet name that the store accepts, from a text that somebody else wrote: one line, without invisible characters or ones that change
 * the text direction. Empty if nothing is left.
 * @param most number of characters
 */
export const nameFrom = (text: string, most: number): string =>
  text
    .normalize('NFC')
    .replace(BREAKS, ' ')
    .replace(/\p{C}/gu, '')
    .replace(/^[\p{Z}.-]+/u, '')
    .slice(0, most)
    // Also removes half of a character that was cut.
    .replace(/[\p{Cs}\p{Z}.]+$/u, '');

/** The base name, with a number appended if it is taken. */
export function unusedName(base: string, taken: readonly string[]): string {
  const names = new Set(taken);
  if (!names.has(base)) return base;
  let number = 2;
  while (names.has(`${base} ${number}`)) number += 1;
  return `${base} ${number}`;
}

/** Whether a name looks the same as one of these: surrounding spaces and Unicode normalization are ignored. */
export const isNameTaken = (name: string, taken: readonly string[]): boolean =>
  taken.some((one) => one.trim().normalize() === name.trim().normalize());
