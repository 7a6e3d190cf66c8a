import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minerAddress, type ServedDevnet, serveDevnet } from '../../../src/devnet/index.ts';
import type { ReferenceRelease } from '../child.ts';
import { startMonerod } from '../programs.ts';

/** The daemon of a soak test: it mines on demand and can go away. */
export interface SoakDaemon {
  readonly url: string;
  /** The payer's release: the old one locks its payments if the daemon accepts that. */
  readonly payer: ReferenceRelease;
  height(): Promise<number>;
  mine(count: number, address: string): Promise<void>;
  /** Number of transactions in the pool. */
  pool(): Promise<number>;
  flushPool(): Promise<void>;
  /** Removes the newest blocks; their transactions go back to the pool. */
  pop(count: number): Promise<void>;
  /** The daemon is down while `work` runs; then it is back, on the same port, with the same chain. */
  away(work: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export async function startSoakMonerod(): Promise<SoakDaemon> {
  const monerod = await startMonerod();
  return {
    url: monerod.url,
    payer: '0.18.5.3',
    height: () => monerod.height(),
    mine: async (count, address) => {
      await monerod.generateBlocks(count, address);
    },
    pool: async () => (await monerod.path<{ tx_hashes?: string[] }>('get_transaction_pool_hashes')).tx_hashes?.length ?? 0,
    flushPool: () => monerod.flushPool(),
    pop: async (count) => {
      await monerod.popBlocks(count);
    },
    away: (work) => monerod.restart(work),
    stop: () => monerod.stop(),
  };
}

export async function startSoakDevnet(): Promise<SoakDaemon> {
  const dataDir = await mkdtemp(join(tmpdir(), 'nightjar-soak-devnet-'));
  let devnet: ServedDevnet = await serveDevnet({ dataDir, allowUnlockTimes: true });
  const { url, port } = devnet;
  return {
    url,
    payer: '0.18.0.0',
    height: async () => devnet.node.chain.height,
    mine: async (count, address) => {
      const miner = minerAddress(address);
      for (let i = 0; i < count; i++) devnet.node.mine(miner);
    },
    pool: async () => devnet.node.pool.visible.length,
    flushPool: async () => devnet.node.pool.clear(),
    pop: async (count) => {
      devnet.node.popBlocks(count);
    },
    away: async (work) => {
      await devnet.stop();
      await work();
      devnet = await serveDevnet({ dataDir, port, allowUnlockTimes: true });
    },
    stop: async () => {
      await devnet.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
