import { randomBytes } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { basename, dirname, resolve } from 'node:path';
import { loadCrypto } from '../../crypto/index.ts';
import { type AliasResolver, aliasResolver } from '../../openalias/index.ts';
import { RpcService } from '../../rpc/service.ts';
import type { DaemonSettings } from '../../wallet/api.ts';
import type { Command } from '../command.ts';
import { CliError } from '../errors.ts';
import { type FlagValues, textFlag } from '../flags.ts';
import { passwordOf } from '../password.ts';
import { portProblem, runUntilStopped } from '../signals.ts';
import { withConfigFile } from './config-file.ts';
import { daemonFetch } from './daemon-fetch.ts';
import { detach, isDetached } from './detach.ts';
import { type DaemonChoice, FLAGS, type Login, readSettings, type Settings } from './flags.ts';
import { describedWallet, readDescription, type WalletDescriptionFile } from './generate-from-json.ts';
import { NodeWalletHost, PLAIN } from './host.ts';
import { createRpcServer, type RpcServerOptions } from './server.ts';
import { notifier } from './tx-notify.ts';

/** The user of the login that the service makes up. */
const DEFAULT_USER = 'monero';
/** Milliseconds for which a client may take nothing of a long reply before its connection is wanted back. */
const STALL = 60_000;
/** Milliseconds between the two lines of the start: clients take the port from the first read and wait for the next. */
const BETWEEN_LINES = 200;

/** A service that runs. */
export interface RunningService {
  readonly port: number;
  /** Resolves when a client asked the service to stop. */
  readonly stopAsked: Promise<void>;
  stop(): Promise<void>;
}

/** Starts the service; resolves when it listens. @throws CliError */
export async function startService(settings: Settings): Promise<RunningService> {
  await loadCrypto();
  let askStop = () => {};
  const stopAsked = new Promise<void>((done) => {
    askStop = done;
  });
  let stopping = false;
  const described = settings.walletJson === undefined ? undefined : await readDescription(settings.walletJson);
  const host = new NodeWalletHost({
    network: settings.network,
    restricted: settings.restricted,
    folder: described?.folder ?? settings.walletDir ?? dirname(resolve(settings.walletFile ?? '')),
    shelf: settings.walletDir !== undefined,
    threads: settings.threads,
    kdfRounds: settings.kdfRounds,
    compat: settings.compat,
    log: settings.log,
    resolveAlias: resolverFor(settings),
    proxy: settings.proxy,
    notify: settings.txNotify === undefined ? undefined : notifier(settings.txNotify),
    say: (line) => console.error(line),
    onStop: () => {
      stopping = true;
    },
  });
  if (settings.daemon !== undefined) await chooseDaemon(host, settings.daemon);
  if (described !== undefined) await makeDescribed(host, described);
  if (settings.walletFile !== undefined) await openFile(host, settings);
  const service = new RpcService(host);
  const server = serverFor({
    service,
    login: await loginFor(settings),
    origins: settings.origins,
    places: settings.places,
    stall: STALL,
    tls: settings.tls,
    afterReply: () => {
      if (stopping) askStop();
    },
  });
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const port = await listen(server, settings);
  return { port, stopAsked, stop: () => stop(server, connections, service, host) };
}

function serverFor(options: RpcServerOptions): Server {
  try {
    return createRpcServer(options);
  } catch (error) {
    throw new CliError(`--rpc-ssl: a key or certificate cannot be used: ${messageOf(error)}`);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function resolverFor({ resolver, proxy }: Settings): AliasResolver | undefined {
  if (resolver === undefined) return undefined;
  return aliasResolver({
    url: resolver,
    ...(proxy === undefined ? {} : { fetch: daemonFetch({ tls: PLAIN, proxy, oneConnection: false }) }),
  });
}

/** @throws CliError when a file of TLS cannot be read, or the address is none */
export async function chooseDaemon(host: NodeWalletHost, daemon: DaemonChoice): Promise<void> {
  try {
    await host.setDaemon(daemonSettings(daemon), daemon.tls);
  } catch (error) {
    throw new CliError(`the daemon at ${daemon.url} cannot be used: ${messageOf(error)}`);
  }
}

async function makeDescribed(host: NodeWalletHost, described: WalletDescriptionFile): Promise<void> {
  const made = await describedWallet(described, host.network, Math.floor(host.clock.now() / 1000));
  try {
    await host.create(described.name, described.password, made);
  } catch (error) {
    throw new CliError(`failed to generate new wallet: ${messageOf(error)}`);
  }
}

function daemonSettings({ url, login, trusted }: DaemonChoice): DaemonSettings {
  return { url, trusted, ...(login === undefined ? {} : { username: login.name, password: login.password }) };
}

async function openFile(host: NodeWalletHost, settings: Settings): Promise<void> {
  const name = basename(settings.walletFile ?? '').replace(/\.(keys|nightjar)$/, '');
  try {
    await host.open(name, await passwordOf(settings));
  } catch (error) {
    throw new CliError(`cannot open ${settings.walletFile}: ${messageOf(error)}`);
  }
}

/** A login that is made up lies in a file of the folder that the service runs in, for its user alone. */
async function loginFor({ login, port }: Settings): Promise<Login | undefined> {
  if (login !== 'random') return login;
  const made = { name: DEFAULT_USER, password: randomBytes(16).toString('base64') };
  const path = `monero-wallet-rpc.${port}.login`;
  try {
    await writeFile(path, `${made.name}:${made.password}`, { mode: 0o600 });
    await chmod(path, 0o600);
  } catch {
    throw new CliError(`Failed to create file ${path}. Check permissions or remove file`);
  }
  console.log(`RPC username/password is stored in file ${path}`);
  return made;
}

async function listen(server: Server, { ip, port }: Settings): Promise<number> {
  try {
    await new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen(port, ip, done);
    });
  } catch (error) {
    throw new CliError(portProblem(error, port)?.replace('--port', '--rpc-bind-port') ?? String(error));
  }
  return (server.address() as AddressInfo).port;
}

/** Replies under way go out, then the wallet is closed. */
async function stop(server: Server, connections: ReadonlySet<Socket>, service: RpcService, host: NodeWalletHost): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  server.closeIdleConnections();
  await service.settled();
  for (const socket of connections) socket.destroy();
  await closed;
  await host.closeWallet();
}

/** A login may come from the environment, where it is in no list of processes (rpc_args.cpp). */
function withEnvironment(values: FlagValues): FlagValues {
  const { RPC_LOGIN: login } = process.env;
  return values['rpc-login'] !== undefined || !login ? values : { ...values, 'rpc-login': login };
}

async function run(given: FlagValues): Promise<void> {
  const values = withEnvironment(await withConfigFile(given));
  const settings = readSettings(values);
  if (values.detach === true && !isDetached()) {
    console.log('Forking to background...');
    return detach(textFlag(values, 'pidfile'), textFlag(values, 'log-file'));
  }
  const running = await startService(settings);
  console.log(`Binding on ${settings.ip} (IPv4):${running.port}`);
  await new Promise((done) => setTimeout(done, BETWEEN_LINES));
  console.log('Starting wallet RPC server');
  await Promise.race([running.stopAsked.then(() => running.stop()), runUntilStopped(() => running.stop())]);
  console.log('Stopped wallet RPC server');
  process.exit(0);
}

export const walletRpcCommand: Command = {
  summary: 'serves a wallet over JSON-RPC, in place of monero-wallet-rpc',
  flags: FLAGS,
  run,
};
