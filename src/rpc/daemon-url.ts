import type { DaemonTls } from './host.ts';

/**
 * A daemon's address as a URL. `https:` if TLS is required, whatever the address says: naming certificates requires it, too. Without a
 * scheme it is plain HTTP, or detected.
 */
export function daemonUrl(address: string, tls: DaemonTls): string {
  const [, scheme, rest] = /^(https?):\/\/(.*)$/i.exec(address) ?? ['', '', address];
  return `${isDemanded(tls) ? 'https' : scheme!.toLowerCase() || 'http'}://${rest}`;
}

function isDemanded({ mode, fingerprints, authoritiesFile, anyCertificate }: DaemonTls): boolean {
  const named = fingerprints.length > 0 || authoritiesFile !== '';
  return mode === 'enabled' || (mode === 'autodetect' && named && !anyCertificate);
}
