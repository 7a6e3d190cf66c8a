import type { Random } from '../crypto/index.ts';
import type { DaemonClient } from '../daemon/index.ts';
import type { AliasResolver } from '../openalias/index.ts';
import type { Network } from '../protocol/model.ts';
import type { Compat } from '../protocol/wallet2/index.ts';
import type { DaemonSettings } from '../wallet/api.ts';
import type { NewWallet } from '../wallet/make.ts';
import type { Clock } from '../wallet/ports.ts';
import type { Wallet } from '../wallet/wallet.ts';

/** What the service stands on: one open wallet, the shelf it came from, and the daemon. Implemented for Node and for the page. */
export interface WalletHost {
  /** The network of wallets made here: the one the service was started for. */
  readonly network: Network;
  /** View-only commands alone. */
  readonly restricted: boolean;
  readonly random: Random;
  readonly clock: Clock;
  /** The open wallet. */
  readonly wallet: Wallet | undefined;
  /** Where wallets are made and opened by name; undefined when the service was started for one wallet (no `--wallet-dir`). */
  readonly shelf: WalletShelf | undefined;
  /** The daemon chosen last. */
  readonly daemon: DaemonSettings | undefined;
  /** A client of the daemon chosen last; undefined when none is chosen. */
  readonly daemonClient: DaemonClient | undefined;
  /** Takes another daemon; the open wallet follows. @throws DaemonError `bad-url` */
  setDaemon(settings: DaemonSettings, tls?: DaemonTls): Promise<void>;
  /** Whether the wallet follows its daemon by itself. */
  setAutoRefresh(enabled: boolean): Promise<void>;
  readonly autoRefresh: boolean;
  /** Everything of the open wallet on the disk, then closed. Nothing when none is open. */
  closeWallet(): Promise<void>;
  /** Asks the service to end after this reply. */
  requestStop(): void;
  /** Level 0 … 4 or categories, as the reference's `set_log_level` and `set_log_categories`; returns the categories in force. */
  setLog(levelOrCategories: number | string): string;
  /** Threads this machine runs at once, when it is known. */
  readonly concurrency?: number;
  /** Whose programs are to read files of outputs and unsigned sets; today's when absent. */
  readonly compat?: Compat;
  /** Looks an OpenAlias name up; undefined without a resolver. */
  readonly resolveAlias?: AliasResolver;
}

/** How a daemon's certificate is judged, and ours shown. Empty texts and lists mean nothing of the kind. */
export interface DaemonTls {
  /** `autodetect`: TLS where the daemon speaks it, whoever it is, and plain HTTP where it does not. */
  readonly mode: 'enabled' | 'disabled' | 'autodetect';
  readonly keyFile: string;
  readonly certificateFile: string;
  readonly authoritiesFile: string;
  /** Whether other authorities may stand between the certificate and those of the file. */
  readonly chained: boolean;
  /** SHA-256 fingerprints of certificates that are taken as they are. */
  readonly fingerprints: readonly string[];
  readonly anyCertificate: boolean;
}

/** Wallets by file name. The one opened becomes {@link WalletHost.wallet}, in place of the one before. */
export interface WalletShelf {
  /** Whether a wallet, or a file of the reference's, has this name. */
  has(name: string): Promise<boolean>;
  /** @throws StorageError `exists`, `bad-name` */
  create(name: string, password: string, made: NewWallet): Promise<Wallet>;
  /** @throws StorageError `not-found`, `wrong-password`, `locked`, `damaged` */
  open(name: string, password: string): Promise<Wallet>;
}
