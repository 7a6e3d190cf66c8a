import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/crypto/index.ts';
import { createInlineScanPool } from '../../src/scan/index.ts';
import { FileJournalStore } from '../../src/storage/file-store.ts';
import { type NewWallet, newWallet, walletFromViewKey } from '../../src/wallet/create-wallet.ts';
import { environment } from '../../src/wallet/environment.ts';
import { Wallet } from '../../src/wallet/wallet.ts';
import { findReference, type ReferenceRelease } from '../support/child.ts';
import { inside } from '../support/inside.ts';
import { startNightjar } from '../support/nightjar.ts';
import { type MoneroWalletRpc, startWalletRpc } from '../support/programs.ts';

// The way back: what our command line writes is opened by the reference's programs, with the password that ours has.

const PASSWORD = 'pä"ss\\wörd';
const RESTORE_HEIGHT = 3_210_000;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-export-'));
  writeFileSync(join(folder, 'password'), `${PASSWORD}\n`, { mode: 0o600 });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = () =>
  environment({
    store: new FileJournalStore(folder, { kdf: { memory: 8, passes: 1, lanes: 1 } }),
    scanPool: createInlineScanPool,
  });

/** Makes a wallet of ours, closed again. */
async function made(name: string, wallet: NewWallet): Promise<{ readonly address: string; readonly seed: string | undefined }> {
  const opened = await Wallet.create(env(), name, PASSWORD, wallet);
  const { primaryAddress: address, kind } = inside(opened).state.description;
  const seed = kind === 'full' ? await opened.secrets.words() : undefined;
  await opened.close();
  return { address, seed };
}

async function exported(name: string, ...more: string[]): Promise<Uint8Array> {
  const files = ['--wallet-file', join(folder, name), '--password-file', join(folder, 'password')];
  const program = startNightjar(['export-keys-file', ...files, '--output', join(folder, `${name}.keys`), ...more]);
  expect([await program.ended, program.lines]).toEqual([0, [`Wrote ${join(folder, `${name}.keys`)}`]]);
  return new Uint8Array(readFileSync(join(folder, `${name}.keys`)));
}

const secret = async (rpc: MoneroWalletRpc, kind: string) =>
  (await rpc.rpc<{ key: string }>('query_key', { key_type: kind })).key;

describe('a .keys file of ours in the hands of the reference', () => {
  it.each(['0.18.5.3', '0.18.0.0'] as const)('monero-wallet-rpc %s opens it: address, words, language', async (release) => {
    const theirs = await startWalletRpc({ release: release as ReferenceRelease });
    try {
      const from = { height: RESTORE_HEIGHT };
      const full = await made(
        `full ${release}`,
        await newWallet(systemRandom, { network: 'mainnet', from, now: 1_700_000_000 }, 'German'),
      );
      writeFileSync(join(theirs.walletDir, 'full.keys'), await exported(`full ${release}`));
      await expect(theirs.rpc('open_wallet', { filename: 'full', password: 'other' })).rejects.toThrow();
      await theirs.rpc('open_wallet', { filename: 'full', password: PASSWORD });
      expect(await theirs.address()).toBe(full.address);
      expect(await secret(theirs, 'mnemonic')).toBe(full.seed);
      const viewKey = await secret(theirs, 'view_key');
      await theirs.closeWallet();
      const watching = await walletFromViewKey(full.address, viewKey, { network: 'mainnet', from, now: 1_700_000_000 });
      await made(`view ${release}`, watching);
      writeFileSync(join(theirs.walletDir, 'view.keys'), await exported(`view ${release}`));
      await theirs.rpc('open_wallet', { filename: 'view', password: PASSWORD });
      expect(await theirs.address()).toBe(full.address);
      expect(await secret(theirs, 'view_key')).toBe(viewKey);
      await expect(secret(theirs, 'mnemonic')).rejects.toThrow(/watch-only/);
    } finally {
      await theirs.stop();
    }
  });

  it('monero-wallet-cli opens it: restore height, network, and a password that was hashed three times', async () => {
    const from = { height: RESTORE_HEIGHT };
    const { address } = await made('cli', await newWallet(systemRandom, { network: 'stagenet', from, now: 1_700_000_000 }));
    await exported('cli', '--kdf-rounds', '3');
    const cli = (command: string) =>
      spawnSync(
        findReference('monero-wallet-cli'),
        [
          ...['--stagenet', '--offline', '--kdf-rounds', '3', '--log-file', join(folder, 'cli.log')],
          ...['--wallet-file', join(folder, 'cli'), '--password-file', join(folder, 'password'), '--command', command],
        ],
        { input: `${PASSWORD}\n`, encoding: 'utf8', timeout: 60_000, env: { HOME: folder, LANG: 'C.UTF-8' } },
      ).stdout;
    expect(cli('restore_height')).toContain(String(RESTORE_HEIGHT));
    const info = cli('wallet_info');
    expect(info).toContain(address);
    expect(info).toContain('Stagenet');
  });

  it('a wrong password writes nothing, and a file that is there stays', async () => {
    await made('kept', await newWallet(systemRandom, { network: 'mainnet', now: 1_700_000_000 }));
    const file = join(folder, 'kept');
    const wrong = startNightjar(['export-keys-file', '--wallet-file', file, '--password', 'other']);
    expect(await wrong.ended).toBe(1);
    expect(() => readFileSync(`${file}.keys`)).toThrow();
    writeFileSync(`${file}.keys`, 'precious');
    const again = startNightjar(['export-keys-file', '--wallet-file', file, '--password', PASSWORD]);
    expect([await again.ended, again.lines]).toEqual([
      1,
      [`nightjar: ${file}.keys is there already: choose another file with --output`],
    ]);
    expect(readFileSync(`${file}.keys`, 'utf8')).toBe('precious');
  });

  it('a disk that takes a part of it alone has none of it, and the next try succeeds', async () => {
    await made('part', await newWallet(systemRandom, { network: 'mainnet', now: 1_700_000_000 }));
    const file = join(folder, 'part');
    const flags = ['--wallet-file', file, '--password-file', join(folder, 'password')];
    const under = ['sh', '-c', 'ulimit -f 1 && exec "$0" "$@"'];
    const full = startNightjar(['export-keys-file', ...flags], { under, env: { TSX_DISABLE_CACHE: '1' } });
    expect([await full.ended, full.lines.join()]).toEqual([1, expect.stringContaining('cannot be written')]);
    expect(readdirSync(folder).filter((name) => name.startsWith('part.keys'))).toEqual([]);
    expect((await exported('part')).length).toBeGreaterThan(512);
  });
});
