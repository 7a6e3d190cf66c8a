import type { DevnetNode } from '../node.ts';
import type { MinerTimer } from '../timer.ts';

/** What the calls of the daemon work on. */
export interface RpcContext {
  readonly node: DevnetNode;
  readonly timer: MinerTimer;
  /** Unix seconds. */
  readonly startedAt: number;
}

/** As the reference's 0.18.5.3 reports itself: daemon RPC 3.16. */
export const DAEMON_RPC_VERSION = (3 << 16) | 16;
export const VERSION_TEXT = '0.18.5.3-nightjar';

/** Fields that every answer of the blockchain has. */
export const OK = { status: 'OK', untrusted: false } as const;
/** Fields that answers subject to payment have too. The devnet asks none. */
export const PAID_OK = { ...OK, credits: 0, top_hash: '' } as const;
