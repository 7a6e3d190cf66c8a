import { type Clock, systemClock } from '../base/index.ts';
import { type Random, systemRandom } from '../crypto/index.ts';
import { DaemonClient, isOnThisMachine } from '../daemon/index.ts';
import type { ScanPool } from '../scan/index.ts';
import type { DaemonSettings } from './api.ts';
import type { JournalStore } from './ports.ts';
import { DEFAULT_SYNC_OPTIONS, type SyncOptions } from './sync/engine.ts';

/** Surroundings of a wallet: the store of its journal, its scanner, and its connection to a daemon. */
export interface WalletEnvironment {
  readonly store: JournalStore;
  /** Makes the scan pool; called once, when the wallet first connects to a daemon. */
  readonly scanPool: () => ScanPool | Promise<ScanPool>;
  readonly clock: Clock;
  readonly random: Random;
  /** @throws DaemonError `bad-url`, `mixed-content`; WalletError `no-daemon` where there is none at these settings */
  readonly connect: (settings: DaemonSettings) => DaemonClient;
  /**
   * Whether a daemon's claim to be regtest, where fees have no absolute bound, is accepted (T1): from one on this machine, or if the person
   * asked for regtest by name.
   */
  readonly believesRegtest: (settings: DaemonSettings) => boolean;
  readonly sync: SyncOptions;
}

/** The parts that have no default. */
export type EnvironmentParts = Pick<WalletEnvironment, 'store' | 'scanPool'> &
  Partial<Omit<WalletEnvironment, 'sync'>> & { readonly sync?: Partial<SyncOptions> };

/** The surroundings of wallets; clock, randomness and daemon client default to this platform's. */
export function environment(parts: EnvironmentParts): WalletEnvironment {
  const sync = { ...DEFAULT_SYNC_OPTIONS, ...parts.sync };
  const believesRegtest = ({ url }: DaemonSettings) => isOnThisMachine(url);
  return { clock: systemClock, random: systemRandom, connect: connectDaemon, believesRegtest, ...parts, sync };
}

/** @throws DaemonError `bad-url`, `mixed-content` */
export function connectDaemon({ url, username, password }: DaemonSettings): DaemonClient {
  return DaemonClient.connect({ url, username, password });
}
