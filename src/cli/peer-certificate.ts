import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { TLSSocket } from 'node:tls';

/** How the certificate of the other side is checked. */
export interface PeerCheck {
  /** Hex of SHA-256 or SHA-1 fingerprints that are accepted without further checks, with or without colons. */
  readonly fingerprints: readonly string[];
  /** PEM file of authorities, in place of the system's; empty for none. */
  readonly authoritiesFile: string;
  /** Whether intermediate authorities are allowed between the certificate and those of the file. */
  readonly chained: boolean;
}

/** Whether the flags replace the system's certificate authorities. */
export const overridesSystemCheck = ({ fingerprints, authoritiesFile }: PeerCheck): boolean =>
  fingerprints.length > 0 || authoritiesFile !== '';

/**
 * Authorities for TLS: ours replace the system's, and a list of fingerprints alone trusts no authority at all.
 * @throws Error when the file cannot be read
 */
export function authoritiesOf(check: PeerCheck): Buffer | never[] | undefined {
  if (check.authoritiesFile !== '') return readFileSync(check.authoritiesFile);
  return check.fingerprints.length > 0 ? [] : undefined;
}

/** Whether the peer of a finished handshake passes the check. */
export function isPeerAccepted(socket: TLSSocket, check: PeerCheck): boolean {
  if (isPinned(socket, check.fingerprints)) return true;
  return socket.authorized && (check.authoritiesFile === '' || check.chained || isIssuedDirectly(socket));
}

function isPinned(socket: TLSSocket, fingerprints: readonly string[]): boolean {
  const { raw } = socket.getPeerCertificate();
  if (raw === undefined) return false;
  const pinned = new Set(fingerprints.map((text) => text.replaceAll(':', '').toLowerCase()));
  return ['sha256', 'sha1'].some((hash) => pinned.has(createHash(hash).update(raw).digest('hex')));
}

/** Issued by a root authority, or self-signed. */
function isIssuedDirectly(socket: TLSSocket): boolean {
  const { issuerCertificate: issuer } = socket.getPeerCertificate(true);
  return issuer?.issuerCertificate === undefined || issuer.issuerCertificate === issuer;
}
