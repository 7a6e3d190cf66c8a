import type { DaemonClient } from '../../daemon/index.ts';
import type { ScanPool } from '../../scan/index.ts';
import type { WalletContext } from '../context.ts';
import type { PoolView } from '../pool.ts';
import type { SubaddressTable } from '../subaddresses.ts';

/** The parts of a wallet that syncing needs. */
export type SyncContext = Pick<WalletContext, 'state' | 'keys' | 'clock' | 'append'> & {
  readonly table: SubaddressTable;
  readonly scanPool: ScanPool;
  /** Whether the daemon may learn what is ours (T24). */
  isTrusted(): boolean;
  /** Replaces what the state knows of the pool, and tells subscribers. */
  showPool(pool: PoolView): void;
  /** Called once connected, with the daemon's claimed network: a new wallet's own may still be open. */
  settleNetwork(nettype: string): Promise<void>;
  /** Called once connected, before blocks are requested: the restore height may still be a date. */
  beforeFirstBlock(daemon: SyncDaemon, signal: AbortSignal): Promise<void>;
  /** Called at the tip, for housekeeping. */
  atTip(): Promise<void>;
};

/** The daemon calls of a syncing wallet. */
export type SyncDaemon = Pick<
  DaemonClient,
  | 'getInfo'
  | 'getBlocks'
  | 'getPoolNews'
  | 'getBlocksByHeight'
  | 'getPoolHashes'
  | 'getTransactions'
  | 'sendRawTransaction'
  | 'getBlockHeaderByHeight'
  | 'getHeight'
>;
