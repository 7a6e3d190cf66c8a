import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { selfSignedCertificate } from '../certificate.ts';
import { CliError } from '../errors.ts';
import type { ServiceTls } from '../service-tls.ts';

/**
 * TLS with a certificate that is the same at every start, if none was given: `rpc_ssl.key` and `rpc_ssl.crt` in the folder, which are
 * created once (core_rpc_server.cpp, init).
 * @param folder of the chain, which exists; undefined if in memory
 * @throws CliError when one of the two files is missing
 */
export function withPersistentCertificate(tls: ServiceTls, folder: string | undefined): ServiceTls {
  if (folder === undefined || tls.mode === 'disabled' || tls.certificateFile !== '') return tls;
  const path = join(folder, 'rpc_ssl');
  const [keyFile, certificateFile] = [`${path}.key`, `${path}.crt`];
  if (existsSync(keyFile) !== existsSync(certificateFile))
    throw new CliError(`Certificate (.crt) and private key (.key) files must both exist or both not exist at path: ${path}`);
  if (!existsSync(keyFile)) {
    const { key, cert } = selfSignedCertificate(Date.now(), 'monerod');
    writeFileSync(keyFile, key, { mode: 0o400 });
    writeFileSync(certificateFile, cert, { mode: 0o444 });
  }
  return { ...tls, keyFile, certificateFile };
}
