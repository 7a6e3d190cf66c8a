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
 * The inside of an open wallet, which its parts are made from: proofs, offline signing, payments. Nothing outside this room has it.
 * Reads come from the wallet as it is at that moment; every change goes through `append`.
 */
export interface WalletContext {
  /** Read only; moves as events are appended. */
  readonly state: WalletState;
  readonly keys: WalletKeys;
  readonly secrets: WalletSecrets;
  /** Signs this wallet's payments; undefined in a view-only wallet. */
  readonly signer: Signer | undefined;
  /** The device that holds the spend key, in a wallet of that kind. */
  readonly device?: Pick<WalletDevice, 'isNeeded' | 'learnKeyImages' | 'recipientsAtOnce' | 'prove'> | undefined;
  /** The daemon set last. */
  readonly daemon: DaemonClient | undefined;
  readonly trusted: boolean;
  /** Fees are bounded absolutely (T1): always, but for regtest by the person's word or a daemon of this machine. */
  readonly boundsFees: boolean;
  readonly random: Random;
  readonly clock: Clock;
  readonly sync: SyncStatus;
  /** The wallet's address at an index, as text. */
  addressOf(index: SubaddressIndex): string;
  /** Which subaddress a public spend key belongs to, within the lookahead. Only once `ready` has resolved. */
  find(spendKey: Uint8Array): SubaddressIndex | undefined;
  /** Which subaddress of this wallet an address names; undefined when it is somebody else's, or no address. */
  lookup(address: string): SubaddressIndex | undefined;
  /** Resolves when `find` knows all subaddresses in the lookahead of those made so far. @throws WalletError `closed` */
  ready(): Promise<void>;
  /** Does work while nothing is scanned; the scan goes on after it. @throws WalletError `closed` */
  still<T>(work: () => Promise<T>): Promise<T>;
  /** Payments leave through it, one after the other: the second finds the coins of the first taken (T3). */
  readonly leaving: SerialQueue;
  /** Rings are chosen through it, for one payment after the other: the second finds what the first has kept (T3). */
  readonly choosing: SerialQueue;
  /** Writes events to the journal and applies them to the state, all or none. */
  append(events: readonly WalletEvent[], durability: Durability): Promise<void>;
  /** Puts a snapshot in place of the journal. */
  compact(): Promise<void>;
  /** Mark of the journal, by which a restored older state is recognised. */
  readonly journal: Pick<Journal, 'mark' | 'setMark'>;
}
