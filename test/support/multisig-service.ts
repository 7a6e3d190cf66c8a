import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OwnSeat, Seat } from './multisig-group.ts';
import { startWalletService } from './nightjar.ts';
import { callRpc } from './rpc.ts';

/** A member whose wallet service, ours, is a separate process with a fresh wallet. */
export async function takeServiceSeat(daemon: { readonly url: string }): Promise<OwnSeat> {
  const folder = mkdtempSync(join(tmpdir(), 'nightjar-seat-'));
  const flags = ['--wallet-dir', folder, '--daemon-address', daemon.url, '--trusted-daemon', '--disable-rpc-login'];
  const { url, kill, child } = await startWalletService(flags);
  const rpc: Seat['rpc'] = (method, params) => callRpc(url, method, params);
  await rpc('auto_refresh', { enable: false });
  await rpc('create_wallet', { filename: 'member', password: '', language: 'English' });
  const stop = async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  };
  return { kind: 'ours', url, rpc, stop, pid: child.pid! };
}
