import type { Clock } from '../../base/index.ts';
import type { Random } from '../../crypto/index.ts';
import type { DaemonClient } from '../../daemon/index.ts';
import type { OnSpendProgress } from '../api.ts';
import type { WalletEvent } from '../events.ts';
import type { SubaddressIndex } from '../model.ts';
import type { Durability } from '../ports.ts';
import type { WalletState } from '../state.ts';
import type { Signer } from './unsigned.ts';

/** What of a daemon spending asks. */
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
export interface SpendContext {
  /** Read only; moves as events are appended. */
  readonly state: WalletState;
  readonly daemon: SpendDaemon;
  /** Writes events to the journal and applies them to the state, all or none. */
  append(events: readonly WalletEvent[], durability: Durability): Promise<void>;
  readonly signer: Signer;
  /** Secret view key, 32 bytes: checks that change returns. Not kept. */
  readonly viewKey: Uint8Array;
  /** The wallet's address at an index, as text. */
  addressOf(index: SubaddressIndex): string;
  /** Fees are bounded absolutely, not by what blocks pay alone (T1). */
  readonly boundsFees: boolean;
  readonly random: Random;
  readonly clock: Pick<Clock, 'now'>;
  /** Told what begins, stage by stage. */
  readonly progress?: OnSpendProgress | undefined;
}

/** Unix seconds. */
export const nowSeconds = (ctx: SpendContext): number => Math.floor(ctx.clock.now() / 1000);
