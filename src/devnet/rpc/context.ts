import type { MinerTimer } from '../miner-timer.ts';
import type { DevnetNode } from '../node.ts';
import type { Service } from './service.ts';

/** What a method works with: the chain with its pool, the miner, and the service. */
export interface RpcContext {
  readonly node: DevnetNode;
  readonly timer: MinerTimer;
  /** Settings of the service itself: bans, limits, logs. */
  readonly service: Service;
  /** Unix seconds. */
  readonly startedAt: number;
  /** A service for strangers: it refuses what acts on the daemon, and serves less at once. */
  readonly restricted?: boolean;
}

/** As the reference's 0.18.5.3 reports itself: daemon RPC 3.16. */
export const DAEMON_RPC_VERSION = (3 << 16) | 16;
/** `version` of get_info: whose behaviour this is. */
export const VERSION_TEXT = '0.18.5.3-nightjar';

/** Fields that every answer of the blockchain has. */
export const OK = { status: 'OK', untrusted: false } as const;
/** Fields that answers subject to payment have too. The devnet asks none. */
export const PAID_OK = { ...OK, credits: 0, top_hash: '' } as const;

/** In the place of a hash that there is none of. */
export const ZERO_HASH = '00'.repeat(32);

/** Limits of one request to a restricted service (core_rpc_server.cpp). */
export const RESTRICTED = {
  blocks: 1_000,
  transactions: 100,
  keyImages: 5_000,
  headers: 1_000,
  outputs: 5_000,
  auxiliaryChains: 10,
  /** Seconds that a recent cutoff may lie back. */
  recentCutoff: 3 * 86_400,
} as const;
