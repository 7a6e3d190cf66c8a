import type { Clock, Log } from '../base/index.ts';
import type { Random } from '../crypto/index.ts';
import type { DaemonClient } from '../daemon/index.ts';
import type { AliasResolver } from '../openalias/index.ts';
import type { Network } from '../protocol/index.ts';
import type { DaemonSettings, NewWallet, Wallet } from '../wallet/index.ts';
import type { Compat } from '../wallet2/index.ts';

/** Surroundings of the service: one open wallet, the folder it came from, and the daemon. Implemented for Node and for the page. */
export interface ServiceHost {
  /** The network of wallets made here: the one the service was started for. */
  readonly network: Network;
  /** View-only commands alone. */
  readonly restricted: boolean;
  readonly random: Random;
  readonly clock: Clock;
  readonly wallet: Wallet | undefined;
  /** Where wallets are made and opened by name; undefined when the service was started for one wallet (no `--wallet-dir`). */
  readonly walletFolder: WalletFolder | undefined;
  /** The daemon of the open wallet, or of the next one. */
  readonly daemon: DaemonSettings | undefined;
  /** A client of that daemon; undefined when there is none. */
  readonly daemonClient: DaemonClient | undefined;
  /** No daemon is wanted (`--offline`): what would look at one finds nothing, and that is no failure. */
  readonly offline: boolean;
  /** Whether the daemon may be asked what tells it which outputs are ours; one that was never named is this machine's own. */
  readonly trusted: boolean;
  /** Every daemon is reached through a proxy that was named at the start. */
  readonly proxied: boolean;
  /**
   * Takes another daemon for the open wallet; the next wallet begins with the one of the start again.
   * @param proxy `[ip:]port` of a SOCKS proxy on the way to it
   * @throws DaemonError `bad-url`
   */
  setDaemon(settings: DaemonSettings, tls?: DaemonTls, proxy?: string): Promise<void>;
  /** The open wallet has no daemon from now on. @param trusted what {@link trusted} is then */
  leaveDaemon(trusted: boolean): Promise<void>;
  /** Whether the wallet follows its daemon by itself. */
  setAutoRefresh(enabled: boolean): Promise<void>;
  readonly autoRefresh: boolean;
  /** Everything of the open wallet on the disk, then closed. Nothing when none is open. */
  closeWallet(): Promise<void>;
  /** Asks the service to end after this reply. */
  requestStop(): void;
  /** Level 0 … 4 or categories, as the reference's `set_log_level` and `set_log_categories`; returns the categories in force. */
  setLog(levelOrCategories: number | string): string;
  /** Takes the lines of the log; nobody reads them when absent. */
  readonly log?: Log;
  /** Threads this machine runs at once, when it is known. */
  readonly concurrency?: number;
  /** Release of the reference that exported outputs and unsigned sets are written for; the current one when absent. */
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

/** Wallets by file name. The one opened becomes {@link ServiceHost.wallet}, in place of the one before. */
export interface WalletFolder {
  /** Whether a wallet, or a cache of the reference's, has this name: those that make wallets look at no keys file before they read the rest. */
  has(name: string): Promise<boolean>;
  /** Path that the reference's `.keys` file of this name has. */
  keysFile(name: string): string;
  /** @throws StorageError `exists`, also where a keys file of the reference's lies alone; `bad-name` */
  create(name: string, password: string, made: NewWallet): Promise<Wallet>;
  /** @throws StorageError `not-found`, `wrong-password`, `locked`, `damaged` */
  open(name: string, password: string): Promise<Wallet>;
}
