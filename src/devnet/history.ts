import { COINBASE_UNLOCK_WINDOW } from '../protocol/index.ts';
import { DevnetError } from './errors.ts';
import { FAUCET_AMOUNT, type Faucet } from './faucet.ts';
import type { MinerWallet } from './miner-wallet.ts';
import type { DevnetNode } from './node.ts';
import { RING_SIZE, TARGET_SECONDS } from './rules.ts';

/** Length and contents of a generated history. */
export interface HistoryOptions {
  /** Number of blocks. At least 80 make the first spend possible. */
  readonly blocks: number;
  /** Transactions among the last of them. */
  readonly transactions: number;
}

/**
 * Gives a new chain a history: blocks two minutes apart up to now, all mined to the miner's wallet, with some transactions towards the end.
 * A chain that has one already is left alone.
 */
export function makeHistory(
  node: DevnetNode,
  minerWallet: MinerWallet,
  faucet: Faucet,
  { blocks, transactions }: HistoryOptions,
): void {
  const now = node.now();
  const first = node.chain.height;
  const firstSpend = COINBASE_UNLOCK_WINDOW + RING_SIZE + 1;
  // One transaction of the database: nobody has seen any of it yet.
  node.batch(() => {
    for (let height = first; height <= blocks; height++) {
      node.mine(minerWallet, now - (blocks - height) * TARGET_SECONDS);
      const isBusy = height > firstSpend && blocks - height <= transactions && height < blocks;
      if (isBusy) stir(faucet);
    }
  });
}

function stir(faucet: Faucet): void {
  try {
    faucet.stir(FAUCET_AMOUNT);
  } catch (error) {
    if (!(error instanceof DevnetError && error.code === 'no-coins')) throw error;
  }
}
