import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSignedCertificate } from '../../src/cli/certificate.ts';
import { readFlags } from '../../src/cli/flags.ts';
import { type RunningService, startService } from '../../src/cli/wallet-rpc/command.ts';
import { daemonFetch } from '../../src/cli/wallet-rpc/daemon-fetch.ts';
import { FLAGS, readSettings } from '../../src/cli/wallet-rpc/flags.ts';
import { DEFAULT_DAEMON_TLS } from '../../src/cli/wallet-rpc/host.ts';
import { DaemonClient } from '../../src/daemon/index.ts';
import { type CertificateFiles, certificateFiles } from '../support/certificates.ts';
import { send } from '../support/rpc-wire.ts';

const VERSION = '{"id":1,"method":"get_version"}';
let folder: string;
let server: CertificateFiles;
let friend: CertificateFiles;
let stranger: CertificateFiles;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-tls-'));
  server = certificateFiles(folder, 'server');
  friend = certificateFiles(folder, 'friend');
  stranger = certificateFiles(folder, 'stranger');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (...flags: string[]): Promise<RunningService> => {
  const base = ['--rpc-bind-port', '0', '--offline', '--disable-rpc-login', '--wallet-dir', join(folder, 'wallets')];
  return startService(readSettings(readFlags('wallet-rpc', FLAGS, [...base, ...flags])));
};

interface TlsReply {
  readonly status: number | undefined;
  /** Of the certificate shown, SHA-256. */
  readonly fingerprint: string;
}

/** One request over TLS, whoever answers. */
function sendSecure(port: number, client: Partial<CertificateFiles> = {}): Promise<TlsReply> {
  const { key, cert } = client;
  return new Promise((done, fail) => {
    const options = { host: '127.0.0.1', port, path: '/json_rpc', method: 'POST', agent: false, rejectUnauthorized: false };
    const sent = request({ ...options, ...(key === undefined ? {} : { key, cert }) }, (answer) => {
      const shown = (answer.socket as import('node:tls').TLSSocket).getPeerCertificate().fingerprint256;
      answer.resume();
      answer.on('end', () => done({ status: answer.statusCode, fingerprint: shown.replaceAll(':', '').toLowerCase() }));
    });
    sent.on('error', fail);
    sent.end(VERSION);
  });
}

const sendPlain = (port: number) => send(`http://127.0.0.1:${port}`, { body: VERSION }).then(({ status }) => status);

describe('a certificate of our own making', () => {
  it('is one that others read: its key, its signature, its dates', () => {
    const now = Date.UTC(2031, 11, 5, 7, 8, 9);
    const { key, cert } = selfSignedCertificate(now);
    const read = new X509Certificate(cert);
    expect(read.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(read.verify(read.publicKey)).toBe(true);
    expect([read.subject, read.issuer]).toEqual(['CN=monero-wallet-rpc', 'CN=monero-wallet-rpc']);
    expect(read.validFrom).toBe('Dec  5 07:08:09 2031 GMT');
    expect(read.validTo).toBe('Jun  4 07:08:09 2032 GMT');
    expect(read.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    expect(selfSignedCertificate(now).cert).not.toBe(cert);
  });
});

describe('TLS of the service', () => {
  it('is told from plain HTTP on one port, with a certificate of its own, without a flag', async () => {
    const running = await start();
    try {
      const first = await sendSecure(running.port);
      expect(first.status).toBe(200);
      expect(await sendPlain(running.port)).toBe(200);
      expect((await sendSecure(running.port)).fingerprint).toBe(first.fingerprint);
      expect(await sendPlain(running.port)).toBe(200);
    } finally {
      await running.stop();
    }
  });

  it('stops with connections that never said a word, and with those that stopped in the middle', async () => {
    const running = await start();
    const silent = connect(running.port, '127.0.0.1');
    const halfway = connect(running.port, '127.0.0.1', () => halfway.write(Buffer.from([0x16, 3, 1])));
    const ended = (socket: Socket) =>
      new Promise<void>((done) => {
        socket.on('error', () => {});
        socket.once('close', () => done());
      });
    const both = Promise.all([silent, halfway].map(ended));
    expect((await sendSecure(running.port)).status).toBe(200);
    await running.stop();
    await both;
  });

  it('enabled: no plain HTTP, and the certificate that was given', async () => {
    const files = ['--rpc-ssl-private-key', server.keyFile, '--rpc-ssl-certificate', server.certificateFile];
    const running = await start('--rpc-ssl', 'enabled', ...files);
    try {
      expect(await sendSecure(running.port)).toEqual({ status: 200, fingerprint: server.fingerprint });
      await expect(sendPlain(running.port)).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|HPE_/) });
    } finally {
      await running.stop();
    }
  });

  it('disabled: plain HTTP alone', async () => {
    const running = await start('--rpc-ssl', 'disabled');
    try {
      expect(await sendPlain(running.port)).toBe(200);
      await expect(sendSecure(running.port)).rejects.toThrow();
    } finally {
      await running.stop();
    }
  });

  it.each([
    ['fingerprint', () => ['--rpc-ssl-allowed-fingerprints', friend.fingerprint.replace(/..(?=.)/g, '$&:').toUpperCase()]],
    [
      'one of several fingerprints',
      () => [server, friend].flatMap(({ fingerprint }) => ['--rpc-ssl-allowed-fingerprints', fingerprint]),
    ],
    ['authority', () => ['--rpc-ssl-ca-certificates', friend.certificateFile]],
  ])('lets in clients by %s, and nobody else', async (_what, flags) => {
    // It wants TLS then, whatever is asked for.
    const running = await start('--rpc-ssl', 'autodetect', ...flags());
    try {
      expect((await sendSecure(running.port, friend)).status).toBe(200);
      await expect(sendSecure(running.port, stranger)).rejects.toThrow();
      await expect(sendSecure(running.port)).rejects.toThrow();
      await expect(sendPlain(running.port)).rejects.toThrow();
    } finally {
      await running.stop();
    }
  });

  it('asks for a login over TLS too', async () => {
    const base = ['--rpc-bind-port', '0', '--offline', '--wallet-dir', join(folder, 'wallets'), '--rpc-login', 'user:pass'];
    const running = await startService(readSettings(readFlags('wallet-rpc', FLAGS, base)));
    const fetch = daemonFetch({ tls: { ...DEFAULT_DAEMON_TLS, anyCertificate: true }, proxy: undefined, oneConnection: true });
    const call = (password: string) =>
      DaemonClient.connect({ url: `https://127.0.0.1:${running.port}`, username: 'user', password, fetch }).getVersion();
    try {
      // Let in: what answers then is no daemon.
      await expect(call('pass').then((answer) => answer.check((value) => value))).rejects.toMatchObject({ code: 'bad-status' });
      await expect(call('other')).rejects.toMatchObject({ code: 'login-refused' });
    } finally {
      await running.stop();
    }
  });

  it('does not start with what it cannot use, and names the flag', async () => {
    const broken = join(folder, 'broken.pem');
    writeFileSync(broken, 'no PEM');
    const none = join(folder, 'none.pem');
    const pair = (key: string, cert: string) => ['--rpc-ssl-private-key', key, '--rpc-ssl-certificate', cert];
    await expect(start(...pair(broken, server.certificateFile))).rejects.toThrow(/--rpc-ssl/);
    await expect(start(...pair(server.keyFile, none))).rejects.toThrow(/--rpc-ssl.*none\.pem/);
    await expect(start(...pair(friend.keyFile, server.certificateFile))).rejects.toThrow(/--rpc-ssl/);
    expect(() => start('--rpc-ssl-private-key', server.keyFile)).toThrow(/both given or both empty/);
    expect(() => start('--rpc-ssl', 'perhaps')).toThrow(/--rpc-ssl wants/);
    expect(() => start('--rpc-ssl-allowed-fingerprints', 'abcd')).toThrow(/32 bytes/);
  });
});
