import type { DaemonClient } from '../../daemon/index.ts';
import type { WalletContext } from '../context.ts';

/** What of a daemon proofs ask: public facts of the transaction that a proof names, and of its ring. */
export type ProofDaemon = Pick<DaemonClient, 'getTransactions' | 'getOuts' | 'getHeight' | 'isKeyImageSpent'>;

/** What proving needs of its wallet, once its subaddresses are known. */
export type ProofContext = Pick<WalletContext, 'state' | 'keys' | 'find' | 'random' | 'device'> & {
  readonly daemon: ProofDaemon;
};
