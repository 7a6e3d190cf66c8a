import { systemClock } from '../../src/base/index.ts';
import { systemRandom } from '../../src/crypto/index.ts';
import type { ServiceHost } from '../../src/rpc/host.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';

/** One open wallet and nothing else: enough for most methods of the service. Anything else that a method asks for is refused. */
export function oneWalletHost(wallet: Wallet, more: Partial<ServiceHost> = {}): ServiceHost {
  const refuse = (what: string) => async () => {
    throw new Error(`expected no ${what}`);
  };
  return {
    network: wallet.description.network,
    restricted: false,
    random: systemRandom,
    clock: systemClock,
    wallet,
    walletFolder: undefined,
    daemon: undefined,
    daemonClient: wallet.daemon,
    offline: more.daemon === undefined,
    trusted: true,
    proxied: false,
    autoRefresh: false,
    setDaemon: refuse('other daemon'),
    leaveDaemon: refuse('leave of the daemon'),
    setAutoRefresh: refuse('change of pace'),
    closeWallet: refuse('close'),
    requestStop: () => undefined,
    setLog: String,
    concurrency: 2,
    ...more,
  };
}
