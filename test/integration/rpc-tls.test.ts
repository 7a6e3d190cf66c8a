import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFlags } from '../../src/cli/flags.ts';
import { startService } from '../../src/cli/wallet-rpc/command.ts';
import { FLAGS, readSettings } from '../../src/cli/wallet-rpc/flags.ts';
import { type CertificateFiles, certificateFiles, fingerprintOf, fixture, fixtureClient } from '../support/certificates.ts';
import { certificateOf, startSecureWalletRpc, statusesOf } from '../support/secure-programs.ts';

let folder: string;
let server: CertificateFiles;
let friend: CertificateFiles;
let stranger: CertificateFiles;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-rpc-tls-'));
  server = certificateFiles(folder, 'server');
  friend = certificateFiles(folder, 'friend');
  stranger = certificateFiles(folder, 'stranger');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Service {
  readonly port: number;
  stop(): Promise<void>;
}

const ours = (flags: readonly string[]): Promise<Service> => {
  const base = ['--rpc-bind-port', '0', '--offline', '--disable-rpc-login', '--wallet-dir', join(folder, 'wallets')];
  return startService(readSettings(readFlags('wallet-rpc', FLAGS, [...base, ...flags])));
};
const theirs = (flags: readonly string[]): Promise<Service> =>
  startSecureWalletRpc(['--offline', '--wallet-dir', '{folder}/wallets', ...flags]);

/** How every kind of client fares. */
async function verdicts(start: (flags: readonly string[]) => Promise<Service>, flags: readonly string[]) {
  const service = await start(flags);
  try {
    const [direct, chained] = [fixtureClient('direct'), fixtureClient('chained')];
    return await statusesOf(service.port, { friend, stranger, direct, chained });
  } finally {
    await service.stop();
  }
}

const all = (plain: unknown, tls: unknown) => ({ plain, nobody: tls, friend: tls, stranger: tls, direct: tls, chained: tls });
const none = all('refused', 'refused');

describe('TLS of the service lets in whom monero-wallet-rpc lets in', () => {
  it.each([
    ['no flag', () => [], all(200, 200)],
    ['enabled', () => ['--rpc-ssl', 'enabled'], all('refused', 200)],
    ['disabled', () => ['--rpc-ssl', 'disabled'], all(200, 'refused')],
    ['a fingerprint', () => ['--rpc-ssl-allowed-fingerprints', friend.fingerprint], { ...none, friend: 200 }],
    ['a certificate to trust', () => ['--rpc-ssl-ca-certificates', friend.certificateFile], { ...none, friend: 200 }],
    ['an authority', () => ['--rpc-ssl-ca-certificates', fixture('root.crt')], { ...none, direct: 200 }],
    [
      'an authority and those below it',
      () => ['--rpc-ssl-ca-certificates', fixture('root.crt'), '--rpc-ssl-allow-chained'],
      { ...none, direct: 200, chained: 200 },
    ],
  ])('%s', async (_what, flags, expected) => {
    expect(await verdicts(theirs, flags())).toEqual(expected);
    expect(await verdicts(ours, flags())).toEqual(expected);
  });

  it('and shows the certificate that it was given', async () => {
    const flags = ['--rpc-ssl-private-key', server.keyFile, '--rpc-ssl-certificate', server.certificateFile];
    for (const start of [theirs, ours]) {
      const service = await start(flags);
      expect(fingerprintOf(await certificateOf(service.port))).toBe(server.fingerprint);
      await service.stop();
    }
  });
});
