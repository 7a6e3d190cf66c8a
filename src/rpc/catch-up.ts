import type { SyncStatus, Wallet } from '../wallet/index.ts';
import { isDaemonUnreachable, RpcError } from './errors.ts';
import type { ServiceHost } from './host.ts';

/** Result of a refresh. */
export interface CaughtUp {
  readonly blocks: number;
  readonly receivedMoney: boolean;
}

/** Complete polls of the daemon's chain, until a failure or the tip. */
const LOOKS = 2;

/**
 * Brings the wallet to its daemon's tip. A wallet without automatic refresh is paused again afterwards.
 * @throws RpcError `noDaemonConnection`; `daemonBusy`; `unknown` for a chain that cannot be followed
 */
export async function catchUp(host: ServiceHost, wallet: Wallet): Promise<CaughtUp> {
  // As the reference's offline wallets: having nothing to refresh is not a failure.
  if (host.offline) return { blocks: 0, receivedMoney: false };
  const [height, last] = [wallet.chain.height, wallet.transfers.lastReceived];
  if (!host.autoRefresh) await wallet.resume();
  try {
    // The first poll may have been running already, from before a block that the client knows of.
    for (let look = 0; look < LOOKS; look++) await toTip(wallet);
  } finally {
    if (!host.autoRefresh) await wallet.pause();
  }
  // The genesis block is known before any scan, and not fetched.
  return {
    blocks: Math.max(0, wallet.chain.height - Math.max(1, height)),
    receivedMoney: wallet.transfers.lastReceived !== last,
  };
}

/** Milliseconds that an answer waits for a rescan. */
const BRIEFLY = 5000;

/** Waits a moment for the wallet to reach its daemon's tip. Otherwise it continues by itself. */
export async function catchUpBriefly(host: ServiceHost, wallet: Wallet): Promise<void> {
  const done = new AbortController();
  const caughtUp = catchUp(host, wallet)
    .catch(() => undefined)
    .finally(() => done.abort());
  await Promise.race([caughtUp, host.clock.sleep(BRIEFLY, done.signal)]);
}

async function toTip(wallet: Wallet): Promise<void> {
  for (;;) {
    await wallet.refresh();
    const { phase, error } = wallet.sync;
    if (phase === 'live') return;
    // A daemon that refuses the login is not asked again, but clients are told that it cannot be reached.
    if (phase === 'stopped' && !isDaemonUnreachable(error?.code)) throw new RpcError('unknown', reasonOf(error));
    if (error?.code === 'busy') throw new RpcError('daemonBusy', 'daemon is busy');
    if (phase !== 'syncing' && phase !== 'connecting') throw new RpcError('noDaemonConnection', 'no connection to daemon', error);
  }
}

/** Why a wallet stopped, and what to do. */
function reasonOf(error: SyncStatus['error']): string {
  const message = error?.message ?? 'expected a chain that can be followed';
  return error?.code === 'reorg-too-deep' ? `${message}; rescan_blockchain follows the daemon's chain` : message;
}
