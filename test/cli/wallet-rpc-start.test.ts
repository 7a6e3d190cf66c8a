import { mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hexToBytes, stringifyJson } from '../../src/base/index.ts';
import { readFlags } from '../../src/cli/flags.ts';
import { notifier } from '../../src/cli/notify.ts';
import { startService } from '../../src/cli/wallet-rpc/command.ts';
import { FLAGS, readSettings } from '../../src/cli/wallet-rpc/flags.ts';
import { outputsFile } from '../../src/wallet2/index.ts';
import { callOver } from '../support/rpc-wire.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nightjar-start-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SEED =
  'velvet lymph giddy number token physics poetry unquoted nibs useful sabotage limits benches lifestyle eden nitrogen anvil fewest avoid batch vials washing fences goat unquoted';
const ADDRESS = '42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm';
const SPEND_KEY = '148d78d2aba7dbca5cd8f6abcfb0b3c009ffbdbea1ff373d50ed94d78286640e';
const VIEW_KEY = '49774391fa5e8d249fc2c5b45dadef13534bf2483dede880dac88f061e809100';

const described = (fields: Record<string, unknown>, ...more: string[]) => {
  const path = join(folder, 'wallet.json');
  writeFileSync(path, stringifyJson(fields as never));
  const flags = ['--rpc-bind-port', '0', '--offline', '--disable-rpc-login', '--generate-from-json', path, ...more];
  return readSettings(readFlags('wallet-rpc', FLAGS, flags));
};

describe('--compat', () => {
  it.each([
    ['0.18.0 writes files of outputs as releases before 0.18.1.1 read them', ['--compat', '0.18.0'], undefined],
    ['is not needed for today’s releases', [], 0],
  ])('%s', async (what, flags, total) => {
    const fields = { version: 1, filename: join(folder, what.replaceAll(/\W/g, '-')), viewkey: VIEW_KEY, spendkey: SPEND_KEY };
    const running = await startService(described(fields, ...flags));
    try {
      const answer = await callOver(`http://127.0.0.1:${running.port}`, 'export_outputs', { all: true });
      const { outputs_data_hex } = answer as { outputs_data_hex: string };
      expect((await outputsFile.open(hexToBytes(outputs_data_hex), hexToBytes(VIEW_KEY))).total).toBe(total);
    } finally {
      await running.stop();
    }
  });
});

describe('--generate-from-json', () => {
  it.each([
    ['words', { seed: SEED }],
    ['a spend key', { spendkey: SPEND_KEY }],
    ['both keys and their address', { spendkey: SPEND_KEY, viewkey: VIEW_KEY, address: ADDRESS }],
    ['a view key and the address', { viewkey: VIEW_KEY, address: ADDRESS }],
  ])('makes the wallet of %s', async (what, keys) => {
    const filename = join(folder, what.replaceAll(' ', '-'));
    const running = await startService(described({ version: 1, filename, password: 'pw', scan_from_height: 5, ...keys }));
    const url = `http://127.0.0.1:${running.port}`;
    try {
      expect(await callOver(url, 'get_address', { account_index: 0 })).toMatchObject({ address: ADDRESS });
      const viewOnly = { code: '-29', message: 'The wallet is watch-only. Cannot retrieve spend key.' };
      const spends = 'seed' in keys || 'spendkey' in keys;
      expect(await callOver(url, 'query_key', { key_type: 'spend_key' })).toEqual(spends ? { key: SPEND_KEY } : viewOnly);
      // One wallet, no folder of them.
      expect(await callOver(url, 'create_wallet', { filename: 'x', language: 'English' })).toMatchObject({ code: '-23' });
    } finally {
      await running.stop();
    }
    await expect(startService(described({ version: 1, filename, ...keys }))).rejects.toThrow(/failed to generate new wallet/);
    const flags = ['--rpc-bind-port', '0', '--offline', '--disable-rpc-login', '--wallet-file', filename, '--password', 'pw'];
    const again = await startService(readSettings(readFlags('wallet-rpc', FLAGS, flags)));
    try {
      expect(await callOver(`http://127.0.0.1:${again.port}`, 'get_address', {})).toMatchObject({ address: ADDRESS });
    } finally {
      await again.stop();
    }
  });

  it.each([
    [{ filename: 'x', seed: SEED }, /version not found/],
    [{ version: 2, filename: 'x', seed: SEED }, /too new/],
    [{ version: 1, seed: SEED }, /filename not found/],
    [{ version: 1, filename: 5, seed: SEED }, /filename.*not String/],
    [{ version: 1, filename: 'x' }, /At least one of/],
    [{ version: 1, filename: 'x', seed: SEED, viewkey: VIEW_KEY }, /Both Electrum-style/],
    [{ version: 1, filename: 'x', seed: 'some words' }, /failed verification/],
    [{ version: 1, filename: 'x', seed: SEED.split(' ').slice(0, 24).join(' ') }, /deprecated/],
    [{ version: 1, filename: 'x', viewkey: VIEW_KEY }, /Address must be specified/],
    [{ version: 1, filename: 'x', viewkey: 'ab' }, /failed to parse view key/],
    [{ version: 1, filename: 'x', spendkey: '0'.repeat(64) }, /may not be all zeroes/],
    [{ version: 1, filename: 'x', viewkey: SPEND_KEY, address: ADDRESS }, /match/],
    [{ version: 1, filename: 'x', spendkey: VIEW_KEY, address: ADDRESS }, /match/],
    [{ version: 1, filename: 'x', spendkey: SPEND_KEY, address: 'nonsense' }, /invalid address/],
    [[1], /Failed to parse JSON/],
  ])('refuses %j', async (fields, message) => {
    await expect(startService(described(fields as never))).rejects.toThrow(message);
  });
});

it('a port that is taken is told with the flag that names another', async () => {
  const flags = ['--offline', '--disable-rpc-login', '--wallet-dir', folder];
  const settingsAt = (port: number) => readSettings(readFlags('wallet-rpc', FLAGS, ['--rpc-bind-port', String(port), ...flags]));
  const running = await startService(settingsAt(0));
  const advice = /is taken: choose another with --rpc-bind-port, or --rpc-bind-port 0 for any/;
  await expect(startService(settingsAt(running.port))).rejects.toThrow(advice);
  await running.stop();
});

describe('--tx-notify', () => {
  it('runs a program without a shell, an environment and an input, the hash in place of %s', async () => {
    const script = join(folder, 'notify.sh');
    const told = join(folder, 'told');
    writeFileSync(script, `#!/bin/sh\n{ echo "$#|$1|$2|$HOME"; cat; } > ${told}.part\nmv ${told}.part ${told}\n`, {
      mode: 0o755,
    });
    const written = new Promise<void>((done) => {
      const watcher = watch(folder, (_event, name) => {
        if (name !== 'told') return;
        watcher.close();
        done();
      });
    });
    notifier('tx-notify', `${script} tx=%s  $(id)\t;%s`)({ '%s': 'ab'.repeat(32) });
    await written;
    expect(readFileSync(told, 'utf8')).toBe(`3|tx=${'ab'.repeat(32)}|$(id)|\n`);
  });

  it('wants a file that is there', () => {
    expect(() => notifier('tx-notify', `${join(folder, 'none')} %s`)).toThrow(/--tx-notify: file not found/);
    expect(() => notifier('tx-notify', folder)).toThrow(/--tx-notify: file not found/);
  });
});
