import type { Wallet } from '../wallet/index.ts';
import { RpcError } from './errors.ts';
import type { ServiceHost } from './host.ts';

/**
 * Refuses queries that only a trusted daemon may see (T24). Both the service and the wallet must trust it.
 * @throws RpcError `unknown`, with the reference's message
 */
export function requireTrustedDaemon(host: ServiceHost, wallet: Wallet): void {
  const isTrusted = host.trusted && (wallet.daemon === undefined || wallet.isDaemonTrusted);
  if (!isTrusted) throw new RpcError('unknown', 'This command requires a trusted daemon.');
}
