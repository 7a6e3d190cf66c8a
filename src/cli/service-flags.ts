import { changedCategories } from '../base/index.ts';
import type { ConnectionLimits } from '../http/index.ts';
import { addressesOf, type BindAddress, connectionLimitsOf } from './bind-flags.ts';
import { type Flags, type FlagValues, listFlag, numberFlag, textFlag } from './flags.ts';
import type { LogFileOptions } from './log-file.ts';
import type { ServiceTls } from './service-tls.ts';
import { serviceTlsOf } from './tls-flags.ts';

/** Flags with the same meaning in all our services, and in the reference's. */
export const SERVICE_FLAGS: Flags = {
  'rpc-bind-ip': { value: 'address', text: 'the address it listens on (default 127.0.0.1)' },
  'rpc-use-ipv6': { text: 'listen on an IPv6 address too' },
  'rpc-bind-ipv6-address': { value: 'address', text: 'the IPv6 address it listens on (default ::1)' },
  'rpc-ignore-ipv4': { text: 'with --rpc-use-ipv6: go on when it cannot listen on rpc-bind-ip' },
  'confirm-external-bind': { text: 'allow addresses that others can reach' },
  'rpc-access-control-origins': { value: 'origins', text: 'let pages of these origins call, a comma between them; * for all' },
  'rpc-ssl': { value: 'mode', text: 'enabled, disabled, autodetect (default): TLS and plain HTTP on one port' },
  'rpc-ssl-private-key': { value: 'file', text: 'PEM (default: the service makes a key and a certificate)' },
  'rpc-ssl-certificate': { value: 'file', text: 'PEM' },
  'rpc-ssl-ca-certificates': { value: 'file', text: 'clients must show a certificate of these authorities, PEM' },
  'rpc-ssl-allow-chained': { text: 'with --rpc-ssl-ca-certificates: other authorities may be between' },
  'rpc-ssl-allowed-fingerprints': { value: 'list', many: true, text: 'SHA-256 of clients to let in, a comma between them' },
  'rpc-max-connections': { value: 'number', text: 'connections at once (default 100)' },
  'rpc-max-connections-per-public-ip': { value: 'number', text: 'from one address of the world (default: all)' },
  'rpc-max-connections-per-private-ip': { value: 'number', text: 'from one address of this machine or network (default: all)' },
  version: { text: 'show the version' },
  'config-file': { value: 'file', text: 'a file of flags, one name=value a line' },
  detach: { text: 'go into the background' },
  pidfile: { value: 'file', text: 'with --detach: a file for the id of the process' },
  'log-level': { value: 'level', text: '0-4 or categories (default: the variable MONERO_LOGS of the environment, else 0)' },
  'max-log-file-size': { value: 'bytes', text: 'put aside at this size, the time in its name (default 104850000; 0 never)' },
  'max-log-files': { value: 'number', text: 'how many files of the log are kept (default 50; 0 all)' },
};

/** Settings shared by all our services, from their flags. */
export interface ServiceSettings {
  /** Where it listens. */
  readonly addresses: readonly BindAddress[];
  readonly restricted: boolean;
  /** Origins of pages that may call; `*` for all. */
  readonly origins: readonly string[];
  readonly connectionLimits: ConnectionLimits;
  readonly tls: ServiceTls;
  /** Categories. */
  readonly log: string;
}

/** @throws CliError that names the flag */
export function serviceSettingsOf(values: FlagValues): ServiceSettings {
  return {
    addresses: addressesOf(values, 'rpc'),
    restricted: values['restricted-rpc'] === true,
    origins: listFlag(values, 'rpc-access-control-origins'),
    connectionLimits: connectionLimitsOf(values),
    tls: serviceTlsOf(values),
    log: logOf(values),
  };
}

/** `--log-level` changes the environment's setting, or level 0 (mlog.cpp, mlog_configure; wallet_args.cpp, main). */
function logOf(values: FlagValues): string {
  const { MONERO_LOGS: categories = '0' } = process.env;
  const standing = changedCategories('', categories);
  const value = textFlag(values, 'log-level');
  return value === undefined ? standing : changedCategories(standing, value);
}

/** @param path of the log */
export function logFileOf(values: FlagValues, path: string): LogFileOptions {
  return {
    path,
    maxSize: numberFlag(values, 'max-log-file-size', 104_850_000, 0, Number.MAX_SAFE_INTEGER),
    maxFiles: numberFlag(values, 'max-log-files', 50, 0, 1_000_000),
  };
}
