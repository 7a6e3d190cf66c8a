import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bytesToHex } from '../src/base/index.ts';
import { freePort, startChild } from '../test/support/child.ts';
import { startWalletRpc, toBigint } from '../test/support/programs.ts';
import { type CallOptions, callRpc } from '../test/support/rpc.ts';
import { recipient, recipientAddress } from './sync/chain.ts';

/** A running wallet service, ours or the reference's: the same flags, the same calls. */
export interface Side {
  readonly url: string;
  readonly pid: number;
  rpc<T>(method: string, params?: unknown, options?: CallOptions): Promise<T>;
  stop(): Promise<void>;
}

const CLI = fileURLToPath(new URL('../dist/node/bin/cli.js', import.meta.url));
const READY_TIMEOUT = 30_000;
const HOST = '127.0.0.1';

/** `nightjar wallet-rpc` as `scripts/nightjar.mjs` runs it. */
export async function startOurs(daemon: string): Promise<Side> {
  const port = await freePort();
  const url = `http://${HOST}:${port}`;
  const child = startChild('wallet-rpc', process.execPath, (folder) => {
    mkdirSync(join(folder, 'wallets'));
    const bind = ['--rpc-bind-ip', HOST, '--rpc-bind-port', String(port), '--disable-rpc-login', '--non-interactive'];
    return [CLI, 'wallet-rpc', '--wallet-dir', join(folder, 'wallets'), ...bind, '--daemon-address', daemon, '--trusted-daemon'];
  });
  const rpc = <T>(method: string, params: unknown = {}, options?: CallOptions) => callRpc<T>(url, method, params, options);
  for (const deadline = Date.now() + READY_TIMEOUT; ; await pause(50)) {
    try {
      await rpc('auto_refresh', { enable: false });
      return { url, pid: child.pid, rpc, stop: () => child.stop() };
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`our service does not answer: ${child.output()}`, { cause: error });
    }
  }
}

/** monero-wallet-rpc, allowed as many clients from one address as ours allows by default. */
export const startTheirs = (daemon: string): Promise<Side> =>
  startWalletRpc({ daemon, extraArgs: ['--rpc-max-connections-per-private-ip', '100'] });

/** Restores the wallet that the synthetic chain pays; it has not scanned any block yet. */
export async function restore(side: Side): Promise<void> {
  const { spendKey, viewKey } = recipient();
  await side.rpc('generate_from_keys', {
    filename: 'bench',
    password: '',
    address: recipientAddress(),
    spendkey: bytesToHex(spendKey),
    viewkey: bytesToHex(viewKey),
    restore_height: 0,
    autosave_current: false,
  });
}

/** @throws Error if the wallet has another balance than the chain has for it */
export async function expectBalance(side: Side, expected: bigint): Promise<void> {
  const { balance } = await side.rpc<{ balance: number | bigint }>('get_balance', { account_index: 0 });
  if (toBigint(balance) !== expected) throw new Error(`${side.url} has ${balance}, the chain holds ${expected}`);
}
