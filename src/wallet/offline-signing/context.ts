import type { Clock } from '../../base/index.ts';
import type { DaemonClient } from '../../daemon/index.ts';
import type { WalletContext } from '../context.ts';

/** Queries about key images, for a trusted daemon only (T24). */
export type TrustedDaemon = Pick<DaemonClient, 'isKeyImageSpent' | 'getTransactions'>;

/** The parts of a wallet that offline signing needs, once its subaddresses are known. */
export type OfflineContext = Pick<WalletContext, 'state' | 'keys' | 'find' | 'append' | 'signer' | 'random'> & {
  readonly clock: Pick<Clock, 'now'>;
};
