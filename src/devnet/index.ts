import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { bytesToHex, hexToBytes } from '../base/index.ts';
import { loadCrypto, type Random, systemRandom } from '../crypto/index.ts';
import { Faucet } from './faucet.ts';
import { type HistoryOptions, makeHistory } from './history.ts';
import { MinerWallet } from './miner-wallet.ts';
import { DevnetNode } from './node.ts';
import type { RpcContext } from './rpc/context.ts';
import { createDaemonServer } from './rpc/server.ts';
import { Service } from './rpc/service.ts';
import { FileChainStore, MemoryChainStore } from './store.ts';
import { MinerTimer } from './timer.ts';

/** A Monero daemon in one process: a test chain that checks what it is sent, for wallets, tests and demonstrations. */

export { DevnetError } from './errors.ts';
export { Faucet } from './faucet.ts';
export { minerAddress } from './miner.ts';
export { DevnetNode } from './node.ts';
export { answer } from './rpc/answer.ts';
export type { RpcContext } from './rpc/context.ts';
export { MAX_REQUEST_BYTES } from './rpc/server.ts';

export interface DevnetOptions {
  /** Folder to keep the chain and the faucet's seed in; in memory when absent. */
  readonly dataDir?: string;
  /** Seconds between blocks; 0 makes them on demand only. */
  readonly blockTime?: number;
  /** What a new chain begins with; nothing when absent. */
  readonly history?: HistoryOptions;
  readonly random?: Random;
}

export interface Devnet {
  readonly node: DevnetNode;
  readonly faucet: Faucet;
  /** Where the devnet mines to. */
  readonly minerWallet: MinerWallet;
  readonly rpc: RpcContext;
  /** Ends the miner and closes the store. */
  close(): void;
}

export interface ServedDevnet extends Devnet {
  readonly port: number;
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** Ends the server too. */
  stop(): Promise<void>;
}

/** History for a chain that people look at: enough outputs to hide among, made in a second or two. */
export const DEFAULT_HISTORY: HistoryOptions = { blocks: 600, transactions: 24 };

/** Opens or makes a chain. @throws DevnetError `log-in-use` */
export async function openDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  await loadCrypto();
  const { dataDir, blockTime = 0, random = systemRandom } = options;
  const store = dataDir === undefined ? new MemoryChainStore() : new FileChainStore(dataDir);
  const node = new DevnetNode({ store, random });
  const minerWallet = new MinerWallet(node, dataDir === undefined ? random.bytes(32) : keptSeed(dataDir, random));
  const faucet = new Faucet(node, minerWallet, random);
  if (options.history !== undefined) makeHistory(node, minerWallet, faucet, options.history);
  const timer = new MinerTimer(node, blockTime || DEFAULT_MINING_SECONDS);
  if (blockTime > 0) timer.start(minerWallet.address, minerWallet);
  return {
    node,
    faucet,
    minerWallet,
    rpc: { node, timer, service: new Service(node.now), startedAt: node.now() },
    close: () => {
      timer.stop();
      node.close();
    },
  };
}

/** The pace of start_mining when no other was asked for. */
const DEFAULT_MINING_SECONDS = 4;

function keptSeed(folder: string, random: Random): Uint8Array {
  const path = join(folder, 'faucet.seed');
  if (existsSync(path)) return hexToBytes(readFileSync(path, 'utf8').trim());
  mkdirSync(folder, { recursive: true });
  const seed = random.bytes(32);
  writeFileSync(path, `${bytesToHex(seed)}\n`, { mode: 0o600 });
  return seed;
}

/**
 * Opens a chain and serves it on loopback.
 * `port` 0 takes a free one; pages of `origins` may call.
 */
export async function serveDevnet(
  options: DevnetOptions & { readonly port?: number; readonly origins?: readonly string[] } = {},
): Promise<ServedDevnet> {
  const devnet = await openDevnet(options);
  const server = createDaemonServer(devnet.rpc, { faucet: devnet.faucet, origins: options.origins ?? [] });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port ?? 0, '127.0.0.1', resolve);
    });
  } catch (error) {
    devnet.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  return {
    ...devnet,
    port,
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        devnet.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
