import type { Clock } from '../../base/index.ts';
import type { DaemonClient } from '../../daemon/index.ts';
import type { OnSpendProgress } from '../api.ts';
import type { WalletContext } from '../context.ts';

/** The daemon calls that paying makes, and no others (T24). */
export type SpendDaemon = Pick<
  DaemonClient,
  | 'getInfo'
  | 'getFeeEstimate'
  | 'getTxPoolBacklog'
  | 'getBlockHeadersRange'
  | 'getOutputDistribution'
  | 'getOutputHistogram'
  | 'getOuts'
  | 'sendRawTransaction'
>;

/** Everything spending needs of its wallet. */
export type SpendContext = Pick<
  WalletContext,
  | 'state'
  | 'keys'
  | 'signer'
  | 'device'
  | 'addressOf'
  | 'lookup'
  | 'leaving'
  | 'choosing'
  | 'append'
  | 'trusted'
  | 'boundsFees'
  | 'random'
> & {
  readonly clock: Pick<Clock, 'now'>;
  readonly daemon: SpendDaemon;
  /** Called when a stage begins. */
  readonly progress?: OnSpendProgress | undefined;
};
