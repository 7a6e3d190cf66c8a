import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileJournalStore } from '../../src/storage/file-store.ts';
import { CHEAP_KDF, created, secrets } from '../storage/samples.ts';
import { logOf, type Nightjar, startNightjar, startWalletService } from '../support/nightjar.ts';
import { callOver } from '../support/rpc-wire.ts';

// Programs that share a folder and see nothing else of each other, as in containers: each has its own process numbers, host name and, where it
// says so, network.

const HELD = /open in another program/;
let folder: string;

beforeAll(() => {
  const { status, stderr } = spawnSync('unshare', [...SPACES, 'true'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`these tests need unshare(1) and the right to make namespaces (run as root): ${stderr}`);
  folder = mkdtempSync(join(tmpdir(), 'nightjar-containers-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SPACES = ['--pid', '--uts', '--fork', '--mount-proc', '--kill-child'];
/** What runs a program in a container of a host name. */
const container = (name: string, more: readonly string[] = []): readonly string[] => [
  'unshare',
  ...SPACES,
  ...more,
  'sh',
  '-c',
  `hostname ${name}; exec "$0" "$@"`,
];

const service = (name: string) =>
  startWalletService(['--offline', '--disable-rpc-login', '--wallet-dir', folder], { under: container(name) });

/** What a service says that is to open the wallet as it starts, and cannot. */
async function refusedIn(name: string): Promise<Nightjar> {
  const flags = [
    'wallet-rpc',
    ...logOf([]),
    '--rpc-bind-port',
    '0',
    '--offline',
    '--disable-rpc-login',
    ...['--wallet-file', join(folder, 'w'), '--password', ''],
  ];
  const started = startNightjar(flags, { under: container(name) });
  const holds = started.line(/Starting wallet/).then(
    () => 'opens the wallet',
    () => 'ends',
  );
  try {
    expect(await holds).toBe('ends');
    return started;
  } finally {
    await started.kill();
  }
}

describe('T17 two writers: services in containers that share a wallet folder', () => {
  it('one holds a wallet, whatever the others are called; killed, the next one opens it without a hand', {
    timeout: 120_000,
  }, async () => {
    const first = await service('box');
    expect(await callOver(first.url, 'create_wallet', { filename: 'w', language: 'English' })).toEqual({});
    for (const name of ['box', 'another']) expect((await refusedIn(name)).lines.join()).toMatch(HELD);
    const label = { account_index: 0, label: 'kept' };
    expect(await callOver(first.url, 'create_address', label)).toMatchObject({ address_index: '1' });
    await first.kill();

    const second = await service('anew');
    try {
      expect(await callOver(second.url, 'open_wallet', { filename: 'w' })).toEqual({});
      expect(await callOver(second.url, 'get_address', { account_index: 0, address_index: [1] })).toMatchObject({
        addresses: [{ label: 'kept' }],
      });
      expect((await refusedIn('box')).lines.join()).toMatch(HELD);
    } finally {
      await second.kill();
    }
  });
});

describe('T17 two writers: the lock of a wallet', () => {
  const script = join(import.meta.dirname, '..', 'storage', 'opener.ts');
  const open = (where: string, under: readonly string[]): ChildProcess => {
    const [program = '', ...words] = [...under, process.execPath, '--import', 'tsx', script, where];
    return spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  };
  const said = async ({ stdout }: ChildProcess): Promise<string> => String((await once(stdout!, 'data'))[0]);

  it.each([
    ['of its own network', ''],
    ['of its own network, and a path longer than a socket may have', 'x'.repeat(120)],
  ])('holds against a container %s', { timeout: 120_000 }, async (_, deep) => {
    const where = join(folder, `lock${deep.length}`, deep);
    mkdirSync(where, { recursive: true });
    const journal = await new FileJournalStore(where, { kdf: CHEAP_KDF }).create('w', 'pass', secrets(), [created]);
    expect(await said(open(where, container('box', ['--net'])))).toBe('locked');
    await journal.close();
    expect(readdirSync(where)).toEqual(['w.nightjar']);
    const inside = open(where, container('box', ['--net']));
    expect(await said(inside)).toBe('open');
    const store = new FileJournalStore(where, { kdf: CHEAP_KDF });
    await expect(store.open('w', 'pass')).rejects.toMatchObject({ code: 'locked' });
    inside.kill('SIGKILL');
    await once(inside, 'close');
    await (await store.open('w', 'pass')).close();
    expect(readdirSync(where)).toEqual(['w.nightjar']);
  });

  it('is had by one of many processes at once', { timeout: 120_000 }, async () => {
    const where = join(folder, 'many');
    await (await new FileJournalStore(where, { kdf: CHEAP_KDF }).create('w', 'pass', secrets(), [created])).close();
    const takers = Array.from({ length: 6 }, (_, i) => open(where, container(`box${i}`, ['--net'])));
    const outcomes = await Promise.all(takers.map(said));
    for (const taker of takers) taker.kill('SIGKILL');
    expect(outcomes.sort()).toEqual(['locked', 'locked', 'locked', 'locked', 'locked', 'open']);
  });
});
