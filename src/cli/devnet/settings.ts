import {
  type ChainNetwork,
  DEFAULT_LIMITS,
  DevnetError,
  type DevnetOptions,
  minerAddress,
  type Neighbour,
  type ServeOptions,
} from '../../devnet/index.ts';
import { NETWORKS } from '../../protocol/index.ts';
import { addressesOf, type BindAddress, isLoopback, refuseUnsupported } from '../bind-flags.ts';
import { CliError } from '../errors.ts';
import { type FlagValues, listFlag, loginFlag, numberFlag, textFlag } from '../flags.ts';
import type { LogFileOptions } from '../log-file.ts';
import { type Notify, notifier } from '../notify.ts';
import { logFileOf, type ServiceSettings, serviceSettingsOf } from '../service-flags.ts';
import type { ServiceTls } from '../service-tls.ts';
import { FLAGS } from './flags.ts';
import { neighbourFromUrl } from './neighbour.ts';

/** Options of the devnet that have a flag each. */
type Options = Required<
  Pick<DevnetOptions, 'network' | 'difficulty' | 'blockTime' | 'hashRate' | 'dataDir' | 'maxPoolWeight' | 'allowUnlockTimes'> &
    Pick<DevnetOptions, 'prune' | 'offline'> &
    Pick<ServeOptions, 'port' | 'restrictedPort' | 'login' | 'softLimit'>
>;

/** Settings of `devnet`, from checked flags. */
export interface Settings extends ServiceSettings, Options {
  readonly restrictedAddresses: readonly BindAddress[];
  /** Whether other machines can reach it. */
  readonly isExternal: boolean;
  readonly empty: boolean;
  readonly neighbours: readonly Neighbour[];
  readonly mining: { readonly address: string; readonly threads: number; readonly inBackground: boolean } | undefined;
  readonly blockNotify: Notify | undefined;
  readonly reorgNotify: Notify | undefined;
  /** ZeroMQ addresses; none when nothing is published. */
  readonly zmqPub: readonly string[];
  readonly limits: { readonly up: number | undefined; readonly down: number | undefined };
  readonly peers: { readonly in: number | undefined; readonly out: number | undefined };
  readonly bootstrapAddress: string;
  readonly logFile: LogFileOptions | undefined;
}

const MOST_PEERS = 0xffff_ffff;

/** Reads the flags as the reference does. @throws CliError that names the flag */
export function readSettings(values: FlagValues): Settings {
  refuseUnsupported(values, FLAGS);
  const network = networkOf(values);
  const service = serviceSettingsOf(values);
  const restrictedAddresses = addressesOf(values, 'rpc-restricted');
  const logFile = textFlag(values, 'log-file');
  return {
    ...service,
    origins: [...service.origins, ...listFlag(values, 'allow-origin')],
    tls: forAnyCertificate(values, service.tls),
    port: portOf(values, network),
    restrictedPort: optionalNumber(values, 'rpc-restricted-bind-port', 0, 65_535),
    restrictedAddresses,
    isExternal: [...service.addresses, ...restrictedAddresses].some(({ ip }) => !isLoopback(ip)),
    login: loginFlag(values, 'rpc-login'),
    softLimit: optionalNumber(values, 'rpc-response-soft-limit', 1, Number.MAX_SAFE_INTEGER),
    ...chainOf(values, network),
    ...neighboursOf(values),
    blockNotify: notifierOf(values, 'block-notify'),
    reorgNotify: notifierOf(values, 'reorg-notify'),
    zmqPub: values['no-zmq'] === true ? [] : listFlag(values, 'zmq-pub'),
    limits: limitsOf(values),
    peers: { in: unlessMinusOne(values, 'in-peers', MOST_PEERS), out: unlessMinusOne(values, 'out-peers', MOST_PEERS) },
    bootstrapAddress: textFlag(values, 'bootstrap-daemon-address') ?? '',
    logFile: logFile === undefined ? undefined : logFileOf(values, logFile),
  };
}

function chainOf(values: FlagValues, network: ChainNetwork) {
  return {
    network,
    difficulty: difficultyOf(values, network),
    blockTime: numberFlag(values, 'block-time', isFedBlocks(values) ? 0 : 4, 0, 86_400, false),
    hashRate: optionalNumber(values, 'hash-rate', 1, 1_000_000),
    dataDir: textFlag(values, 'data-dir'),
    empty: values.empty === true,
    allowUnlockTimes: values['allow-unlock-times'] === true,
    maxPoolWeight: optionalNumber(values, 'max-txpool-weight', 1, Number.MAX_SAFE_INTEGER),
    prune: values['prune-blockchain'] === true,
    mining: miningOf(values, network),
  };
}

/** Whether blocks come from elsewhere than the timer. */
const isFedBlocks = (values: FlagValues): boolean => values['start-mining'] !== undefined || values.follow !== undefined;

function optionalNumber(values: FlagValues, name: string, least: number, most: number): number | undefined {
  return textFlag(values, name) === undefined ? undefined : numberFlag(values, name, 0, least, most);
}

const CHAINS = ['regtest', 'testnet', 'stagenet'] as const;

function networkOf(values: FlagValues): ChainNetwork {
  const named = textFlag(values, 'network');
  const chosen = CHAINS.filter((name) => values[name] === true || named === name);
  if (named !== undefined && !chosen.some((name) => name === named))
    throw new CliError(`--network wants one of ${CHAINS.join(', ')}, not "${named}"`);
  if (chosen.length > 1) throw new CliError("Can't specify more than one of --testnet and --stagenet and --regtest");
  return chosen[0] ?? 'regtest';
}

function portOf(values: FlagValues, network: ChainNetwork): number {
  if (values.port !== undefined && values['rpc-bind-port'] !== undefined)
    throw new CliError('--port and --rpc-bind-port are the same: give one of them');
  return numberFlag(values, values.port === undefined ? 'rpc-bind-port' : 'port', NETWORKS[network].rpcPort, 0, 65_535);
}

function difficultyOf(values: FlagValues, network: ChainNetwork): bigint | 'adjusted' {
  const requested = numberFlag(values, 'fixed-difficulty', network === 'regtest' ? 1 : 0, 0, Number.MAX_SAFE_INTEGER);
  return requested === 0 ? 'adjusted' : BigInt(requested);
}

function forAnyCertificate(values: FlagValues, tls: ServiceTls): ServiceTls {
  if (values['rpc-ssl-allow-any-cert'] !== true) return tls;
  return { ...tls, clients: { fingerprints: [], authoritiesFile: '', chained: false } };
}

function neighboursOf(values: FlagValues): Pick<Settings, 'offline' | 'neighbours'> {
  const urls = listFlag(values, 'follow');
  if (values.offline === true && urls.length > 0) throw new CliError('--offline follows nobody: leave --follow out');
  return { offline: urls.length === 0, neighbours: urls.map(neighbourFromUrl) };
}

function miningOf(values: FlagValues, network: ChainNetwork): Settings['mining'] {
  const address = textFlag(values, 'start-mining');
  if (address === undefined) return undefined;
  try {
    minerAddress(address, network);
  } catch (error) {
    if (error instanceof DevnetError) throw new CliError(`--start-mining: ${error.message}`);
    throw error;
  }
  const threads = numberFlag(values, 'mining-threads', 1, 1, 1_000);
  return { address, threads, inBackground: values['bg-mining-enable'] === true };
}

function notifierOf(values: FlagValues, flag: string): Notify | undefined {
  const command = textFlag(values, flag);
  return command === undefined ? undefined : notifier(flag, command);
}

/**
 * kB per second; undefined for the default. A limit for one direction takes precedence over that for both, unless it is the default
 * (net_node.inl).
 */
function limitsOf(values: FlagValues): Settings['limits'] {
  const limit = (name: string) => unlessMinusOne(values, name, Number.MAX_SAFE_INTEGER);
  const both = limit('limit-rate');
  const either = (own: number | undefined, standard: number) => (own === standard ? both : (own ?? both));
  return { up: either(limit('limit-rate-up'), DEFAULT_LIMITS.up), down: either(limit('limit-rate-down'), DEFAULT_LIMITS.down) };
}

/** A number from 0; undefined for -1, the default. */
function unlessMinusOne(values: FlagValues, name: string, most: number): number | undefined {
  return textFlag(values, name) === '-1' ? undefined : optionalNumber(values, name, 0, most);
}
