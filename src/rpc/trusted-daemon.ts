import type { Wallet } from '../wallet/index.ts';
import { RpcError } from './errors.ts';
import type { ServiceHost } from './host.ts';

/**
 * Refuses what only a trusted daemon is asked (T24). Both have a say: the service, and the wallet where it has a daemon.
 * @throws RpcError `unknown`, in the reference's words
 */
export function requireTrustedDaemon(host: ServiceHost, wallet: Wallet): void {
  const isTrusted = host.trusted && (wallet.daemon === undefined || wallet.isDaemonTrusted);
  if (!isTrusted) throw new RpcError('unknown', 'This command requires a trusted daemon.');
}
