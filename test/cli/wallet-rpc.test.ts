import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import { withConfigFile } from '../../src/cli/config-file.ts';
import { readFlags } from '../../src/cli/flags.ts';
import { passwordOf } from '../../src/cli/password.ts';
import { startService } from '../../src/cli/wallet-rpc/command.ts';
import { FLAGS, readSettings } from '../../src/cli/wallet-rpc/flags.ts';
import { systemRandom } from '../../src/crypto/index.ts';
import { DaemonClient } from '../../src/daemon/index.ts';
import { FetchTransport } from '../../src/daemon/transport/fetch.ts';
import { callOver, send } from '../support/rpc-wire.ts';

const BASE = ['--rpc-bind-port', '0', '--offline'];
const settingsOf = (flags: readonly string[]) => readSettings(readFlags('wallet-rpc', FLAGS, [...BASE, ...flags]));
const VERSION = '{"id":1,"method":"get_version"}';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-wallet-rpc-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('flags', () => {
  it.each([
    [['--no-such-flag'], /no-such-flag/],
    [['--wallet-dir', 'x', 'stray'], /stray/],
    [[], /--wallet-file or --generate-from-json or --wallet-dir/],
    [['--wallet-dir', Buffer.from([0x78, 0xff]).toString()], /argument 5 is no UTF-8/],
    [['--wallet-dir', 'x', '--wallet-file', 'y'], /incompatible/],
    [['--wallet-dir', 'x', '--hw-device', 'Trezor'], /Trezor.*Ledger:tcp/],
    [['--wallet-dir', 'x', '--hw-device', 'Ledger:tcp://127.0.0.1'], /Ledger:tcp/],
    [['--wallet-dir', 'x', '--wallet-dir', 'y'], /--wallet-dir.*more than once/],
    [['--wallet-dir', 'x', '--restricted-rpc', '--restricted-rpc'], /--restricted-rpc.*more than once/],
    [['--wallet-file', 'x', '--generate-from-json', 'y'], /--wallet-file and --generate-from-json/],
    [['--wallet-dir', 'x', '--password-file', 'y'], /--password-file is not allowed/],
    [['--wallet-dir', 'x', '--proxy', 'localhost:9050'], /--proxy/],
    [['--wallet-dir', 'x', '--proxy', '127.0.0.1:0'], /--proxy/],
    [['--wallet-dir', 'x', '--rpc-bind-ip', '0.0.0.0'], /--confirm-external-bind/],
    [['--wallet-dir', 'x', '--rpc-login', 'a:b', '--disable-rpc-login'], /--disable-rpc-login/],
    [['--wallet-dir', 'x', '--rpc-login', 'a'], /name:password/],
    [['--wallet-dir', 'x', '--rpc-login', ':a'], /Username .*--rpc-login cannot be empty/],
    [['--wallet-dir', 'x', '--testnet', '--stagenet'], /--stagenet/],
    [['--wallet-dir', 'x', '--compat', '0.17'], /--compat expects 0\.18\.0/],
  ])('%j is refused by name', (flags, message) => {
    expect(() => settingsOf(flags)).toThrow(message);
  });

  it('are read as the reference reads them', () => {
    const read = (flags: readonly string[]) => readSettings(readFlags('wallet-rpc', FLAGS, ['--rpc-bind-port', '1', ...flags]));
    expect(read(['--wallet-dir', 'w', '--stagenet']).daemon).toMatchObject({ url: 'http://localhost:38081', trusted: true });
    expect(read(['--wallet-dir', 'w', '--daemon-address', 'node.example:18081']).daemon).toMatchObject({
      url: 'http://node.example:18081',
      trusted: false,
    });
    const flags = [
      '--daemon-address',
      'http://node.example:1',
      '--daemon-ssl',
      'enabled',
      '--daemon-ssl-allow-any-cert',
      '--trusted-daemon',
      '--daemon-login',
      'u:p:q',
    ];
    expect(read(['--wallet-dir', 'w', ...flags]).daemon).toMatchObject({
      url: 'https://node.example:1',
      trusted: true,
      username: 'u',
      password: 'p:q',
    });
    expect(read(['--wallet-dir', 'w', '--offline']).daemon).toBeUndefined();
    expect(read(['--wallet-dir', 'w', '--untrusted-daemon']).daemon).toMatchObject({ trusted: false });
    expect(read(['--wallet-dir', 'w', '--rpc-access-control-origins', 'https://a, https://b']).origins).toEqual([
      'https://a',
      'https://b',
    ]);
  });

  it('of a password: bytes that are no UTF-8 would be read as one and the same character, and are refused', async () => {
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, 'schön\n');
    expect(await passwordOf({ password: undefined, passwordFile })).toBe('schön');
    writeFileSync(passwordFile, Buffer.from([0x70, 0xff, 0x0a]));
    await expect(passwordOf({ password: undefined, passwordFile })).rejects.toThrow('UTF-8');
  });

  it('of names: the service that is named is asked, but with --no-dns or --offline nobody is', () => {
    const resolver = (...flags: string[]) =>
      readSettings(
        readFlags('wallet-rpc', FLAGS, [
          ...['--rpc-bind-port', '1', '--wallet-dir', 'w', '--dns-resolver', 'https://dns.example/dns-query'],
          ...flags,
        ]),
      ).resolver;
    expect(resolver()).toBe('https://dns.example/dns-query');
    expect(resolver('--no-dns')).toBeUndefined();
    expect(resolver('--offline')).toBeUndefined();
  });

  it('of TLS to the daemon: who names a certificate demands TLS, and a daemon is to be named', () => {
    const daemon = (...flags: string[]) =>
      readSettings(
        readFlags('wallet-rpc', FLAGS, [
          '--rpc-bind-port',
          '1',
          '--wallet-dir',
          'w',
          '--daemon-address',
          'node.example:1',
          ...flags,
        ]),
      ).daemon;
    const pin = 'ab'.repeat(32);
    const other = 'cd'.repeat(32);
    const pinned = ['--daemon-ssl-allowed-fingerprints', pin, '--daemon-ssl-allowed-fingerprints', other];
    expect(daemon(...pinned)).toMatchObject({ url: 'https://node.example:1', tls: { fingerprints: [pin, other] } });
    expect(daemon('--daemon-ssl-ca-certificates', 'x')).toMatchObject({ url: 'https://node.example:1' });
    expect(daemon(...pinned, '--daemon-ssl', 'disabled')).toMatchObject({ url: 'http://node.example:1' });
    expect(daemon('--daemon-ssl-allow-any-cert')).toMatchObject({ url: 'http://node.example:1', tls: { mode: 'autodetect' } });
    expect(() => daemon('--daemon-ssl', 'enabled')).toThrow(/Enabling --daemon-ssl requires --daemon-ssl-allow-any-cert/);
    expect(() => daemon('--proxy', '127.0.0.1:9050')).toThrow(/Enabling --proxy requires --daemon-ssl-allow-any-cert/);
    expect(() => daemon('--daemon-ssl-allowed-fingerprints', 'ab')).toThrow(/32 bytes/);
    expect(() => daemon('--daemon-ssl-private-key', 'x')).toThrow(/--daemon-ssl-private-key and --daemon-ssl-certificate/);
  });

  it('of a proxy: an address, or a port of this machine; onion services prove themselves', () => {
    const proxy = (...flags: string[]) =>
      readSettings(readFlags('wallet-rpc', FLAGS, ['--rpc-bind-port', '1', '--wallet-dir', 'w', ...flags])).proxy;
    const onion = ['--daemon-address', 'abc.onion:18081'];
    expect(proxy('--proxy', '9050', ...onion)).toEqual({ host: '127.0.0.1', port: 9050 });
    expect(proxy('--proxy', '10.0.0.1:1', ...onion)).toEqual({ host: '10.0.0.1', port: 1 });
    expect(proxy('--proxy', '[::1]:2', ...onion)).toEqual({ host: '::1', port: 2 });
  });

  it('come from a file too, and those of the command line go first', async () => {
    const path = join(folder, 'wallet.conf');
    writeFileSync(
      path,
      '# a comment\nwallet-dir = /from/file\nrpc-bind-port=5 # behind\nrestricted-rpc=1\noffline=0\n\nstagenet\n',
    );
    const values = await withConfigFile(
      readFlags('wallet-rpc', FLAGS, ['--config-file', path, '--rpc-bind-port', '6']),
      'wallet-rpc',
      FLAGS,
    );
    expect(readSettings(values)).toMatchObject({ port: 6, walletDir: '/from/file', restricted: true, network: 'stagenet' });
    writeFileSync(path, 'nonsense=1\n');
    await expect(withConfigFile({ 'config-file': path }, 'wallet-rpc', FLAGS)).rejects.toThrow(/nonsense/);
    writeFileSync(path, 'password a secret\n');
    const refused = withConfigFile({ 'config-file': path }, 'wallet-rpc', FLAGS);
    await expect(refused).rejects.toThrow(`unknown option "password" in ${path}`);
    await expect(withConfigFile({ 'config-file': join(folder, 'none') }, 'wallet-rpc', FLAGS)).rejects.toThrow(/config file/);
  });
});

describe('login', () => {
  it('asks for the digest of name and password, and lets nobody else in', async () => {
    const running = await startService(settingsOf(['--wallet-dir', join(folder, 'login'), '--rpc-login', 'user:pass word']));
    const url = `http://127.0.0.1:${running.port}`;
    try {
      const refused = await send(url, { body: VERSION });
      expect(refused.status).toBe(401);
      const offers = String(refused.headers['www-authenticate']);
      expect(offers).toMatch(/Digest qop="auth",algorithm=MD5,realm="monero-rpc",nonce="[^"]+",stale=false/);
      expect(offers).toContain('algorithm=MD5-sess');
      expect((await send(url, { method: 'OPTIONS' })).status).toBe(200);
      const call = async (username: string, password: string) => {
        const transport = new FetchTransport({ url, username, password, clock: systemClock, random: systemRandom });
        const client = new DaemonClient({ transport, retry: { attempts: 1 } as never });
        return (await client.getVersion()).check((answer) => answer);
      };
      // Let in: what answers then is no daemon.
      await expect(call('user', 'pass word')).rejects.toMatchObject({ code: 'bad-status' });
      await expect(call('user', 'other')).rejects.toMatchObject({ code: 'login-refused' });
      await expect(call('monero', 'pass word')).rejects.toMatchObject({ code: 'login-refused' });
      const forged = 'Digest username="user",realm="monero-rpc",nonce="",uri="/json_rpc",response=""';
      expect((await send(url, { body: VERSION, headers: { Authorization: forged } })).status).toBe(401);
    } finally {
      await running.stop();
    }
  });

  it('generates a login when none is given, in a file for its user alone', async () => {
    const before = process.cwd();
    process.chdir(folder);
    const running = await startService(settingsOf(['--wallet-dir', join(folder, 'made-up')])).finally(() =>
      process.chdir(before),
    );
    try {
      const path = join(folder, 'monero-wallet-rpc.0.login');
      expect(readFileSync(path, 'utf8')).toMatch(/^monero:[A-Za-z0-9+/]{22}==$/);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect((await send(`http://127.0.0.1:${running.port}`, { body: VERSION })).status).toBe(401);
    } finally {
      await running.stop();
    }
  });
});

describe('the server', () => {
  it('lets pages in by their origin, bounds bodies, and stops when asked, its answer first', async () => {
    const flags = [
      '--wallet-dir',
      join(folder, 'server'),
      '--disable-rpc-login',
      '--rpc-access-control-origins',
      'https://a.example',
    ];
    const running = await startService(settingsOf(flags));
    const url = `http://127.0.0.1:${running.port}`;
    const from = (Origin: string, method = 'POST') => send(url, { method, body: VERSION, headers: { Origin } });
    const allowed = await from('https://a.example');
    expect([allowed.status, allowed.headers['access-control-allow-origin']]).toEqual([200, 'https://a.example']);
    expect((await from('https://a.example', 'OPTIONS')).headers['access-control-allow-headers']).toContain('Authorization');
    expect((await from('https://b.example')).status).toBe(403);
    expect(await callOver(url, 'stop_wallet', {})).toMatchObject({ code: '-13' });
    expect(await callOver(url, 'create_wallet', { filename: 'one', language: 'English' })).toEqual({});
    expect(await callOver(url, 'stop_wallet', {})).toEqual({});
    await running.stopAsked;
    await running.stop();
    await expect(send(url, { body: VERSION })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('opens a wallet that an earlier release made under a name ending in .keys, unless there is one without the ending', async () => {
    const inside = mkdtempSync(join(folder, 'keys-'));
    const service = await startService(settingsOf(['--wallet-dir', inside, '--disable-rpc-login']));
    const at = `http://127.0.0.1:${service.port}`;
    const call = (method: string, params: object) => callOver(at, method, params);
    const address = async () => ((await call('get_address', {})) as { address: string }).address;
    try {
      await call('create_wallet', { filename: 'old', password: 'p', language: 'English' });
      const old = await address();
      await call('close_wallet', {});
      renameSync(join(inside, 'old.nightjar'), join(inside, 'old.keys.nightjar'));
      expect(await call('open_wallet', { filename: 'old.keys', password: 'q' })).toMatchObject({
        message: expect.stringContaining('Invalid password'),
      });
      expect(await call('open_wallet', { filename: 'old.keys', password: 'p' })).toEqual({});
      expect(await address()).toBe(old);
      expect(await call('open_wallet', { filename: 'none.keys' })).toMatchObject({
        message: expect.stringMatching(/file not found ".*none\.keys"/),
      });
      await call('create_wallet', { filename: 'old', password: 'p', language: 'English' });
      const plain = await address();
      await call('close_wallet', {});
      expect(await call('open_wallet', { filename: 'old.keys', password: 'p' })).toEqual({});
      expect(await address()).toBe(plain);
    } finally {
      await service.stop();
    }
  });

  it('has everything it acknowledged after a restart', async () => {
    const flags = ['--wallet-dir', join(folder, 'again'), '--disable-rpc-login'];
    const first = await startService(settingsOf(flags));
    const url = `http://127.0.0.1:${first.port}`;
    await callOver(url, 'create_wallet', { filename: 'one', password: 'pw', language: 'English' });
    await callOver(url, 'create_account', { label: 'kept' });
    await callOver(url, 'set_attribute', { key: 'k', value: 'v' });
    await callOver(url, 'tag_accounts', { tag: 't', accounts: [1] });
    const seed = await callOver(url, 'query_key', { key_type: 'mnemonic' });
    await first.stop();
    const second = await startService(
      settingsOf(['--wallet-file', join(folder, 'again', 'one'), '--password', 'pw', '--disable-rpc-login']),
    );
    try {
      const at = `http://127.0.0.1:${second.port}`;
      expect(await callOver(at, 'query_key', { key_type: 'mnemonic' })).toEqual(seed);
      expect(await callOver(at, 'get_accounts', { tag: 't' })).toMatchObject({ subaddress_accounts: [{ label: 'kept' }] });
      expect(await callOver(at, 'get_attribute', { key: 'k' })).toEqual({ value: 'v' });
      expect(await callOver(at, 'open_wallet', { filename: 'one' })).toMatchObject({ code: '-23' });
    } finally {
      await second.stop();
    }
  });
});
