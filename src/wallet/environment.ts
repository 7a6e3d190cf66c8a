import { type Clock, systemClock } from '../base/index.ts';
import { type Random, systemRandom } from '../crypto/index.ts';
import { DaemonClient, isOnThisMachine } from '../daemon/index.ts';
import type { ScanPool } from '../scan/index.ts';
import type { DaemonSettings } from './api.ts';
import type { JournalStore } from './ports.ts';
import { DEFAULT_SYNC_OPTIONS, type SyncOptions } from './sync/engine.ts';

/** Surroundings of a wallet: where its journal lies, who scans for it, and how it reaches a daemon. */
export interface WalletEnvironment {
  readonly store: JournalStore;
  /** Makes the pool that scans; asked once, when the wallet first meets a daemon. */
  readonly scanPool: () => ScanPool | Promise<ScanPool>;
  readonly clock: Clock;
  readonly random: Random;
  readonly connect: (settings: DaemonSettings) => DaemonClient;
  /**
   * Whether a daemon's word is enough that its chain is regtest, where fees have no absolute bound (T1): one on this machine, unless the
   * person asked for regtest by name.
   */
  readonly believesRegtest: (settings: DaemonSettings) => boolean;
  readonly sync: SyncOptions;
}

/** The parts that have no default. */
export type EnvironmentParts = Pick<WalletEnvironment, 'store' | 'scanPool'> &
  Partial<Omit<WalletEnvironment, 'sync'>> & { readonly sync?: Partial<SyncOptions> };

/** The surroundings of wallets, with clock, randomness and daemon client of this platform where none are given. */
export function environment(parts: EnvironmentParts): WalletEnvironment {
  const sync = { ...DEFAULT_SYNC_OPTIONS, ...parts.sync };
  const believesRegtest = ({ url }: DaemonSettings) => isOnThisMachine(url);
  return { clock: systemClock, random: systemRandom, connect: connectDaemon, believesRegtest, ...parts, sync };
}

/** @throws DaemonError `bad-url`, `mixed-content` */
export function connectDaemon({ url, username, password }: DaemonSettings): DaemonClient {
  return DaemonClient.connect({ url, username, password });
}
