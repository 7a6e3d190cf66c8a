import { spawn, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringifyJson } from '../../src/base/index.ts';
import { readFlags } from '../../src/cli/flags.ts';
import { ServiceLog } from '../../src/cli/log.ts';
import { chooseDaemon, startService } from '../../src/cli/wallet-rpc/command.ts';
import { FLAGS, readSettings } from '../../src/cli/wallet-rpc/flags.ts';
import { NodeServiceHost } from '../../src/cli/wallet-rpc/host.ts';
import { isDaemonError } from '../../src/daemon/index.ts';
import { type CertificateFiles, certificateFiles, fingerprintOf } from '../support/certificates.ts';
import { findProgram } from '../support/child.ts';
import { callOver } from '../support/rpc-wire.ts';
import { certificateOf, type SecureProgram, startSecureMonerod, startSecureWalletRpc } from '../support/secure-programs.ts';
import { type SocksProxy, startSocksProxy } from '../support/socks-proxy.ts';

const MINER = '42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm';
const BLOCKS = 7;

let folder: string;
let friend: CertificateFiles;
let stranger: CertificateFiles;
/** Takes any client. */
let open: SecureProgram;
/** Takes `friend` alone. */
let choosy: SecureProgram;
let plain: SecureProgram;
let pin: string;
let certificate: string;
let proxy: SocksProxy;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-daemon-tls-'));
  friend = certificateFiles(folder, 'friend');
  stranger = certificateFiles(folder, 'stranger');
  [open, choosy, plain] = await Promise.all([
    startSecureMonerod(['--rpc-ssl', 'enabled']),
    startSecureMonerod(['--rpc-ssl-allowed-fingerprints', friend.fingerprint, '--rpc-login', 'user:pass']),
    startSecureMonerod(['--rpc-ssl', 'disabled']),
  ]);
  const shown = new X509Certificate(await certificateOf(open.port));
  pin = fingerprintOf(shown.raw);
  certificate = join(folder, 'monerod.crt');
  writeFileSync(certificate, shown.toString());
  await mine(open.port);
  proxy = await startSocksProxy({ 'monerod.onion': plain.port, 'secure.onion': open.port });
});
afterAll(async () => {
  await Promise.all([open, choosy, plain].map((program) => program?.stop()));
  await proxy?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function mine(port: number): Promise<void> {
  const params = { amount_of_blocks: BLOCKS, wallet_address: MINER };
  const body = stringifyJson({ jsonrpc: '2.0', id: '0', method: 'generateblocks', params });
  return new Promise((done, fail) => {
    const headers = { 'Content-Length': body.length };
    const options = {
      host: '127.0.0.1',
      port,
      path: '/json_rpc',
      method: 'POST',
      headers,
      rejectUnauthorized: false,
      agent: false,
    };
    const sent = request({ ...options, agent: false }, (answer) => answer.resume().on('end', () => done()));
    sent.on('error', fail);
    sent.end(body);
  });
}

const settingsOf = (flags: readonly string[]) => {
  const base = ['--regtest', '--rpc-bind-port', '0', '--disable-rpc-login', '--wallet-dir', join(folder, 'wallets')];
  return readSettings(readFlags('wallet-rpc', FLAGS, [...base, ...flags]));
};

/** Without a certificate it makes an RSA key for each daemon, which takes it seconds. */
function startTheirs(flags: readonly string[]): Promise<SecureProgram> {
  const shown = ['--daemon-ssl-private-key', stranger.keyFile, '--daemon-ssl-certificate', stranger.certificateFile];
  const own = flags.includes('--daemon-ssl-private-key') ? flags : [...shown, ...flags];
  return startSecureWalletRpc(['--wallet-dir', '{folder}/wallets', '--rpc-ssl', 'disabled', ...own]);
}

/** A new wallet's height after a refresh, or the error's code. */
async function refreshed(url: string): Promise<string> {
  const answer = (await callOver(url, 'refresh', {})) as { code?: string };
  return answer.code ?? ((await callOver(url, 'get_height', {})) as { height: string }).height;
}

const newWallet = (url: string, filename = 'one') => callOver(url, 'create_wallet', { filename, language: 'English' });

async function theirs(flags: readonly string[]): Promise<string> {
  const program = await startTheirs(flags);
  try {
    const url = `http://127.0.0.1:${program.port}`;
    await newWallet(url);
    return await refreshed(url);
  } finally {
    await program.stop();
  }
}

/** What the daemon says its height is, or the code that a wallet without a daemon answers with. */
async function ours(flags: readonly string[]): Promise<string> {
  const { daemon, proxy: through } = settingsOf(flags);
  const options = {
    network: 'regtest',
    restricted: false,
    folder,
    opensByName: true,
    threads: 1,
    log: new ServiceLog('0', () => undefined),
    onStop: () => {},
  } as const;
  const host = new NodeServiceHost({ ...options, proxy: through });
  await chooseDaemon(host, daemon!);
  try {
    return String((await host.daemonClient!.getHeight()).check(({ height }) => height));
  } catch (error) {
    if (isDaemonError(error, 'unreachable')) return AWAY;
    throw error;
  }
}

const at = (program: SecureProgram) => ['--daemon-address', `127.0.0.1:${program.port}`];
const SYNCED = String(BLOCKS + 1);
const AWAY = '-38';

describe('a daemon behind TLS, by the flags', () => {
  it.each([
    ['detected', () => at(open), SYNCED],
    ['the right fingerprint', () => [...at(open), '--daemon-ssl-allowed-fingerprints', pin], SYNCED],
    ['a wrong fingerprint', () => [...at(open), '--daemon-ssl-allowed-fingerprints', stranger.fingerprint], AWAY],
    ['its certificate in a file', () => [...at(open), '--daemon-ssl-ca-certificates', certificate], SYNCED],
    ['a certificate and a login', () => [...at(choosy), ...showing(friend)], '1'],
  ])('as monero-wallet-rpc has it: %s', async (_what, flags, expected) => {
    expect(await theirs(flags())).toBe(expected);
    expect(await ours(flags())).toBe(expected);
  });

  it.each([
    ['TLS disabled', () => [...at(open), '--daemon-ssl', 'disabled'], AWAY],
    ['any certificate', () => [...at(open), '--daemon-ssl', 'enabled', '--daemon-ssl-allow-any-cert'], SYNCED],
    ['another certificate in a file', () => [...at(open), '--daemon-ssl-ca-certificates', stranger.certificateFile], AWAY],
    ['a certificate of a stranger', () => [...at(choosy), ...showing(stranger)], AWAY],
    ['TLS demanded where there is none', () => [...at(plain), '--daemon-ssl-allowed-fingerprints', pin], AWAY],
    ['no TLS found', () => at(plain), '1'],
  ])('%s', async (_what, flags, expected) => {
    expect(await ours(flags())).toBe(expected);
  });

  it('through a SOCKS proxy that knows the name', async () => {
    const through = (address: string) => ['--daemon-address', address, '--proxy', `127.0.0.1:${proxy.port}`];
    expect(await theirs(through('monerod.onion:18081'))).toBe('1');
    expect(new Set(proxy.asked)).toEqual(new Set(['monerod.onion:18081']));
    expect(await ours(through('monerod.onion:18081'))).toBe('1');
    expect(await ours(through('secure.onion:18089'))).toBe(SYNCED);
    expect(proxy.asked.at(-1)).toBe('secure.onion:18089');
  });
});

const showing = ({ keyFile, certificateFile }: CertificateFiles) => [
  ...['--daemon-login', 'user:pass', '--daemon-ssl-allow-any-cert', '--daemon-ssl', 'enabled'],
  ...['--daemon-ssl-private-key', keyFile, '--daemon-ssl-certificate', certificateFile],
];

describe('a daemon behind TLS, by set_daemon', () => {
  const shown = () => ({ ssl_private_key_path: stranger.keyFile, ssl_certificate_path: stranger.certificateFile });
  const set = async (url: string, more: Record<string, unknown>): Promise<string> => {
    const address = `127.0.0.1:${open.port}`;
    const answer = await callOver(url, 'set_daemon', { address, trusted: true, ...shown(), ...more });
    return (answer as { code?: string }).code ?? refreshed(url);
  };
  const away = ['--daemon-address', '127.0.0.1:1'];

  const asTheReferenceTakesIt = async (url: string): Promise<void> => {
    await newWallet(url);
    expect(await set(url, { ssl_support: 'enabled' })).toBe(AWAY);
    expect(await set(url, { ssl_support: 'enabled', ssl_allow_any_cert: true })).toBe(SYNCED);
    expect(await set(url, { ssl_support: 'disabled' })).toBe(AWAY);
    expect(await set(url, { ssl_support: 'enabled', ssl_ca_file: certificate })).toBe(SYNCED);
    expect(await set(url, { ssl_support: 'enabled', ssl_ca_file: stranger.certificateFile })).toBe(AWAY);
    expect(await set(url, {})).toBe(SYNCED);
  };

  it('as monero-wallet-rpc takes it; by a fingerprint too, which it cannot', async () => {
    const program = await startTheirs(away);
    await asTheReferenceTakesIt(`http://127.0.0.1:${program.port}`).finally(() => program.stop());
    const running = await startService(settingsOf(away));
    try {
      const url = `http://127.0.0.1:${running.port}`;
      await asTheReferenceTakesIt(url);
      expect(await set(url, { ssl_allowed_fingerprints: [stranger.fingerprint] })).toBe(AWAY);
      expect(await set(url, { ssl_allowed_fingerprints: [pin] })).toBe(SYNCED);
    } finally {
      await running.stop();
    }
  });

  it('T15 a path of a client that is no file is not read', async () => {
    const running = await startService(settingsOf(at(open)));
    const url = `http://127.0.0.1:${running.port}`;
    await newWallet(url, 'two');
    const contents = Object.entries({ ...shown(), ssl_ca_file: certificate });
    const pipes = contents.map(([name, content]) => {
      const pipe = join(folder, name);
      spawnSync(findProgram('mkfifo', 'coreutils'), [pipe]);
      // Read, a pipe that nobody writes to would hold up the service for good; this one would do.
      return { name, pipe, writing: spawn('sh', ['-c', 'exec cat "$0" > "$1"', content, pipe]) };
    });
    try {
      for (const { name, pipe } of pipes) expect(await set(url, { [name]: pipe }), name).toBe(AWAY);
      expect(await refreshed(url), 'the daemon of before is used still').toBe(SYNCED);
    } finally {
      for (const { writing } of pipes) writing.kill();
      await running.stop();
    }
  });
});
