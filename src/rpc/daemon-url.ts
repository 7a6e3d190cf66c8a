import type { DaemonTls } from './host.ts';

/**
 * A daemon's address as a URL. `https:` where TLS is demanded, whatever the address says: who names certificates demands it too.
 * Without a scheme it is plain HTTP, or what is detected.
 */
export function daemonUrl(address: string, tls: DaemonTls): string {
  const [, scheme, rest] = /^(https?):\/\/(.*)$/i.exec(address) ?? ['', '', address];
  return `${isDemanded(tls) ? 'https' : scheme!.toLowerCase() || 'http'}://${rest}`;
}

function isDemanded({ mode, fingerprints, authoritiesFile, anyCertificate }: DaemonTls): boolean {
  const named = fingerprints.length > 0 || authoritiesFile !== '';
  return mode === 'enabled' || (mode === 'autodetect' && named && !anyCertificate);
}
