import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { bytesToHex, hexToBytes } from '../base/index.ts';
import { loadCrypto, type Random, systemRandom } from '../crypto/index.ts';
import { Faucet } from './faucet.ts';
import { type HistoryOptions, makeHistory } from './history.ts';
import { migrateLog } from './migrate.ts';
import { MinerTimer } from './miner-timer.ts';
import { MinerWallet } from './miner-wallet.ts';
import { DevnetNode } from './node.ts';
import type { PoolOptions } from './pool.ts';
import { prune } from './rpc/admin.ts';
import type { RpcContext } from './rpc/context.ts';
import { createDaemonServer, type ServerOptions } from './rpc/server.ts';
import { type LogControl, Service } from './rpc/service.ts';
import type { ChainNetwork } from './rules.ts';
import { openFolder } from './store/folder.ts';
import { MemoryDatabase } from './store/memory.ts';

/** A Monero daemon in one process: a test chain that validates what it receives, for wallets, tests and demonstrations. */

export { DevnetError } from './errors.ts';
export { Faucet } from './faucet.ts';
export { Follower, type Neighbour } from './follow.ts';
export { minerAddress } from './miner.ts';
export { DevnetNode } from './node.ts';
export { answer } from './rpc/answer.ts';
export type { RpcContext } from './rpc/context.ts';
export { MAX_REQUEST_BYTES } from './rpc/server.ts';
export { DEFAULT_LIMITS } from './rpc/service.ts';
export type { ChainNetwork } from './rules.ts';
export { zmqMessages } from './zmq-messages.ts';

/** Options of a devnet's chain, without those of its servers. */
export interface DevnetOptions extends PoolOptions {
  /** Folder of the chain and the faucet's seed; in memory when absent. */
  readonly dataDir?: string | undefined;
  /** Seconds between blocks; 0 makes them on demand only. */
  readonly blockTime?: number;
  /** Test hashes per second and thread of `start_mining`, in place of blocks by timer. */
  readonly hashRate?: number | undefined;
  /** Difficulty of every block; `adjusted` follows block times; 1 when absent. */
  readonly difficulty?: bigint | 'adjusted';
  /** Network of its genesis block and addresses; regtest when absent. */
  readonly network?: ChainNetwork;
  readonly logs?: LogControl;
  /** Whether it reports to be offline; true when absent. */
  readonly offline?: boolean;
  readonly prune?: boolean;
  /** History of a new chain; none when absent. */
  readonly history?: HistoryOptions;
  readonly random?: Random;
}

/** A running devnet, without a server. */
export interface Devnet {
  readonly node: DevnetNode;
  readonly faucet: Faucet;
  readonly minerWallet: MinerWallet;
  readonly rpc: RpcContext;
  /** Stops the miner and closes the store. */
  close(): void;
}

/** A listening server. */
interface Listening {
  readonly port: number;
  /** Closes what listens besides the server itself. */
  close?(): void;
}

/** Where its RPC listens, and who may call it. */
export interface ServeOptions extends Omit<ServerOptions, 'faucet'> {
  /** 0 for a free one. */
  readonly port?: number;
  /** Whether that port is restricted itself. */
  readonly restricted?: boolean;
  /** A second port, restricted. */
  readonly restrictedPort?: number | undefined;
  /** Makes a server listen, and resolves with its port; on loopback by default. */
  readonly listen?: (server: Server, port: number, restricted: boolean) => Promise<Listening>;
  /** Called when a caller asks the daemon to stop. */
  readonly onStop?: () => void;
}

/** A devnet that listens. */
export interface ServedDevnet extends Devnet {
  readonly port: number;
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** URL of the restricted port, if there is one. */
  readonly restrictedUrl: string | undefined;
  /** Closes the servers too. */
  stop(): Promise<void>;
}

/** History for a chain that people look at: enough outputs to hide among, generated in a second or two. */
export const DEFAULT_HISTORY: HistoryOptions = { blocks: 600, transactions: 24 };

/** Opens or makes a chain. @throws DevnetError `log-in-use`, `no-store`, `other-network` */
export async function openDevnet(options: DevnetOptions): Promise<Devnet> {
  await loadCrypto();
  const { dataDir, blockTime = 0, random = systemRandom, difficulty = 1n, hashRate } = options;
  const database = dataDir === undefined ? new MemoryDatabase() : await openFolder(dataDir);
  const node = new DevnetNode({ ...options, database });
  if (dataDir !== undefined) migrateLog(node, dataDir);
  const minerWallet = new MinerWallet(node, dataDir === undefined ? random.bytes(32) : keptSeed(dataDir, random));
  const faucet = new Faucet(node, minerWallet, random);
  if (options.history !== undefined) makeHistory(node, minerWallet, faucet, options.history);
  const rate = hashRate ?? (difficulty === 'adjusted' ? DEFAULT_HASH_RATE : undefined);
  const pace = rate === undefined ? { seconds: blockTime || DEFAULT_MINING_SECONDS } : { hashesPerSecond: rate };
  const timer = new MinerTimer(node, pace);
  const service = new Service(node.now, options.logs);
  service.offline = options.offline ?? true;
  if (options.prune === true) prune(node);
  if (blockTime > 0) timer.start(minerWallet);
  return {
    node,
    faucet,
    minerWallet,
    rpc: { node, timer, service, startedAt: node.now() },
    close: () => {
      timer.stop();
      node.close();
    },
  };
}

/** Seconds between blocks of start_mining by default, and where blocks by timer would become ever harder. */
const DEFAULT_MINING_SECONDS = 4;
const DEFAULT_HASH_RATE = 100;

function keptSeed(folder: string, random: Random): Uint8Array {
  const path = join(folder, 'faucet.seed');
  if (existsSync(path)) return hexToBytes(readFileSync(path, 'utf8').trim());
  const seed = random.bytes(32);
  // Written aside first: a process that is killed here leaves no partial file.
  writeFileSync(`${path}.new`, `${bytesToHex(seed)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return seed;
}

/** Opens a chain and serves it, on loopback by default. */
export async function serveDevnet(options: DevnetOptions & ServeOptions = {}): Promise<ServedDevnet> {
  const devnet = await openDevnet(options);
  const { service } = devnet.rpc;
  if (options.onStop !== undefined) service.stop = options.onStop;
  const servers: Server[] = [];
  const listening: Listening[] = [];
  const serve = async (context: RpcContext, port: number, second: boolean): Promise<number> => {
    const server = createDaemonServer(context, { ...options, ...(context.restricted ? {} : { faucet: devnet.faucet }) });
    servers.push(server);
    const reached = await (options.listen ?? listenOnLoopback)(server, port, second);
    listening.push(reached);
    return reached.port;
  };
  const stop = async (): Promise<void> => {
    devnet.close();
    for (const one of listening) one.close?.();
    await Promise.all(servers.map(closed));
  };
  try {
    const open = options.restricted === true ? { ...devnet.rpc, restricted: true } : devnet.rpc;
    const port = await serve(open, options.port ?? 0, false);
    const { restrictedPort } = options;
    const second =
      restrictedPort === undefined ? undefined : await serve({ ...devnet.rpc, restricted: true }, restrictedPort, true);
    return { ...devnet, port, url: urlOf(port), restrictedUrl: second === undefined ? undefined : urlOf(second), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const LOOPBACK = '127.0.0.1';
async function listenOnLoopback(server: Server, port: number): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, resolve);
  });
  return { port: (server.address() as AddressInfo).port };
}

const urlOf = (port: number): string => `http://${LOOPBACK}:${port}`;

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
