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
  /** A service for strangers: it refuses calls that act on the daemon, and serves less at once. */
  readonly restricted?: boolean;
}

/** As the reference's 0.18.5.3 reports itself: daemon RPC 3.16. */
export const DAEMON_RPC_VERSION = (3 << 16) | 16;
/** `version` of get_info: the release that is emulated. */
export const VERSION_TEXT = '0.18.5.3-nightjar';

/** Fields of every answer about the blockchain. */
export const OK = { status: 'OK', untrusted: false } as const;
/** Fields that answers of payable calls also have. The devnet charges nothing. */
export const PAID_OK = { ...OK, credits: 0, top_hash: '' } as const;

/** Replaces a missing hash. */
export const ZERO_HASH = '00'.repeat(32);

/** Limits of one request to a restricted service (core_rpc_server.cpp). */
export const RESTRICTED = {
  blocks: 1_000,
  transactions: 100,
  keyImages: 5_000,
  headers: 1_000,
  outputs: 5_000,
  auxiliaryChains: 10,
  /** Maximum age of a recent cutoff, in seconds. */
  recentCutoff: 3 * 86_400,
} as const;
