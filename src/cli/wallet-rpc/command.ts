import { mkdirSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { basename, dirname, resolve } from 'node:path';
import { codeOf, messageOf, secondsOf } from '../../base/index.ts';
import { loadCrypto } from '../../crypto/index.ts';
import { type AliasResolver, aliasResolver } from '../../openalias/index.ts';
import { RpcService } from '../../rpc/service.ts';
import { askPassword } from '../ask-password.ts';
import { isLoopback } from '../bind-flags.ts';
import type { Command } from '../command.ts';
import { withConfigFile } from '../config-file.ts';
import { detachIfAsked } from '../detach.ts';
import { CliError, LoggedCliError } from '../errors.ts';
import type { FlagValues } from '../flags.ts';
import { listenOn } from '../listen.ts';
import { ServiceLog } from '../log.ts';
import { LogFile } from '../log-file.ts';
import { notifier } from '../notify.ts';
import { passwordOf } from '../password.ts';
import { runUntilStopped } from '../signals.ts';
import { daemonFetch } from './daemon-fetch.ts';
import { type DaemonChoice, FLAGS, readSettings, type Settings } from './flags.ts';
import { readDescription, type WalletDescriptionFile, walletFromDescription } from './generate-from-json.ts';
import { DEFAULT_DAEMON_TLS, NodeServiceHost } from './host.ts';
import { loginFor } from './login-file.ts';
import { createRpcServer } from './server.ts';

/** Release and name of the reference whose behaviour this is. */
const REFERENCE = "Monero 'Fluorine Fermi' (v0.18.5.3-nightjar)";
/** Milliseconds for which a client may read nothing of a long reply before its connection is closed. */
const STALL = 60_000;
/** Milliseconds between the first two output lines: clients read the port from one and wait for the other. */
const BETWEEN_LINES = 200;

/** A service that listens. */
export interface RunningService {
  readonly port: number;
  /** Resolves when a client asked the service to stop. */
  readonly stopAsked: Promise<void>;
  stop(): Promise<void>;
}

/** Starts the service; resolves when it listens. @throws CliError */
export async function startService(
  settings: Settings,
  log = new ServiceLog(settings.log, () => undefined),
): Promise<RunningService> {
  await loadCrypto();
  const stopRequest = new StopRequest();
  const host = await hostOf(settings, log, () => stopRequest.make());
  const service = new RpcService(host);
  const login = await loginFor(settings, log.write);
  const server = createRpcServer({
    ...{ ...settings, service, login, log: log.write, stall: STALL },
    ownHostOnly: login === undefined && settings.addresses.every(({ ip }) => isLoopback(ip)),
    afterReply: () => stopRequest.tell(),
  });
  const connections = connectionsOf(server);
  const listening = await listenOn(server, settings);
  for (const { ip, family } of listening.bound) log.write('INFO', 'global', `Binding on ${ip} (${family}):${listening.port}`);
  return {
    port: listening.port,
    stopAsked: stopRequest.told,
    stop: async () => {
      listening.close();
      await stop(server, connections, service, host);
    },
  };
}

/** A client's request to stop the service. It takes effect once its reply is sent. */
class StopRequest {
  #isMade = false;
  #tell = (): void => {};
  readonly told = new Promise<void>((done) => {
    this.#tell = done;
  });

  make(): void {
    this.#isMade = true;
  }

  /** Takes effect, after a reply. */
  tell(): void {
    if (this.#isMade) this.#tell();
  }
}

/** The open connections of a server. */
function connectionsOf(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return connections;
}

/** The service's host: daemon chosen, and the wallet open that the flags name. @throws CliError */
async function hostOf(settings: Settings, log: ServiceLog, onStop: () => void): Promise<NodeServiceHost> {
  if (settings.walletDir !== undefined) makeFolder(settings.walletDir);
  const described = settings.walletJson === undefined ? undefined : await readDescription(settings.walletJson);
  const host = new NodeServiceHost({
    ...settings,
    folder: described?.folder ?? settings.walletDir ?? dirname(resolve(settings.walletFile ?? '')),
    opensByName: settings.walletDir !== undefined,
    log,
    resolveAlias: resolverFor(settings),
    notify: txNotifier(settings.txNotify),
    onStop,
  });
  if (settings.walletDir === undefined) log.write('WARNING', 'wallet.rpc', 'Loading wallet...');
  if (settings.daemon !== undefined) await chooseDaemon(host, settings.daemon);
  if (described !== undefined) await makeDescribed(host, described);
  if (settings.walletFile !== undefined) await openFile(host, settings);
  if (host.wallet !== undefined) {
    const { primaryAddress } = host.wallet.description;
    log.write('WARNING', 'wallet.rpc', `Loaded wallet keys file, with public address: ${primaryAddress}`);
  }
  return host;
}

/** Creates only the last folder of a path, so that a mistyped path is noticed (wallet_rpc_server.cpp, init). @throws CliError */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw new CliError(`Failed to create directory ${path}: ${messageOf(error)}`);
  }
}

function txNotifier(command: string | undefined): ((txHash: string) => void) | undefined {
  if (command === undefined) return undefined;
  const notify = notifier('tx-notify', command);
  return (txHash) => notify({ '%s': txHash });
}

function resolverFor({ resolver, proxy }: Settings): AliasResolver | undefined {
  if (resolver === undefined) return undefined;
  return aliasResolver({
    url: resolver,
    ...(proxy === undefined ? {} : { fetch: daemonFetch({ tls: DEFAULT_DAEMON_TLS, proxy, oneConnection: false }) }),
  });
}

/** @throws CliError when a TLS file cannot be read, or the address is invalid */
export async function chooseDaemon(host: NodeServiceHost, { tls, ...settings }: DaemonChoice): Promise<void> {
  try {
    await host.useDaemon(settings, tls);
  } catch (error) {
    throw new CliError(`the daemon at ${settings.url} cannot be used: ${messageOf(error)}`);
  }
}

async function makeDescribed(host: NodeServiceHost, described: WalletDescriptionFile): Promise<void> {
  const made = await walletFromDescription(described, host.network, secondsOf(host.clock));
  try {
    await host.create(described.name, described.password, made);
  } catch (error) {
    throw new CliError(`failed to generate new wallet: ${messageOf(error)}`);
  }
}

async function openFile(host: NodeServiceHost, settings: Settings): Promise<void> {
  const name = basename(settings.walletFile ?? '').replace(/\.(keys|nightjar)$/, '');
  const password = (await passwordOf(settings)) ?? (await askedPassword(settings));
  try {
    await host.open(name, password);
  } catch (error) {
    throw new CliError(`cannot open ${settings.walletFile}: ${messageOf(error)}`);
  }
}

/** @throws CliError unless it may be asked for */
async function askedPassword({ promptForPassword }: Settings): Promise<string> {
  if (promptForPassword) return askPassword('Wallet password');
  throw new CliError('no password specified; use --prompt-for-password to prompt for a password');
}

/** Sends pending replies, then closes the wallet. */
async function stop(server: Server, connections: ReadonlySet<Socket>, service: RpcService, host: NodeServiceHost): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  server.closeIdleConnections();
  await service.settled();
  for (const socket of connections) socket.destroy();
  await closed;
  await host.closeWallet();
}

/** A login may come from the environment, which no list of processes shows (rpc_args.cpp). */
function withEnvironment(values: FlagValues): FlagValues {
  const { RPC_LOGIN: login } = process.env;
  return values['rpc-login'] !== undefined || !login ? values : { ...values, 'rpc-login': login };
}

/** The log of a service, and its first lines: clients that start the program read them (wallet_args.cpp, main). */
function openLog({ log: categories, logFile }: Settings): ServiceLog {
  // The starting process may have closed its end.
  process.stdout.on('error', () => undefined);
  const log = new ServiceLog(categories, (text) => process.stdout.write(text), new LogFile(logFile));
  log.say('This is the RPC monero wallet. It needs to connect to a monero\ndaemon to work correctly.\n');
  log.say(REFERENCE);
  log.write('INFO', 'wallet.wallet2', `Logging to: ${logFile.path}`);
  log.say(`Logging to ${logFile.path}`);
  return log;
}

async function run(flagValues: FlagValues): Promise<void> {
  const values = withEnvironment(await withConfigFile(flagValues, 'wallet-rpc', FLAGS));
  const settings = readSettings(values);
  if (detachIfAsked(values)) return;
  const log = openLog(settings);
  const running = await startService(settings, log).catch((error: unknown) => {
    log.write('ERROR', 'wallet.rpc', `Wallet initialization failed: ${messageOf(error)}`);
    throw error instanceof CliError && log.shows('ERROR', 'wallet.rpc') ? new LoggedCliError(error.message) : error;
  });
  // A reader of the line above may stop the service at once.
  const stopped = Promise.race([running.stopAsked.then(() => running.stop()), runUntilStopped(() => running.stop())]);
  await new Promise((done) => setTimeout(done, BETWEEN_LINES));
  log.write('WARNING', 'wallet.rpc', 'Starting wallet RPC server');
  await stopped;
  for (const line of ['Stopped wallet RPC server', 'Saving wallet...', 'Successfully saved'])
    log.write('WARNING', 'wallet.rpc', line);
  process.exit(0);
}

export const walletRpcCommand: Command = {
  summary: 'serves a wallet over JSON-RPC, in place of monero-wallet-rpc',
  flags: FLAGS,
  version: REFERENCE,
  run,
};
