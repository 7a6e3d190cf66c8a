import type { DaemonClient } from '../../daemon/index.ts';
import type { WalletContext } from '../context.ts';

/** Daemon calls that proofs make: public facts of the transaction that a proof names, and of its ring. */
export type ProofDaemon = Pick<DaemonClient, 'getTransactions' | 'getOuts' | 'getHeight' | 'isKeyImageSpent'>;

/** The parts of a wallet that proofs need, once its subaddresses are known. */
export type ProofContext = Pick<WalletContext, 'state' | 'keys' | 'find' | 'random' | 'device'> & {
  readonly daemon: ProofDaemon;
};
