import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { selfSignedCertificate } from '../../src/cli/certificate.ts';

/** A key and a certificate as files. */
export interface CertificateFiles {
  readonly keyFile: string;
  readonly certificateFile: string;
  readonly key: string;
  readonly cert: string;
  /** SHA-256 in hex, without colons. */
  readonly fingerprint: string;
}

/** @param name of the files, and of the owner: Node accepts a certificate for a host of that name */
export function certificateFiles(folder: string, name: string): CertificateFiles {
  const { key, cert } = selfSignedCertificate(Date.now(), name);
  const keyFile = join(folder, `${name}.key`);
  const certificateFile = join(folder, `${name}.crt`);
  writeFileSync(keyFile, key, { mode: 0o600 });
  writeFileSync(certificateFile, cert);
  return { keyFile, certificateFile, key, cert, fingerprint: fingerprintOf(cert) };
}

export const fingerprintOf = (cert: string | Buffer): string =>
  new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase();

/** The path of a file of `test/fixtures/certificates`. */
export const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/certificates/${name}`, import.meta.url));

/** Key and certificate of an owner there, as a client presents them. */
export const fixtureClient = (name: string): Pick<CertificateFiles, 'key' | 'cert'> => ({
  key: readFileSync(fixture(`${name}.key`), 'utf8'),
  cert: readFileSync(fixture(`${name}.crt`), 'utf8'),
});
