import { bytesToHex } from '../../base/index.ts';
import type { ChainBlock } from '../chain.ts';
import type { RpcContext } from './context.ts';
import type { Reply } from './reply.ts';

/** Difficulty is 1 everywhere, so a chain's sum is its number of blocks. */
export function difficultyFields(prefix: string, value: number): Reply {
  return { [prefix]: value, [`${prefix}_top64`]: 0, [`wide_${prefix}`]: `0x${value.toString(16)}` };
}

/** A block's header as the reference writes it (block_header_response). */
export function blockHeader({ node }: RpcContext, block: ChainBlock): Reply {
  const { height, weight } = block;
  return {
    major_version: block.block.majorVersion,
    minor_version: block.block.minorVersion,
    timestamp: block.block.timestamp,
    prev_hash: bytesToHex(block.block.prevId),
    nonce: block.block.nonce,
    orphan_status: false,
    height,
    depth: node.chain.height - height - 1,
    hash: block.id,
    ...difficultyFields('difficulty', 1),
    ...difficultyFields('cumulative_difficulty', height + 1),
    reward: block.minerTx.tx.outputs.reduce((sum, output) => sum + output.amount, 0n),
    block_size: weight,
    block_weight: weight,
    num_txes: block.transactions.length,
    pow_hash: '',
    long_term_weight: block.longTermWeight,
    miner_tx_hash: block.minerTx.id,
  };
}
