import type { Clock } from '../../base/index.ts';
import type { Random } from '../../crypto/index.ts';
import type { DaemonClient } from '../../daemon/index.ts';
import type { WalletEvent } from '../events.ts';
import type { WalletKeys } from '../keys.ts';
import type { SubaddressIndex } from '../model.ts';
import type { Durability } from '../ports.ts';
import type { Signer } from '../spend/index.ts';
import type { WalletState } from '../state.ts';

/** What a trusted daemon is asked about key images (T24). */
export type TrustedDaemon = Pick<DaemonClient, 'isKeyImageSpent' | 'getTransactions'>;

/** What exchanging needs of its wallet. */
export interface ExchangeContext {
  /** Read only; moves as events are appended. */
  readonly state: WalletState;
  readonly keys: WalletKeys;
  /** Which subaddress a public spend key belongs to, within the lookahead. */
  find(spendKey: Uint8Array): SubaddressIndex | undefined;
  /** Writes events to the journal and applies them to the state, all or none. */
  append(events: readonly WalletEvent[], durability: Durability): Promise<void>;
  /** Signs with the spend key, if the wallet has it. */
  readonly signer: Signer;
  readonly random: Random;
  readonly clock: Pick<Clock, 'now'>;
}
