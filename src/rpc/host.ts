import type { Clock, Log } from '../base/index.ts';
import type { Random } from '../crypto/index.ts';
import type { DaemonClient } from '../daemon/index.ts';
import type { AliasResolver } from '../openalias/index.ts';
import type { Network } from '../protocol/index.ts';
import type { DaemonSettings, NewWallet, Wallet } from '../wallet/index.ts';
import type { Compat } from '../wallet2/index.ts';

/** Surroundings of the service: one open wallet, its folder, and the daemon. Implemented for Node and for the page. */
export interface ServiceHost {
  /** The network of wallets made here: the one for which the service was started. */
  readonly network: Network;
  /** View-only commands only. */
  readonly restricted: boolean;
  readonly random: Random;
  readonly clock: Clock;
  readonly wallet: Wallet | undefined;
  /** Where wallets are made and opened by name; undefined when the service was started for one wallet (no `--wallet-dir`). */
  readonly walletFolder: WalletFolder | undefined;
  /** The daemon of the open wallet, or of the next one. */
  readonly daemon: DaemonSettings | undefined;
  /** A client of that daemon; undefined if there is none. */
  readonly daemonClient: DaemonClient | undefined;
  /** Whether daemons are disabled (`--offline`): a refresh then finds nothing, which is not a failure. */
  readonly offline: boolean;
  /** Whether the daemon may be asked queries that reveal our outputs; one that was never named is on this machine. */
  readonly trusted: boolean;
  /** Whether every daemon is reached through a proxy that was named at the start. */
  readonly proxied: boolean;
  /**
   * Sets another daemon for the open wallet; the next wallet begins with that of the start again.
   * @param proxy `[ip:]port` of a SOCKS proxy to it
   * @throws DaemonError `bad-url`
   */
  setDaemon(settings: DaemonSettings, tls?: DaemonTls, proxy?: string): Promise<void>;
  /** Disconnects the open wallet's daemon. @param trusted the new value of {@link trusted} */
  leaveDaemon(trusted: boolean): Promise<void>;
  /** Sets whether the wallet refreshes by itself. */
  setAutoRefresh(enabled: boolean): Promise<void>;
  readonly autoRefresh: boolean;
  /** Stores everything of the open wallet and closes it; does nothing if none is open. */
  closeWallet(): Promise<void>;
  /** Stops the service after this reply. */
  requestStop(): void;
  /** Level 0 … 4 or categories, as the reference's `set_log_level` and `set_log_categories`; returns the categories in force. */
  setLog(levelOrCategories: number | string): string;
  /** Takes the lines of the log; absent if nobody reads them. */
  readonly log?: Log;
  /** Number of threads that this machine runs at once, if known. */
  readonly concurrency?: number;
  /** Release of the reference for which exported outputs and unsigned sets are written; the current one when absent. */
  readonly compat?: Compat;
  /** Resolves an OpenAlias name; undefined without a resolver. */
  readonly resolveAlias?: AliasResolver;
}

/** How a daemon's certificate is checked, and ours presented. Empty texts and lists are unset. */
export interface DaemonTls {
  /** `autodetect`: TLS with any certificate if the daemon speaks it, otherwise plain HTTP. */
  readonly mode: 'enabled' | 'disabled' | 'autodetect';
  readonly keyFile: string;
  readonly certificateFile: string;
  readonly authoritiesFile: string;
  /** Whether intermediate authorities are allowed between the certificate and those of the file. */
  readonly chained: boolean;
  /** SHA-256 fingerprints of certificates that are accepted without further checks. */
  readonly fingerprints: readonly string[];
  readonly anyCertificate: boolean;
}

/** Wallets by file name. The opened one becomes {@link ServiceHost.wallet}, replacing the earlier one. */
export interface WalletFolder {
  /**
   * The file of the wallet, or the cache of the reference, that has this name; undefined if there is none: methods that make wallets ignore a
   * keys file before they read the rest.
   */
  fileOf(name: string): Promise<string | undefined>;
  /** Path of the reference's `.keys` file of this name. */
  keysFile(name: string): string;
  /** @throws StorageError `exists`, also if there is only a keys file of the reference; `bad-name` */
  create(name: string, password: string, made: NewWallet): Promise<Wallet>;
  /** @throws StorageError `not-found`, `wrong-password`, `locked`, `damaged` */
  open(name: string, password: string): Promise<Wallet>;
}
