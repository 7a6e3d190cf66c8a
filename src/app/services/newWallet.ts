import type { SiteConfig, WalletForm } from '../../../workers/client.ts';
import type { Network } from '../../protocol/model.ts';
import type { DaemonSettings } from '../../wallet/index.ts';

/** The gateway of this origin: what a page talks to when nothing else was said. */
const GATEWAY: DaemonSettings = { url: '/daemon', trusted: false };

/** A new wallet starts on the site's network and daemon; the settings change the daemon later. */
export function newWallet(name: string, password: string, network: Network, site: SiteConfig | undefined): WalletForm {
  return {
    name: name.trim(),
    password,
    network,
    daemon: site?.daemon ? { url: site.daemon.url, trusted: site.daemon.kind === 'devnet' } : GATEWAY,
  };
}

/** A name that no wallet here has yet. */
export function freshName(base: string, taken: readonly string[]): string {
  const names = new Set(taken);
  if (!names.has(base)) return base;
  let number = 2;
  while (names.has(`${base} ${number}`)) number += 1;
  return `${base} ${number}`;
}

/** Whether a name is one of these to the eye: spaces around it and the way its accents are typed do not count. */
export const nameTaken = (name: string, taken: readonly string[]): boolean =>
  taken.some((one) => one.trim().normalize() === name.trim().normalize());
