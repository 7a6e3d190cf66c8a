import { readUrl } from '../../base/index.ts';
import { isDeviceName } from '../../device/transport/by-name.ts';
import type { Login } from '../../http/index.ts';
import { NETWORKS } from '../../protocol/index.ts';
import { daemonUrl } from '../../rpc/daemon-url.ts';
import type { DaemonTls } from '../../rpc/host.ts';
import type { DaemonSettings } from '../../wallet/index.ts';
import type { Compat } from '../../wallet2/index.ts';
import { isLoopback, refuseUnsupported } from '../bind-flags.ts';
import { CliError } from '../errors.ts';
import { type Flags, type FlagValues, loginFlag, numberFlag, readLogin, textFlag } from '../flags.ts';
import type { LogFileOptions } from '../log-file.ts';
import { type PasswordSource, passwordFlags } from '../password.ts';
import { logFileOf, SERVICE_FLAGS, type ServiceSettings, serviceSettingsOf } from '../service-flags.ts';
import { daemonTlsOf } from '../tls-flags.ts';
import { type Endpoint, readEndpoint } from './socks.ts';

/** The flags of monero-wallet-rpc 0.18.5.3, and two of our own: for test chains and for OpenAlias. */
export const FLAGS: Flags = {
  ...SERVICE_FLAGS,
  'wallet-file': { value: 'file', text: 'open this wallet' },
  'generate-from-json': {
    value: 'file',
    text: 'make the wallet that the file describes, and open it (no effect with --wallet-dir)',
  },
  'wallet-dir': { value: 'folder', text: 'wallets are made and opened here, by name' },
  password: { value: 'text', text: "the wallet's password" },
  'password-file': { value: 'file', text: 'a file with the password' },
  'prompt-for-password': { text: 'with --wallet-file: ask for the password where none is given' },
  'rpc-bind-port': { value: 'port', text: 'where the service listens (0 takes a free port)' },
  'rpc-login': { value: 'name:password', text: 'what clients log in with (or the variable RPC_LOGIN of the environment)' },
  'disable-rpc-login': { text: 'clients need no login' },
  'restricted-rpc': { text: 'view-only commands alone' },
  'daemon-address': { value: 'host:port', text: 'the daemon' },
  'daemon-host': { value: 'host', text: "the daemon's host (default localhost)" },
  'daemon-port': { value: 'port', text: "the daemon's port (default by network)" },
  'daemon-login': { value: 'name[:password]', text: "the daemon's --rpc-login" },
  'daemon-ssl': { value: 'mode', text: 'enabled, disabled or autodetect (the default: TLS where the daemon speaks it)' },
  'daemon-ssl-private-key': { value: 'file', text: 'our key for the daemon, PEM' },
  'daemon-ssl-certificate': { value: 'file', text: 'our certificate for the daemon, PEM' },
  'daemon-ssl-ca-certificates': { value: 'file', text: "certificates to trust in place of the system's, PEM" },
  'daemon-ssl-allow-chained': { text: 'other authorities may stand between its certificate and those to trust' },
  'daemon-ssl-allowed-fingerprints': { value: 'list', many: true, text: 'SHA-256 of certificates to take, a comma between them' },
  'daemon-ssl-allow-any-cert': { text: 'take any certificate from the daemon' },
  proxy: { value: '[ip:]port', text: 'a SOCKS proxy on the way to the daemon (and to the DNS resolver)' },
  'trusted-daemon': { text: 'ask the daemon what tells it which outputs are yours' },
  'untrusted-daemon': { text: 'never ask it that' },
  testnet: { text: 'testnet' },
  stagenet: { text: 'stagenet' },
  regtest: { text: 'a regtest chain, wherever its daemon is; one on this machine is found out by itself' },
  'dns-resolver': { value: 'url', text: 'DNS over HTTPS, with JSON, for OpenAlias names (default: none are looked up)' },
  'no-dns': { text: 'look up no names, also where --dns-resolver says by whom' },
  offline: { text: 'no daemon, no DNS' },
  'non-interactive': { text: 'ask nothing' },
  'tx-notify': { value: 'command', text: "run for each transaction that comes in, '%s' is its hash; no shell" },
  'log-file': { value: 'file', text: 'the log, beside the standard output (default monero-wallet-rpc.log)' },
  'max-concurrency': { value: 'threads', text: 'threads that scan (default: all but one)' },
  'kdf-rounds': { value: 'number', text: "hashes of a password that a .keys file of the reference's was made with (default 1)" },
  compat: { value: 'release', text: '0.18.0: files are for programs before 0.18.1.1 (default: for later ones)' },
  'hw-device': { value: 'device', text: 'of wallets made from one: Ledger (default), or Ledger:tcp://HOST:PORT, an emulator' },
  // Accepted without effect: they tune parts that Nightjar does not have.
  'shared-ringdb-dir': { value: 'folder', text: 'no effect: rings are kept in the wallet' },
  'extra-entropy': { value: 'file', text: "no effect: the system's random source is enough" },
  'allow-mismatched-daemon-version': { text: 'no effect: versions are told apart by what they answer' },
  'bitmessage-address': { value: 'url', text: 'no effect: there is no message system' },
  'bitmessage-login': { value: 'name:password', text: 'no effect: there is no message system' },
  'no-initial-sync': { text: 'no effect: the service never waits for a sync' },
  'rpc-restricted-bind-ip': { value: 'address', text: "no effect, as in the reference's: --restricted-rpc restricts" },
  'rpc-restricted-bind-ipv6-address': { value: 'address', text: "no effect, as in the reference's: --restricted-rpc restricts" },
  'disable-rpc-ban': { text: 'no effect: nobody is banned' },
  'rpc-response-soft-limit': { value: 'bytes', text: 'no effect: replies are made as their client reads them, and do not queue' },
  // Refused by name: ignoring them would do something else than requested.
  'hw-device-deriv-path': { value: 'path', text: 'not supported: the account is chosen on the device' },
  'rpc-client-secret-key': { value: 'key', text: 'not supported: daemons are not paid for their answers' },
};

/** Settings of `wallet-rpc`, from checked flags. */
export interface Settings extends ServiceSettings, PasswordSource {
  readonly port: number;
  /** Login of clients; `random` generates a password and writes it to a file; undefined for none. */
  readonly login: Login | 'random' | undefined;
  readonly walletDir: string | undefined;
  readonly walletFile: string | undefined;
  /** Name of the device that holds the keys of wallets made from one. */
  readonly device: string;
  /** Whether to ask for the wallet's password if none is given. */
  readonly promptForPassword: boolean;
  /** A file that describes the wallet to make. */
  readonly walletJson: string | undefined;
  /** Daemon to use; undefined when no flag names one. */
  readonly network: 'stagenet' | 'testnet' | 'regtest' | undefined;
  readonly daemon: DaemonChoice | undefined;
  /** Proxy for connections to daemons and to the DNS service. */
  readonly proxy: Endpoint | undefined;
  readonly threads: number | undefined;
  /** Release of the reference that exported outputs and unsigned sets are written for; the current one when undefined. */
  readonly compat: Compat | undefined;
  /** Hashes of a password in `.keys` files. */
  readonly kdfRounds: number;
  readonly logFile: LogFileOptions;
  /** URL of a DNS-over-HTTPS service. */
  readonly resolver: string | undefined;
  /** Command to run for each transaction that comes in. */
  readonly txNotify: string | undefined;
}

/** A daemon, with the TLS settings by which it is recognised. */
export interface DaemonChoice extends DaemonSettings {
  readonly tls: DaemonTls;
}

/** Most rounds that are accepted: these take hours already. */
const MAX_KDF_ROUNDS = 1_000_000;

/** Reads the flags as the reference does. @throws CliError that names the flag */
export function readSettings(values: FlagValues): Settings {
  refuseUnsupported(values, FLAGS);
  const network = networkOf(values);
  if (textFlag(values, 'rpc-bind-port') === undefined) throw new CliError('--rpc-bind-port is needed');
  return {
    port: numberFlag(values, 'rpc-bind-port', 0, 0, 65_535),
    ...serviceSettingsOf(values),
    login: loginOf(values),
    ...walletOf(values),
    ...passwordFlags(values),
    promptForPassword: values['prompt-for-password'] === true,
    network,
    device: deviceOf(values),
    daemon: values.offline === true ? undefined : daemonOf(values, network),
    proxy: proxyOf(values),
    threads: threadsOf(values),
    kdfRounds: numberFlag(values, 'kdf-rounds', 1, 1, MAX_KDF_ROUNDS),
    compat: compatOf(values),
    logFile: logFileOf(values, textFlag(values, 'log-file') ?? 'monero-wallet-rpc.log'),
    resolver: resolverOf(values),
    txNotify: textFlag(values, 'tx-notify'),
  };
}

function compatOf(values: FlagValues): Compat | undefined {
  const release = textFlag(values, 'compat');
  if (release === undefined || release === '0.18.0') return release;
  throw new CliError('--compat expects 0.18.0');
}

/** @throws CliError for a device that is not known */
export function deviceOf(values: FlagValues): string {
  const name = textFlag(values, 'hw-device') ?? 'Ledger';
  if (isDeviceName(name)) return name;
  throw new CliError(`Device not found in registry: '${name}'. Known devices: Ledger, Ledger:tcp://HOST:PORT`);
}

/** A folder, a file or a description; with a folder, a description is ignored (wallet_rpc_server.cpp, t_daemon::run and init). */
function walletOf(values: FlagValues): Pick<Settings, 'walletDir' | 'walletFile' | 'walletJson'> {
  const walletDir = textFlag(values, 'wallet-dir');
  const walletFile = textFlag(values, 'wallet-file');
  const walletJson = textFlag(values, 'generate-from-json');
  if (walletFile !== undefined && walletJson !== undefined)
    throw new CliError("Can't specify more than one of --wallet-file and --generate-from-json");
  if (walletDir === undefined) {
    if (walletFile === undefined && walletJson === undefined)
      throw new CliError('Must specify --wallet-file or --generate-from-json or --wallet-dir');
    return { walletDir, walletFile, walletJson };
  }
  if (values['password-file'] !== undefined)
    throw new CliError('--password-file is not allowed in combination with --wallet-dir');
  if (walletFile !== undefined) throw new CliError('wallet-dir and wallet-file are incompatible, use only one of them');
  return { walletDir, walletFile: undefined, walletJson: undefined };
}

function networkOf(values: FlagValues): Settings['network'] {
  const chosen = (['testnet', 'stagenet', 'regtest'] as const).filter((name) => values[name] === true);
  if (chosen.length > 1) throw new CliError("Can't specify more than one of --testnet and --stagenet");
  return chosen[0];
}

function resolverOf(values: FlagValues): string | undefined {
  const url = textFlag(values, 'dns-resolver');
  if (url === undefined || values.offline === true || values['no-dns'] === true) return undefined;
  if (readUrl(url)?.protocol !== 'https:') throw new CliError('--dns-resolver wants an https: URL');
  return url;
}

function threadsOf(values: FlagValues): number | undefined {
  const threads = numberFlag(values, 'max-concurrency', 0, 0, 256);
  return threads === 0 ? undefined : threads;
}

function loginOf(values: FlagValues): Settings['login'] {
  const login = loginFlag(values, 'rpc-login');
  if (values['disable-rpc-login'] !== true) return login ?? 'random';
  if (login !== undefined) throw new CliError('Cannot specify --disable-rpc-login and --rpc-login');
  return undefined;
}

function daemonOf(values: FlagValues, network: Settings['network']): DaemonChoice {
  const address = textFlag(values, 'daemon-address');
  const host = textFlag(values, 'daemon-host');
  const port = numberFlag(values, 'daemon-port', 0, 0, 65_535);
  if (address !== undefined && (host !== undefined || port !== 0))
    throw new CliError("can't specify daemon host or port more than once");
  const bare = address ?? `${host ?? 'localhost'}:${port || NETWORKS[network ?? 'mainnet'].rpcPort}`;
  const named = /^(?:https?:\/\/)?(.*?)(?::\d+)?\/?$/i.exec(bare)?.[1] ?? '';
  const tls = daemonTlsOf(values, named);
  const url = daemonUrl(bare, tls);
  const text = textFlag(values, 'daemon-login');
  const login = text === undefined ? undefined : readLogin(text);
  if (values['trusted-daemon'] === true && values['untrusted-daemon'] === true)
    throw new CliError(
      '--trusted-daemon and --untrusted-daemon are both seen, assuming none of them is not possible: choose one',
    );
  const local = isLoopback(readUrl(url)?.hostname.replace(/^\[|\]$/g, '') ?? '');
  const trusted = values['trusted-daemon'] === true || (values['untrusted-daemon'] !== true && local);
  return { url, trusted, tls, ...(login && { username: login.name, password: login.password }) };
}

function proxyOf(values: FlagValues): Endpoint | undefined {
  const text = textFlag(values, 'proxy');
  if (text === undefined) return undefined;
  const endpoint = readEndpoint(text);
  if (endpoint === undefined) throw new CliError('Invalid address specified for --proxy');
  return endpoint;
}
