import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import { systemRandom } from '../../src/crypto/index.ts';
import { FetchTransport } from '../../src/daemon/transport/fetch.ts';
import { freePort, quickReference } from '../support/child.ts';
import { callOver, send } from '../support/rpc-wire.ts';

// What the program prints when it starts, beside the reference's own: clients that launch it read those lines. And its log.

const SEED =
  'velvet lymph giddy number token physics poetry unquoted nibs useful sabotage limits benches lifestyle eden nitrogen anvil fewest avoid batch vials washing fences goat unquoted';
const SECRET = 'a very secret password';
/** As `CLI` of support/nightjar.ts, but from any folder. */
const { NIGHTJAR_CLI: built } = process.env;
const CLI = built === undefined ? ['--import', resolve('node_modules/tsx/dist/loader.mjs'), resolve('src/cli/main.ts')] : [built];
const OURS = [process.execPath, ...CLI, 'wallet-rpc'];
const BOTH = [OURS, [...quickReference('monero-wallet-rpc'), '--shared-ringdb-dir', 'ringdb']];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-rpc-start-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Started {
  readonly port: number;
  readonly home: string;
  /** What it printed until now. */
  printed(): string;
  stop(): Promise<void>;
}

interface Surroundings {
  readonly term?: string;
  /** Variables of the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** What is typed. */
  readonly input?: string;
}

/** Runs a program in a folder of its own until it says that it serves, or ends. */
async function started(
  [program = '', ...words]: readonly string[],
  flags: readonly string[],
  port: number,
  { term = 'dumb', env = {}, input = '' }: Surroundings = {},
): Promise<Started> {
  const home = mkdtempSync(join(folder, 'home-'));
  const child = spawn(program, [...words, '--rpc-bind-port', String(port), ...flags], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, TERM: term, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(input);
  let out = '';
  const ended = once(child, 'close');
  const serves = new Promise<void>((done) => {
    child.stdout.on('data', (bytes: Buffer) => {
      out += bytes.toString();
      if (out.includes('Starting wallet RPC server')) done();
    });
  });
  await Promise.race([serves, ended]);
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
  };
  return { port, home, printed: () => out, stop };
}

/** The same of two runs: no times, no builds, and not where in its source the reference threw. */
const lines = (text: string): string[] =>
  text
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}/g, '<time>')
    .replace(/\(v([\d.]+)-\w+\)/g, '(v$1)')
    .split('\n')
    .filter((line) => !line.includes('THROW EXCEPTION'));

describe('the standard output at start and end is the reference’s, word for word', () => {
  const common = ['--offline', '--rpc-ssl', 'disabled', '--log-file', 'own.log'];

  it.each([
    ['without a login', 'xterm', ['--disable-rpc-login', '--wallet-dir', '.']],
    ['with a login of its own making', 'dumb', ['--wallet-dir', '.']],
    ['of a wallet file without a password', 'dumb', ['--disable-rpc-login', '--wallet-file', 'nobody']],
    ['of a wallet file with two', 'dumb', ['--wallet-file', 'nobody', '--password', 'x', '--password-file', 'nothing']],
    [
      'with a folder and a description, which is not looked at',
      'dumb',
      ['--disable-rpc-login', '--wallet-dir', '.', '--generate-from-json', 'nothing'],
    ],
    ['with IPv6', 'xterm-256color', ['--disable-rpc-login', '--wallet-dir', '.', '--rpc-use-ipv6']],
    [
      'with IPv6 at another address',
      '',
      ['--rpc-login', 'a:b', '--wallet-dir', '.', '--rpc-use-ipv6', '--rpc-bind-ipv6-address', '[::1]'],
    ],
  ])('%s', async (_, term, flags) => {
    const port = await freePort();
    const printed: string[][] = [];
    for (const program of BOTH) {
      const running = await started(program, [...common, ...flags], port, { term });
      await running.stop();
      printed.push(lines(running.printed()));
    }
    expect(printed[0]).toEqual(printed[1]);
  });

  it('with the wallet that a file describes', async () => {
    const port = await freePort();
    const file = join(folder, 'described.json');
    writeFileSync(file, JSON.stringify({ version: 1, filename: join(folder, 'described'), password: SECRET, seed: SEED }));
    const running = await started(OURS, [...common, '--disable-rpc-login', '--generate-from-json', file], port);
    await running.stop();
    const again = ['--disable-rpc-login', '--wallet-file', join(folder, 'described'), '--password'];
    const opened = await started(OURS, [...common, ...again, SECRET], port);
    await opened.stop();
    expect(lines(opened.printed()).slice(5, 9)).toEqual([
      expect.stringMatching(/W Loading wallet\.\.\.$/),
      expect.stringMatching(/W Loaded wallet keys file, with public address: 4\w{94}$/),
      expect.stringMatching(new RegExp(`I Binding on 127\\.0\\.0\\.1 \\(IPv4\\):${port}$`)),
      expect.stringMatching(/W Starting wallet RPC server$/),
    ]);
    const asking = [...again.slice(0, -1), '--prompt-for-password'];
    const asked = await started(OURS, [...common, ...asking], port, { input: `${SECRET}\n` });
    await asked.stop();
    expect(lines(asked.printed()).slice(5, 9)).toEqual(lines(opened.printed()).slice(5, 9));
    const refused = await started(OURS, [...common, ...again, 'wrong'], port);
    await refused.stop();
    expect(refused.printed()).toMatch(/E Wallet initialization failed: /);
  });
});

describe('both programs', () => {
  const common = ['--offline', '--rpc-ssl', 'disabled', '--wallet-dir', '.', '--log-file', 'own.log'];
  const flagged = ['--rpc-login', 'flag:'];

  it.each([
    ['with an empty password', flagged, {}, 'flag', ''],
    ['of the environment', [], { RPC_LOGIN: 'variable:secret' }, 'variable', 'secret'],
    ['of the flag, whatever the environment says', flagged, { RPC_LOGIN: 'variable:secret' }, 'flag', ''],
  ])('let in who has the login %s, and nobody else', async (_, flags, env, username, password) => {
    for (const program of BOTH) {
      const running = await started(program, [...common, ...flags], await freePort(), { env });
      try {
        expect(await statusFor(running.port, username, password)).toBe(200);
        expect(await statusFor(running.port, username, 'other')).toBe('login-refused');
        expect(await statusFor(running.port, undefined, undefined)).toBe(401);
      } finally {
        await running.stop();
      }
    }
  });

  it.each([
    ['1', [], true],
    ['*:WARNING,wallet.rpc:INFO', [], true],
    ['1', ['--log-level', '0'], false],
    ['1', ['--log-level', '+net.http:DEBUG'], true],
  ])('log by MONERO_LOGS=%s and %j: of calls, %s', async (categories, flags, tells) => {
    for (const program of BOTH) {
      const port = await freePort();
      const running = await started(program, [...common, '--disable-rpc-login', ...flags], port, {
        env: { MONERO_LOGS: categories },
      });
      await callOver(`http://127.0.0.1:${port}`, 'get_version', {});
      await running.stop();
      expect(readFileSync(join(running.home, 'own.log'), 'utf8').includes('Calling RPC method get_version')).toBe(tells);
    }
  });

  it('tell the version in one form', () => {
    const [ours, theirs] = BOTH.map(([program = '', ...words]) =>
      execFileSync(program, [...words, '--version'], { encoding: 'utf8' }).split('\n'),
    );
    expect(lines(ours![0]!)).toEqual(lines(theirs![0]!));
    expect(ours![1]).toMatch(/^\d+\.\d+\.\d+/);
  });
});

/** HTTP status, or the code of our own client's error. */
async function statusFor(port: number, username: string | undefined, password: string | undefined): Promise<number | string> {
  const url = `http://127.0.0.1:${port}`;
  const body = '{"id":1,"jsonrpc":"2.0","method":"get_version"}';
  if (username === undefined) return (await send(url, { body })).status;
  const transport = new FetchTransport({ url, username, password, clock: systemClock, random: systemRandom });
  const request = {
    path: '/json_rpc',
    body: new TextEncoder().encode(body),
    contentType: 'application/json',
    maxBytes: 1000,
  } as const;
  return transport.request(request).then(
    ({ status }) => status,
    ({ code }: { code: string }) => code,
  );
}

describe('the service listens', () => {
  it('on both families on one port, and counts their clients together', async () => {
    const port = await freePort();
    const flags = ['--offline', '--disable-rpc-login', '--wallet-dir', '.', '--rpc-use-ipv6'];
    const running = await started(OURS, flags, port);
    try {
      for (const host of ['127.0.0.1', '[::1]']) {
        expect(await callOver(`http://${host}:${port}`, 'get_version', {})).toHaveProperty('version');
      }
      const other = await started(OURS, [...flags, '--rpc-ignore-ipv4', '--rpc-bind-ip', '127.0.0.1'], port);
      await other.stop();
      // Its IPv6 address is taken too, and that one is not to be ignored.
      expect(other.printed()).not.toContain('Starting');
    } finally {
      await running.stop();
    }
  });

  it('on all addresses of both families, each by its own flag', async () => {
    const port = await freePort();
    const everywhere = ['--rpc-bind-ip', '0.0.0.0', '--rpc-use-ipv6', '--rpc-bind-ipv6-address', '::', '--confirm-external-bind'];
    const running = await started(OURS, ['--offline', '--disable-rpc-login', '--wallet-dir', '.', ...everywhere], port);
    try {
      for (const host of ['127.0.0.1', '[::1]'])
        expect(await callOver(`http://${host}:${port}`, 'get_version', {}), host).toHaveProperty('version');
    } finally {
      await running.stop();
    }
  });

  it('on IPv6 alone where IPv4 may fail', async () => {
    const port = await freePort();
    const flags = ['--offline', '--disable-rpc-login', '--wallet-dir', '.'];
    const first = await started(OURS, flags, port);
    const second = await started(OURS, [...flags, '--rpc-use-ipv6', '--rpc-ignore-ipv4'], port);
    try {
      expect(second.printed()).toMatch(/Binding on ::1 \(IPv6\)/);
      expect(second.printed()).not.toMatch(/IPv4/);
      expect(await callOver(`http://[::1]:${port}`, 'get_version', {})).toHaveProperty('version');
    } finally {
      await first.stop();
      await second.stop();
    }
  });
});

describe('the log', () => {
  it('at level 4 tells of requests and the daemon, and of no seed, key or password', { timeout: 120_000 }, async () => {
    const port = await freePort();
    const dead = `127.0.0.1:${await freePort()}`;
    const flags = ['--wallet-dir', '.', '--rpc-login', `user:${SECRET}`, '--log-level', '4', '--log-file', 'all.log'];
    const daemon = ['--daemon-address', dead, '--daemon-login', `name:${SECRET} of the daemon`];
    const running = await started(
      OURS,
      ['--disable-rpc-login', ...flags.filter((flag) => !/^--rpc-login|^user:/.test(flag)), ...daemon],
      port,
    );
    const url = `http://127.0.0.1:${port}`;
    const secrets = [SECRET, SEED, SEED.split(' ').slice(0, 3).join(' ')];
    try {
      const call = (method: string, params: object) => callOver(url, method, params);
      await call('restore_deterministic_wallet', { filename: 'w', seed: SEED, password: SECRET, seed_offset: '' });
      for (const key_type of ['mnemonic', 'view_key', 'spend_key']) {
        const { key } = (await call('query_key', { key_type })) as { key: string };
        expect(key.length).toBeGreaterThan(20);
        secrets.push(key);
      }
      await call('open_wallet', { filename: 'w', password: `${SECRET} that is wrong` });
      await call('change_wallet_password', { old_password: SECRET, new_password: `${SECRET} 2` });
      await call('set_attribute', { key: 'k', value: `${SECRET} 3` });
      await call('sign', { data: `${SECRET} 4` });
      await call('parse_uri', { uri: `monero:${SECRET}` });
      await call('generate_from_keys', { filename: 'x', spendkey: secrets.at(-1), viewkey: secrets.at(-2), address: 'no' });
      await call('set_daemon', { address: `http://name:${encodeURIComponent(SECRET)}@${dead}` });
      await send(url, {
        path: `/json_rpc?${encodeURIComponent(SECRET)}`,
        body: SEED,
        headers: { Authorization: `Basic ${SECRET}` },
      });
      await send(url, { path: `/${encodeURIComponent(SECRET)}`, body: SEED });
      const failed = await send(url, { body: '{"id":1,"jsonrpc":"2.0","method":"refresh"}' });
      expect(JSON.parse(failed.body)).toMatchObject({
        error: {
          code: -38,
          message: 'no connection to daemon',
          data: { code: 'unreachable', message: expect.any(String) },
        },
      });
    } finally {
      await running.stop();
    }
    const log = readFileSync(join(running.home, 'all.log'), 'utf8');
    for (const secret of secrets) {
      for (const form of [secret, encodeURIComponent(secret)]) {
        expect(log.includes(form), form).toBe(false);
        expect(running.printed().includes(form), form).toBe(false);
      }
    }
    expect(log).toMatch(/ERROR\twallet\.rpc\t\w+\trefresh: error -38 \(noDaemonConnection\): unreachable: /);
    expect(log).toMatch(/INFO\twallet\.rpc\t\w+\tCalling RPC method query_key/);
    expect(log).toMatch(/DEBUG\tnet\.http\t\w+\t.*POST \/json_rpc: 200/);
    expect(log).toMatch(/WARNING\tnet\.http\t\w+\tdaemon: POST 127\.0\.0\.1:\d+\/\w+: .*ECONNREFUSED/);
    expect(log).toMatch(/TRACE\twallet\.rpc\t\w+\tset_attribute: key=\(1 characters\) value=\(\d+ characters\)/);
    expect(statSync(join(running.home, 'all.log')).mode & 0o077).toBe(0);
  });

  it('follows set_log_level and set_log_categories, and begins another file when one is full', async () => {
    const port = await freePort();
    const flags = ['--offline', '--disable-rpc-login', '--wallet-dir', '.', '--log-file', 'small.log'];
    const running = await started(OURS, [...flags, '--max-log-file-size', '2000', '--max-log-files', '3'], port);
    const url = `http://127.0.0.1:${port}`;
    const log = () => readFileSync(join(running.home, 'small.log'), 'utf8');
    try {
      await callOver(url, 'get_version', {});
      expect(log()).not.toContain('get_version');
      await callOver(url, 'set_log_level', { level: 1 });
      await callOver(url, 'get_version', {});
      expect(log()).toContain('Calling RPC method get_version');
      await callOver(url, 'set_log_categories', { categories: '*:FATAL,net.http:DEBUG' });
      for (let n = 0; n < 80; n++) await callOver(url, 'get_languages', {});
    } finally {
      await running.stop();
    }
    const files = readdirSync(running.home).filter((name) => name.startsWith('small.log'));
    expect(files).toHaveLength(3);
    for (const name of files) expect(statSync(join(running.home, name)).size).toBeLessThanOrEqual(2000);
    expect(log()).toMatch(/DEBUG\tnet\.http/);
    expect(log()).not.toMatch(/get_languages/);
  });
});

describe('T15 local service: the file of a login', () => {
  it('is made anew: a link in its place is not followed', async () => {
    const port = await freePort();
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'precious', { mode: 0o644 });
    const inside = mkdtempSync(join(folder, 'links-'));
    const name = `monero-wallet-rpc.${port}.login`;
    symlinkSync(victim, join(inside, name));
    const program = ['sh', '-c', `cd ${inside} && exec "$0" "$@"`, ...OURS];
    const running = await started(program, ['--offline', '--wallet-dir', '.', '--log-file', '/dev/null'], port);
    await running.stop();
    expect(existsSync(join(inside, name))).toBe(true);
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(statSync(victim).mode & 0o777).toBe(0o644);
    expect(readFileSync(join(inside, name), 'utf8')).toMatch(/^monero:.{24}$/);
    expect(statSync(join(inside, name)).mode & 0o077).toBe(0);
  });
});
