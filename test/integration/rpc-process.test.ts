import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringifyJson } from '../../src/base/index.ts';
import { readFlags } from '../../src/cli/flags.ts';
import { startService } from '../../src/cli/wallet-rpc/command.ts';
import { FLAGS, readSettings } from '../../src/cli/wallet-rpc/flags.ts';
import { type Child, findProgram, freePort, startChild } from '../support/child.ts';
import { logOf, startNightjar } from '../support/nightjar.ts';
import { MINER_SEED } from '../support/premined.ts';
import { type Monerod, type MoneroWalletRpc, startMonerod, startWalletRpc } from '../support/programs.ts';
import { callOver } from '../support/rpc-wire.ts';
import { startSecureWalletRpc, statusOver } from '../support/secure-programs.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-rpc-process-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Service {
  readonly url: string;
  stop(): Promise<void>;
}

async function ours(flags: readonly string[]): Promise<Service> {
  const base = ['--regtest', '--rpc-bind-port', '0', '--disable-rpc-login'];
  const running = await startService(readSettings(readFlags('wallet-rpc', FLAGS, [...base, ...flags])));
  return { url: `http://127.0.0.1:${running.port}`, stop: () => running.stop() };
}

async function theirs(flags: readonly string[]): Promise<Service> {
  const running = await startSecureWalletRpc(['--rpc-ssl', 'disabled', '--daemon-ssl', 'disabled', ...flags]);
  return { url: `http://127.0.0.1:${running.port}`, stop: () => running.stop() };
}

const SIDES = [
  ['monero-wallet-rpc', theirs],
  ['ours', ours],
] as const;

describe('--generate-from-json', () => {
  const seed =
    'velvet lymph giddy number token physics poetry unquoted nibs useful sabotage limits benches lifestyle eden nitrogen anvil fewest avoid batch vials washing fences goat unquoted';
  const address = '42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm';
  const spendkey = '148d78d2aba7dbca5cd8f6abcfb0b3c009ffbdbea1ff373d50ed94d78286640e';
  const viewkey = '49774391fa5e8d249fc2c5b45dadef13534bf2483dede880dac88f061e809100';

  it.each([
    ['words', { seed }],
    ['words and a passphrase', { seed, seed_passphrase: 'a passphrase' }],
    ['a spend key', { spendkey }],
    ['both keys', { spendkey, viewkey, address }],
    ['a view key', { viewkey, address }],
  ])('makes the wallet that monero-wallet-rpc makes: %s', async (what, keys) => {
    const answers = [];
    const words = [];
    for (const [side, start] of SIDES) {
      const name = `${what}-${side}`.replaceAll(' ', '-');
      const path = join(folder, `${name}.json`);
      writeFileSync(
        path,
        stringifyJson({ version: 1, filename: join(folder, name), password: 'pw', scan_from_height: 7, ...keys }),
      );
      const service = await start(['--offline', '--generate-from-json', path]);
      try {
        const asked = ['view_key', 'spend_key'].map((key_type) => ['query_key', { key_type }] as const);
        const got = [];
        for (const [method, params] of [['get_address', {}] as const, ...asked]) {
          got.push(await callOver(service.url, method, params));
        }
        answers.push(got);
        words.push(await callOver(service.url, 'query_key', { key_type: 'mnemonic' }));
      } finally {
        await service.stop();
      }
    }
    expect(answers[1]).toEqual(answers[0]);
    // Whoever made the words knows their language.
    if ('seed' in keys) expect(words[1]).toEqual(words[0]);
  });
});

describe('--wallet-dir', () => {
  it.each(SIDES)('%s makes the folder when it starts, and no folder above it', async (side, start) => {
    const wallets = join(folder, `${side}-new`);
    const service = await start(['--offline', '--wallet-dir', wallets]);
    try {
      expect(statSync(wallets).mode & 0o777).toBe(0o700);
    } finally {
      await service.stop();
    }
    await expect(start(['--offline', '--wallet-dir', join(folder, `${side}-nowhere`, 'wallets')])).rejects.toThrow();
    expect(existsSync(join(folder, `${side}-nowhere`))).toBe(false);
  });
});

describe('a start that fails', () => {
  it.each([
    ['in the log', []],
    ['where the log keeps silent', ['--log-level', '*:FATAL']],
  ])('says why once: %s', async (_, flags) => {
    const given = [
      '--rpc-bind-port',
      '0',
      '--disable-rpc-login',
      '--offline',
      '--wallet-dir',
      join(folder, 'nowhere', 'wallets'),
    ];
    const { ended, lines } = startNightjar(['wallet-rpc', ...logOf(given), ...given, ...flags]);
    expect(await ended).toBe(1);
    expect(lines.filter((line) => line.includes('Failed to create directory'))).toHaveLength(1);
  });
});

describe('--detach', () => {
  const start = {
    'monero-wallet-rpc': (args: readonly string[]): { ended: Promise<unknown>; child?: Child } => {
      const child = startChild('wallet-rpc', findProgram('monero-wallet-rpc', 'monero'), (own) => [
        ...['--log-file', join(own, 'log'), '--shared-ringdb-dir', join(own, 'ringdb'), '--daemon-ssl', 'disabled'],
        ...args,
      ]);
      return { ended: child.ended, child };
    },
    ours: (args: readonly string[]): { ended: Promise<unknown>; child?: Child } => ({
      ended: startNightjar(['wallet-rpc', ...logOf(args), ...args]).ended,
    }),
  };

  it.each(['monero-wallet-rpc', 'ours'] as const)('%s goes into the background and leaves its process id', async (side) => {
    const port = await freePort();
    const pidFile = join(folder, `${side}.pid`);
    const wallets = join(folder, `${side}-wallets`);
    mkdirSync(wallets);
    const args = [
      '--rpc-bind-port',
      String(port),
      '--rpc-ssl',
      'disabled',
      '--disable-rpc-login',
      '--offline',
      '--wallet-dir',
      wallets,
    ];
    const first = start[side]([...args, '--detach', '--pidfile', pidFile]);
    expect(await first.ended).toBe(side === 'ours' ? 0 : 'exit code 0');
    // It has let go of the terminal before it listens.
    while ((await statusOver(port, 'plain')) === 'refused');
    const pid = pidIn(pidFile);
    try {
      const second = start[side]([...args, '--detach', '--pidfile', pidFile]);
      expect(await second.ended).toBe(side === 'ours' ? 1 : 'exit code 1');
      await second.child?.stop();
      expect(pidIn(pidFile)).toBe(pid);
      expect(await statusOver(port, 'plain')).toBe(200);
    } finally {
      process.kill(pid, 'SIGTERM');
      await first.child?.stop();
    }
  });
});

const pidIn = (path: string): number => Number(/^(\d+)\n$/.exec(readFileSync(path, 'utf8'))?.[1]);

describe('--tx-notify', () => {
  let daemon: Monerod;
  let payer: MoneroWalletRpc;
  beforeAll(async () => {
    daemon = await startMonerod({ premined: true });
    payer = await startWalletRpc({ daemon: daemon.url });
    await payer.restoreWallet('payer', MINER_SEED);
    await payer.refreshToHeight(daemon);
  });
  afterAll(async () => {
    await payer?.stop();
    await daemon?.stop();
  });

  it.each(SIDES)('%s tells of a payment in the pool, and again when it is mined', async (side, start) => {
    const told = join(folder, `${side}.told`);
    writeFileSync(told, '');
    const script = join(folder, `${side}.sh`);
    writeFileSync(script, `#!/bin/sh\necho "$1" >> ${told}\n`, { mode: 0o755 });
    const wallets = join(folder, `${side}-notified`);
    mkdirSync(wallets);
    const flags = ['--wallet-dir', wallets, '--daemon-address', daemon.url.slice('http://'.length), '--trusted-daemon'];
    const service = await start([...flags, '--tx-notify', `${script} %s`]);
    try {
      await callOver(service.url, 'create_wallet', { filename: 'one', language: 'English' });
      await callOver(service.url, 'refresh', {});
      const { address } = (await callOver(service.url, 'get_address', {})) as { address: string };
      const lines = () =>
        readFileSync(told, 'utf8')
          .split('\n')
          .filter((line) => line !== '');
      // The program is not waited for.
      const refreshedUntil = async (count: number) => {
        do await callOver(service.url, 'refresh', {});
        while (lines().length < count);
      };
      const { tx_hash } = await payer.transfer([{ address, amount: 1_000_000_000_000n }]);
      await refreshedUntil(1);
      expect(lines()).toEqual([tx_hash]);
      await daemon.minePool(await payer.address());
      await refreshedUntil(2);
      expect(lines()).toEqual([tx_hash, tx_hash]);
      // What was told is not told again.
      await daemon.generateBlocks(1, await payer.address());
      await callOver(service.url, 'refresh', {});
      expect(lines().length).toBe(2);
      await payer.refreshToHeight(daemon);
    } finally {
      await service.stop();
    }
  });
});
