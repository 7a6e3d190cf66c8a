import type { SiteConfig, WalletForm } from '../../../workers/client.ts';
import type { Network } from '../../protocol/model.ts';
import type { DaemonSettings } from '../../wallet/index.ts';

/** The gateway of this origin: the default daemon. */
const GATEWAY: DaemonSettings = { url: '/daemon', trusted: false };

/** Form of a new wallet, with the site's daemon; the settings can change that later. */
export function newWallet(name: string, password: string, network: Network, site: SiteConfig | undefined): WalletForm {
  return {
    name: name.trim(),
    password,
    network,
    daemon: site?.daemon ? { url: site.daemon.url, trusted: site.daemon.kind === 'devnet' } : GATEWAY,
  };
}

/** Spaces, line ends, other controls, and what no file name can have on every system. */
const BREAKS = /[\s\p{Cc}/\\:*?"<>|]+/gu;

/**
 * A wallet's name of a text that somebody else wrote, as the store takes it: one line, without characters that are not seen or that turn the text
 * around them. Empty where nothing is left.
 * @param most characters
 */
export const nameFrom = (text: string, most: number): string =>
  text
    .normalize('NFC')
    .replace(BREAKS, ' ')
    .replace(/\p{C}/gu, '')
    .replace(/^[\p{Z}.-]+/u, '')
    .slice(0, most)
    // Half of a character that was cut through, too.
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
