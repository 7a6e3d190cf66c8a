import type { Clock, SerialQueue } from '../base/index.ts';
import type { Random } from '../crypto/index.ts';
import type { DaemonClient } from '../daemon/index.ts';
import type { SyncStatus } from './api.ts';
import type { WalletDevice } from './device/wallet-device.ts';
import type { WalletKeys } from './keys.ts';
import type { SubaddressIndex } from './model.ts';
import type { Durability, Journal } from './ports.ts';
import type { Signer } from './spend/signer.ts';
import type { WalletEvent } from './state/events.ts';
import type { WalletState } from './state/state.ts';
import type { WalletSecrets } from './wallet-secrets.ts';

/**
 * The inside of an open wallet, from which its parts are made: proofs, offline signing, payments. Private to this room. Reads return the
 * wallet's current state; every change goes through `append`.
 */
export interface WalletContext {
  /** Read only; changes as events are appended. */
  readonly state: WalletState;
  readonly keys: WalletKeys;
  readonly secrets: WalletSecrets;
  /** Signs this wallet's payments; undefined in a view-only wallet. */
  readonly signer: Signer | undefined;
  /** The device that holds the spend key, in a wallet of that kind. */
  readonly device?: Pick<WalletDevice, 'isNeeded' | 'learnKeyImages' | 'recipientsAtOnce' | 'prove'> | undefined;
  /** The current daemon. */
  readonly daemon: DaemonClient | undefined;
  readonly trusted: boolean;
  /** Whether fees have an absolute bound (T1): always, except on regtest that the person named or that runs on this machine. */
  readonly boundsFees: boolean;
  readonly random: Random;
  readonly clock: Clock;
  readonly sync: SyncStatus;
  /** The wallet's address at an index, as text. */
  addressOf(index: SubaddressIndex): string;
  /** Which subaddress a public spend key belongs to, within the lookahead. Only once `ready` has resolved. */
  find(spendKey: Uint8Array): SubaddressIndex | undefined;
  /** The index of a wallet address given as text; undefined if it is somebody else's, or not an address. */
  lookup(address: string): SubaddressIndex | undefined;
  /** Resolves when `find` knows all subaddresses in the lookahead of those made so far. @throws WalletError `closed` */
  ready(): Promise<void>;
  /** Runs `work` while no scan is running; the scan continues afterwards. @throws WalletError `closed` */
  still<T>(work: () => Promise<T>): Promise<T>;
  /** Payments are sent through this queue, so that the second sees the coins of the first as spent (T3). */
  readonly leaving: SerialQueue;
  /** Rings are chosen through this queue, for one payment after the other, so that the second sees the stored rings of the first (T3). */
  readonly choosing: SerialQueue;
  /** Writes events to the journal and applies them to the state, all or none. */
  append(events: readonly WalletEvent[], durability: Durability): Promise<void>;
  /** Replaces the journal by a snapshot. */
  compact(): Promise<void>;
  /** Mark of the journal, by which a restored older state is recognised. */
  readonly journal: Pick<Journal, 'mark' | 'setMark'>;
}
