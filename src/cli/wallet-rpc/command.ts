import { randomBytes } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, resolve } from 'node:path';
import { loadCrypto } from '../../crypto/index.ts';
import { aliasResolver } from '../../openalias/index.ts';
import { RpcService } from '../../rpc/service.ts';
import type { DaemonSettings } from '../../wallet/api.ts';
import type { Command } from '../command.ts';
import { CliError } from '../errors.ts';
import type { FlagValues } from '../flags.ts';
import { portProblem, runUntilStopped } from '../signals.ts';
import { withConfigFile } from './config-file.ts';
import { type DaemonChoice, FLAGS, type Login, readSettings, type Settings } from './flags.ts';
import { NodeWalletHost } from './host.ts';
import { createRpcServer } from './server.ts';

/** The user of the login that the service makes up. */
const DEFAULT_USER = 'monero';

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
  const host = new NodeWalletHost({
    network: settings.network,
    restricted: settings.restricted,
    folder: settings.walletDir ?? dirname(resolve(settings.walletFile ?? '')),
    shelf: settings.walletDir !== undefined,
    threads: settings.threads,
    log: settings.log,
    resolveAlias: settings.resolver === undefined ? undefined : aliasResolver({ url: settings.resolver }),
    onStop: () => {
      stopping = true;
    },
  });
  if (settings.daemon !== undefined) await host.setDaemon(daemonSettings(settings.daemon), settings.daemon.tls);
  if (settings.walletFile !== undefined) await openFile(host, settings);
  const service = new RpcService(host);
  const server = createRpcServer({
    service,
    login: await loginFor(settings),
    origins: settings.origins,
    maxConnections: settings.maxConnections,
    afterReply: () => {
      if (stopping) askStop();
    },
  });
  const port = await listen(server, settings);
  return { port, stopAsked, stop: () => stop(server, service, host) };
}

function daemonSettings({ url, login, trusted }: DaemonChoice): DaemonSettings {
  return { url, trusted, ...(login === undefined ? {} : { username: login.name, password: login.password }) };
}

async function openFile(host: NodeWalletHost, settings: Settings): Promise<void> {
  const name = basename(settings.walletFile ?? '').replace(/\.(keys|nightjar)$/, '');
  try {
    await host.open(name, await passwordOf(settings));
  } catch (error) {
    throw new CliError(`cannot open ${settings.walletFile}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function passwordOf({ password, passwordFile, promptForPassword }: Settings): Promise<string> {
  if (password !== undefined && passwordFile !== undefined)
    throw new CliError("can't specify more than one of --password and --password-file");
  if (password !== undefined) return password;
  if (passwordFile === undefined) {
    if (promptForPassword) throw new CliError('--prompt-for-password is not supported: use --password-file');
    return '';
  }
  const text = await readFile(passwordFile, 'utf8').catch(() => {
    throw new CliError('the password file specified could not be read');
  });
  return text.replace(/[\r\n]+$/, '');
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
async function stop(server: Server, service: RpcService, host: NodeWalletHost): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  server.closeIdleConnections();
  await service.settled();
  server.closeAllConnections();
  await closed;
  await host.closeWallet();
}

async function run(given: FlagValues): Promise<void> {
  const settings = readSettings(await withConfigFile(given));
  const running = await startService(settings);
  console.log(`Binding on ${settings.ip}:${running.port}`);
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
