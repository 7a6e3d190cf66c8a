import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minerAddress, type ServedDevnet, serveDevnet } from '../../../src/devnet/index.ts';
import { startMonerod } from '../programs.ts';

/** The daemon of a soak: blocks on demand, and a will to go away. */
export interface SoakDaemon {
  readonly url: string;
  height(): Promise<number>;
  mine(count: number, address: string): Promise<void>;
  /** How many transactions wait for a block. */
  pool(): Promise<number>;
  flushPool(): Promise<void>;
  /** Takes the newest blocks off; their transactions go back to the pool. */
  pop(count: number): Promise<void>;
  /** Nobody answers while `work` runs; then it is back, on the same port, with the same chain. */
  away(work: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** Each takes a proof of work: one call must end before its caller's patience does, on a busy machine too. */
const BLOCKS_A_CALL = 40;

export async function startSoakMonerod(): Promise<SoakDaemon> {
  const monerod = await startMonerod();
  return {
    url: monerod.url,
    height: () => monerod.height(),
    mine: async (count, address) => {
      for (let left = count; left > 0; left -= BLOCKS_A_CALL) {
        await monerod.generateBlocks(Math.min(left, BLOCKS_A_CALL), address);
      }
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
  let devnet: ServedDevnet = await serveDevnet({ dataDir });
  const { url, port } = devnet;
  return {
    url,
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
      devnet = await serveDevnet({ dataDir, port });
    },
    stop: async () => {
      await devnet.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
