import type { DaemonTls } from '../../rpc/host.ts';
import { CliError } from '../errors.ts';
import { type Flags, type FlagValues, numberFlag, textFlag } from '../flags.ts';

/** The flags of monero-wallet-rpc 0.18.0.0, as its `--help` prints them, and two of our own: for test chains and for OpenAlias. */
export const FLAGS: Flags = {
  'wallet-file': { value: 'file', text: 'open this wallet' },
  'wallet-dir': { value: 'folder', text: 'wallets are made and opened here, by name' },
  password: { value: 'text', text: "the wallet's password" },
  'password-file': { value: 'file', text: 'a file with the password' },
  'rpc-bind-port': { value: 'port', text: 'where the service listens (0 takes a free port)' },
  'rpc-bind-ip': { value: 'address', text: 'the address it listens on (default 127.0.0.1)' },
  'confirm-external-bind': { text: 'yes, rpc-bind-ip may be no loopback address' },
  'rpc-login': { value: 'name[:password]', text: 'what clients log in with' },
  'disable-rpc-login': { text: 'clients need no login' },
  'restricted-rpc': { text: 'view-only commands alone' },
  'rpc-access-control-origins': { value: 'origins', text: 'pages that may call, a comma between them' },
  'daemon-address': { value: 'host:port', text: 'the daemon' },
  'daemon-host': { value: 'host', text: "the daemon's host (default localhost)" },
  'daemon-port': { value: 'port', text: "the daemon's port (default by network)" },
  'daemon-login': { value: 'name[:password]', text: "the daemon's --rpc-login" },
  'daemon-ssl': { value: 'mode', text: 'enabled, disabled or autodetect' },
  'daemon-ssl-private-key': { value: 'file', text: 'our key for the daemon, PEM' },
  'daemon-ssl-certificate': { value: 'file', text: 'our certificate for the daemon, PEM' },
  'daemon-ssl-ca-certificates': { value: 'file', text: "certificates to trust in place of the system's, PEM" },
  'daemon-ssl-allowed-fingerprints': {
    value: 'list',
    text: 'SHA-256 of certificates that are taken as they are, a comma between them',
  },
  'daemon-ssl-allow-any-cert': { text: 'take any certificate from the daemon' },
  'trusted-daemon': { text: 'ask the daemon what tells it which outputs are yours' },
  'untrusted-daemon': { text: 'never ask it that' },
  testnet: { text: 'testnet' },
  stagenet: { text: 'stagenet' },
  regtest: { text: 'a regtest chain; found out by itself when the daemon answers at the start' },
  'dns-resolver': { value: 'url', text: 'DNS over HTTPS, with JSON, for OpenAlias names (default: none are looked up)' },
  offline: { text: 'no daemon, no DNS' },
  'non-interactive': { text: 'ask nothing' },
  'prompt-for-password': { text: 'ask for the password when none is given' },
  'max-concurrency': { value: 'threads', text: 'threads that scan (default: all but one)' },
  'log-level': { value: 'level', text: '0-4 or categories' },
  'config-file': { value: 'file', text: 'a file of flags, one name=value a line' },
  // Taken and without effect here: they tune what Nightjar does not have.
  'shared-ringdb-dir': { value: 'folder', text: 'no effect: rings are kept in the wallet' },
  'kdf-rounds': { value: 'number', text: 'no effect: passwords cost what Argon2id makes them' },
  'extra-entropy': { value: 'file', text: "no effect: the system's random source is enough" },
  'no-dns': { text: 'no effect: DNS is not used unless a resolver is configured' },
  'allow-mismatched-daemon-version': { text: 'no effect: versions are told apart by what they answer' },
  'bitmessage-address': { value: 'url', text: 'no effect: there is no message system' },
  'bitmessage-login': { value: 'name:password', text: 'no effect: there is no message system' },
  'log-file': { value: 'file', text: 'no effect: the log goes to the standard output' },
  'max-log-file-size': { value: 'bytes', text: 'no effect' },
  'max-log-files': { value: 'number', text: 'no effect' },
  'disable-rpc-ban': { text: 'no effect: nobody is banned' },
  'rpc-ssl': { value: 'mode', text: 'disabled or autodetect: the service speaks plain HTTP; put a TLS proxy before it' },
  'rpc-max-connections': { value: 'number', text: 'most connections (default 100)' },
  'rpc-max-connections-per-public-ip': { value: 'number', text: 'no effect: see rpc-max-connections' },
  'rpc-max-connections-per-private-ip': { value: 'number', text: 'no effect: see rpc-max-connections' },
  'rpc-response-soft-limit': { value: 'bytes', text: 'no effect: a slow reader holds up nobody else' },
  // Known and refused by name: ignoring them would do something else than was asked for.
  'generate-from-json': { value: 'file', text: 'not supported: use generate_from_keys or restore_deterministic_wallet' },
  proxy: { value: 'address', text: 'not supported' },
  'daemon-ssl-allow-chained': { text: 'not supported' },
  'hw-device': { value: 'device', text: 'not supported' },
  'hw-device-deriv-path': { value: 'path', text: 'not supported' },
  'tx-notify': { value: 'command', text: 'not supported' },
  'rpc-bind-ipv6-address': { value: 'address', text: 'not supported: give rpc-bind-ip an IPv6 address' },
  'rpc-restricted-bind-ip': { value: 'address', text: 'not supported' },
  'rpc-restricted-bind-ipv6-address': { value: 'address', text: 'not supported' },
  'rpc-use-ipv6': { text: 'not supported: give rpc-bind-ip an IPv6 address' },
  'rpc-ignore-ipv4': { text: 'not supported' },
  'rpc-ssl-private-key': { value: 'file', text: 'not supported' },
  'rpc-ssl-certificate': { value: 'file', text: 'not supported' },
  'rpc-ssl-ca-certificates': { value: 'file', text: 'not supported' },
  'rpc-ssl-allowed-fingerprints': { value: 'list', text: 'not supported' },
  'rpc-ssl-allow-chained': { text: 'not supported' },
  'rpc-client-secret-key': { value: 'key', text: 'not supported' },
  detach: { text: 'not supported: run it under a supervisor' },
  pidfile: { value: 'file', text: 'not supported: run it under a supervisor' },
};

/** What a service is started with. */
export interface Settings {
  readonly port: number;
  readonly ip: string;
  /** What clients log in with; `random` makes a password and puts it into a file; undefined for none. */
  readonly login: Login | 'random' | undefined;
  readonly restricted: boolean;
  readonly origins: readonly string[];
  readonly maxConnections: number;
  readonly walletDir: string | undefined;
  readonly walletFile: string | undefined;
  readonly password: string | undefined;
  readonly passwordFile: string | undefined;
  readonly promptForPassword: boolean;
  readonly network: 'mainnet' | 'stagenet' | 'testnet' | 'regtest';
  readonly daemon: DaemonChoice | undefined;
  readonly threads: number | undefined;
  readonly log: string;
  /** URL of a DNS-over-HTTPS service. */
  readonly resolver: string | undefined;
}

export interface Login {
  readonly name: string;
  readonly password: string;
}

export interface DaemonChoice {
  readonly url: string;
  readonly login: Login | undefined;
  readonly trusted: boolean;
  readonly tls: DaemonTls;
}

const DEFAULT_DAEMON_PORT = { mainnet: 18_081, testnet: 28_081, stagenet: 38_081, regtest: 18_081 } as const;

/** Reads the flags as the reference does. @throws CliError that names the flag */
export function readSettings(values: FlagValues): Settings {
  refuseUnsupported(values);
  const network = networkOf(values);
  const ip = textFlag(values, 'rpc-bind-ip') ?? '127.0.0.1';
  if (!isLoopback(ip) && values['confirm-external-bind'] !== true) {
    throw new CliError(
      `--rpc-bind-ip permits inbound unencrypted external connections. Consider SSH tunnel or SSL proxy instead. Override with --confirm-external-bind`,
    );
  }
  if (textFlag(values, 'rpc-bind-port') === undefined) throw new CliError('--rpc-bind-port is needed');
  const walletDir = textFlag(values, 'wallet-dir');
  const walletFile = textFlag(values, 'wallet-file');
  if (walletDir === undefined && walletFile === undefined) throw new CliError('Must specify --wallet-file or --wallet-dir');
  if (walletDir !== undefined && walletFile !== undefined)
    throw new CliError('wallet-dir and wallet-file are incompatible, use only one of them');
  return {
    port: numberFlag(values, 'rpc-bind-port', 0, 0, 65_535),
    ip,
    login: loginOf(values),
    restricted: values['restricted-rpc'] === true,
    origins: (textFlag(values, 'rpc-access-control-origins') ?? '').split(',').flatMap((origin) => origin.trim() || []),
    maxConnections: numberFlag(values, 'rpc-max-connections', 100, 1, 100_000),
    walletDir,
    walletFile,
    password: textFlag(values, 'password'),
    passwordFile: textFlag(values, 'password-file'),
    promptForPassword: values['prompt-for-password'] === true,
    network,
    daemon: values.offline === true ? undefined : daemonOf(values, network),
    threads: threadsOf(values),
    log: textFlag(values, 'log-level') ?? '0',
    resolver: resolverOf(values),
  };
}

function refuseUnsupported(values: FlagValues): void {
  for (const name of Object.keys(values)) {
    const text = FLAGS[name]?.text ?? '';
    if (values[name] !== undefined && text.startsWith('not supported')) throw new CliError(`--${name} is ${text}`);
  }
  const ssl = textFlag(values, 'rpc-ssl');
  if (ssl !== undefined && ssl !== 'disabled' && ssl !== 'autodetect')
    throw new CliError('--rpc-ssl enabled is not supported: put a TLS proxy before the service');
}

function networkOf(values: FlagValues): Settings['network'] {
  const chosen = (['testnet', 'stagenet', 'regtest'] as const).filter((name) => values[name] === true);
  if (chosen.length > 1) throw new CliError("Can't specify more than one of --testnet and --stagenet");
  return chosen[0] ?? 'mainnet';
}

function resolverOf(values: FlagValues): string | undefined {
  const url = textFlag(values, 'dns-resolver');
  if (url === undefined || values.offline === true) return undefined;
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') throw new CliError('--dns-resolver wants an https: URL');
  return url;
}

function threadsOf(values: FlagValues): number | undefined {
  const threads = numberFlag(values, 'max-concurrency', 0, 0, 256);
  return threads === 0 ? undefined : threads;
}

function loginOf(values: FlagValues): Settings['login'] {
  const text = textFlag(values, 'rpc-login');
  if (values['disable-rpc-login'] === true) {
    if (text !== undefined) throw new CliError('Cannot specify --disable-rpc-login and --rpc-login');
    return undefined;
  }
  if (text === undefined) return 'random';
  const login = readLogin(text);
  if (login.name === '' || login.password === '') throw new CliError('--rpc-login wants name:password');
  return login;
}

function readLogin(text: string): Login {
  const colon = text.indexOf(':');
  return colon < 0 ? { name: text, password: '' } : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

function daemonOf(values: FlagValues, network: Settings['network']): DaemonChoice {
  const address = textFlag(values, 'daemon-address');
  const host = textFlag(values, 'daemon-host');
  const port = numberFlag(values, 'daemon-port', 0, 0, 65_535);
  if (address !== undefined && (host !== undefined || port !== 0))
    throw new CliError("can't specify daemon host or port more than once");
  const ssl = textFlag(values, 'daemon-ssl') ?? 'autodetect';
  if (!['enabled', 'disabled', 'autodetect'].includes(ssl))
    throw new CliError('--daemon-ssl wants enabled, disabled or autodetect');
  const bare = address ?? `${host ?? 'localhost'}:${port || DEFAULT_DAEMON_PORT[network]}`;
  const url = /^https?:\/\//i.test(bare) ? bare : `${ssl === 'enabled' ? 'https' : 'http'}://${bare}`;
  const login = textFlag(values, 'daemon-login');
  if (values['trusted-daemon'] === true && values['untrusted-daemon'] === true)
    throw new CliError(
      '--trusted-daemon and --untrusted-daemon are both seen, assuming none of them is not possible: choose one',
    );
  const local = URL.canParse(url) && isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''));
  const trusted = values['trusted-daemon'] === true || (values['untrusted-daemon'] !== true && local);
  return { url, login: login === undefined ? undefined : readLogin(login), trusted, tls: tlsOf(values) };
}

function tlsOf(values: FlagValues): DaemonTls {
  const fingerprints = textFlag(values, 'daemon-ssl-allowed-fingerprints') ?? '';
  return {
    keyFile: textFlag(values, 'daemon-ssl-private-key') ?? '',
    certificateFile: textFlag(values, 'daemon-ssl-certificate') ?? '',
    authoritiesFile: textFlag(values, 'daemon-ssl-ca-certificates') ?? '',
    fingerprints: fingerprints.split(',').filter((one) => one !== ''),
    anyCertificate: values['daemon-ssl-allow-any-cert'] === true,
  };
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
