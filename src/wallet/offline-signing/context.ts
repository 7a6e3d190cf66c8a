import type { Clock } from '../../base/index.ts';
import type { DaemonClient } from '../../daemon/index.ts';
import type { WalletContext } from '../context.ts';

/** What a trusted daemon is asked about key images (T24). */
export type TrustedDaemon = Pick<DaemonClient, 'isKeyImageSpent' | 'getTransactions'>;

/** What signing elsewhere needs of its wallet, once its subaddresses are known. */
export type OfflineContext = Pick<WalletContext, 'state' | 'keys' | 'find' | 'append' | 'signer' | 'random'> & {
  readonly clock: Pick<Clock, 'now'>;
};
