import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readFlags } from '../../src/cli/flags.ts';
import { startService } from '../../src/cli/wallet-rpc/command.ts';
import { FLAGS, readSettings } from '../../src/cli/wallet-rpc/flags.ts';
import { DEFAULT_KDF } from '../../src/storage/index.ts';
import { callOver } from '../support/rpc-wire.ts';

// In a process of its own: what an earlier wallet's hash left would be taken for what was there before.

test('the service makes and opens a wallet without keeping the memory of its password’s hash', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightjar-wallet-rpc-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const flags = ['--rpc-bind-port', '0', '--offline', '--disable-rpc-login', '--wallet-dir', folder];
  const { port, stop } = await startService(readSettings(readFlags('wallet-rpc', FLAGS, flags)));
  const call = (method: string, params: object) => callOver(`http://127.0.0.1:${port}`, method, params);
  const before = process.memoryUsage().external;
  const wallet = { filename: 'one', password: 'pw' };
  expect(await call('create_wallet', { ...wallet, language: 'English' })).toEqual({});
  expect(await call('open_wallet', wallet)).toEqual({});
  expect(process.memoryUsage().external - before).toBeLessThan((DEFAULT_KDF.memory * 1024) / 2);
  await stop();
});
