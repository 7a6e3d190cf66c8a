import type { Server } from 'node:http';
import { loadCrypto } from '../../crypto/index.ts';
import { DEFAULT_HISTORY, DevnetError, Follower, minerAddress, type ServedDevnet, serveDevnet } from '../../devnet/index.ts';
import type { Command } from '../command.ts';
import { withConfigFile } from '../config-file.ts';
import { detachIfAsked } from '../detach.ts';
import { CliError } from '../errors.ts';
import type { FlagValues } from '../flags.ts';
import { listenOn } from '../listen.ts';
import { ServiceLog } from '../log.ts';
import { LogFile } from '../log-file.ts';
import { addTls } from '../service-tls.ts';
import { runUntilStopped } from '../signals.ts';
import { FLAGS } from './flags.ts';
import { runNotifyPrograms } from './notifications.ts';
import { withPersistentCertificate } from './persistent-certificate.ts';
import { readSettings, type Settings } from './settings.ts';

async function run(flagValues: FlagValues): Promise<void> {
  const values = await withConfigFile(flagValues, 'devnet', FLAGS);
  // Reading --start-mining checks the points of an address.
  await loadCrypto();
  const settings = readSettings(values);
  if (detachIfAsked(values)) return;
  const log = openLog(settings);
  const devnet = await serve(settings, log);
  const followers = settings.neighbours.map((neighbour) => new Follower(devnet.node, neighbour, log.write));
  const stopPublishing = await begin(devnet, settings, log).catch(async (error: unknown) => {
    await devnet.stop();
    throw error;
  });
  sayHello(devnet, settings);
  for (const follower of followers) follower.start();
  await runUntilStopped(async () => {
    for (const follower of followers) follower.stop();
    stopPublishing();
    await devnet.stop();
  });
}

async function serve(settings: Settings, log: ServiceLog): Promise<ServedDevnet> {
  const isFresh = settings.empty || settings.neighbours.length > 0;
  try {
    return await serveDevnet({
      ...settings,
      anyHost: settings.isExternal,
      log: log.write,
      logs: log,
      listen: (server, port, isSecond) => listen(settings, server, port, isSecond),
      // A restricted service has a new certificate at each start, as in the reference.
      prepare: (server, isRestricted) =>
        addTls(server, isRestricted ? settings.tls : withPersistentCertificate(settings.tls, settings.dataDir)),
      ...(isFresh ? {} : { history: DEFAULT_HISTORY }),
      // A caller's request to stop is treated like a signal, after its answer is sent.
      onStop: () => void setTimeout(() => process.kill(process.pid, 'SIGTERM'), 100),
    });
  } catch (error) {
    throw toCliError(error);
  }
}

function listen(settings: Settings, server: Server, port: number, isSecond: boolean): ReturnType<typeof listenOn> {
  const addresses = isSecond ? settings.restrictedAddresses : settings.addresses;
  return listenOn(server, { addresses, port }, isSecond ? 'rpc-restricted-bind-port' : 'port');
}

/** Applies settings and starts the services once the chain is open. @returns stops them */
async function begin({ node, rpc }: ServedDevnet, settings: Settings, log: ServiceLog): Promise<() => void> {
  const { service, timer } = rpc;
  const { limits, peers, mining, blockNotify, reorgNotify, zmqPub } = settings;
  service.limitUp = limits.up ?? service.limitUp;
  service.limitDown = limits.down ?? service.limitDown;
  service.inPeers = peers.in ?? service.inPeers;
  service.outPeers = peers.out ?? service.outPeers;
  service.bootstrapAddress = settings.bootstrapAddress;
  node.subscribe((event) => {
    if (event.type === 'block') log.write('INFO', 'blockchain', () => `block ${event.block.height} ${event.block.id}`);
  });
  runNotifyPrograms(node, blockNotify, reorgNotify);
  if (mining !== undefined) {
    const { address, ...options } = mining;
    timer.start(minerAddress(address, node.network), options);
  }
  if (zmqPub.length === 0) return () => undefined;
  // ZeroMQ is an optional dependency: it is loaded for --zmq-pub alone.
  const { publishOverZmq } = await import('./zmq.ts');
  return publishOverZmq(node, zmqPub, log.write);
}

function openLog({ log, logFile }: Settings): ServiceLog {
  process.stdout.on('error', () => undefined);
  const file = logFile === undefined ? undefined : new LogFile(logFile);
  return new ServiceLog(log, (text) => process.stdout.write(text), file);
}

function sayHello(devnet: ServedDevnet, settings: Settings): void {
  const { blockTime, dataDir, neighbours, network } = settings;
  const { height } = devnet.node.chain;
  console.log(`A test chain of ${height === 1 ? '1 block' : `${height} blocks`}: ${devnet.url}`);
  if (devnet.restrictedUrl !== undefined) console.log(`Restricted: ${devnet.restrictedUrl}`);
  if (settings.isExternal) console.log(`Reached at: ${settings.addresses.map(({ ip }) => ip).join(', ')}`);
  if (neighbours.length > 0) console.log(`Follows ${neighbours.map(({ name }) => name).join(', ')}.`);
  console.log(blockTime > 0 ? `A block every ${blockTime} s.` : 'Blocks on demand: generateblocks, start_mining.');
  console.log(dataDir === undefined ? 'Kept in memory.' : `Kept in ${dataDir}.`);
  console.log(`Test coins: curl -H 'Content-Type: application/json' -d '{"address": "4…"}' ${devnet.url}/faucet`);
  const flag = network === 'regtest' ? '' : ` --${network}`;
  console.log(
    `Reference wallet: monero-wallet-cli${flag} --daemon-address ${devnet.url} --trusted-daemon --allow-mismatched-daemon-version`,
  );
}

/** Turns errors of opening and serving a devnet into CliErrors; others are returned as they are. */
export const toCliError = (error: unknown): unknown => (error instanceof DevnetError ? new CliError(error.message) : error);

export const devnetCommand: Command = {
  summary: 'runs a test chain with a daemon for wallets on this machine',
  flags: FLAGS,
  run,
};
