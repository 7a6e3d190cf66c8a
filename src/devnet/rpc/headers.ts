import { bytesToHex, hexToBytes } from '../../base/index.ts';
import { blockHashingBlob, totalOf } from '../../protocol/index.ts';
import type { OrphanBlock } from '../branches.ts';
import { testHash } from '../proof-of-work.ts';
import type { RpcContext } from './context.ts';
import type { Reply } from './reply.ts';

/** A 128-bit number in the three forms that the reference writes; without one, their initial values. */
export function wideFields(prefix: string, value?: bigint): Reply {
  const low = (value ?? 0n) & ((1n << 64n) - 1n);
  const wide = value === undefined ? '' : `0x${value.toString(16)}`;
  return { [prefix]: low, [`${prefix}_top64`]: (value ?? 0n) >> 64n, [`wide_${prefix}`]: wide };
}

/** Options of {@link blockHeader}. */
export interface HeaderOptions {
  readonly withProof: boolean;
  /** Whether it is of an alternative branch. */
  readonly isOrphan?: boolean;
}

/** A block's header, of the main chain or not, as the reference writes it (block_header_response). */
export function blockHeader(context: RpcContext, block: OrphanBlock, { withProof, isOrphan = false }: HeaderOptions): Reply {
  const { height, weight } = block;
  return {
    major_version: block.block.majorVersion,
    minor_version: block.block.minorVersion,
    timestamp: block.block.timestamp,
    prev_hash: bytesToHex(block.block.prevId),
    nonce: block.block.nonce,
    orphan_status: isOrphan,
    height,
    depth: BigInt.asUintN(64, BigInt(context.node.chain.height - height - 1)),
    hash: block.id,
    ...wideFields('difficulty', block.difficulty),
    ...wideFields('cumulative_difficulty', block.cumulativeDifficulty),
    reward: totalOf(block.minerTx.tx.outputs),
    block_size: weight,
    block_weight: weight,
    num_txes: block.transactions.length,
    pow_hash: withProof ? proofOf(context, block) : '',
    long_term_weight: block.longTermWeight,
    miner_tx_hash: block.minerTx.id,
  };
}

function proofOf(context: RpcContext, { block, height }: OrphanBlock): string {
  return bytesToHex(testHash(hexToBytes(context.node.chain.seedIdAt(height)), blockHashingBlob(block)));
}

/** Header when no block was requested. */
export const EMPTY_HEADER: Reply = {
  major_version: 0,
  minor_version: 0,
  timestamp: 0,
  prev_hash: '',
  nonce: 0,
  orphan_status: false,
  height: 0,
  depth: 0,
  hash: '',
  ...wideFields('difficulty'),
  ...wideFields('cumulative_difficulty'),
  reward: 0,
  block_size: 0,
  num_txes: 0,
  pow_hash: '',
  miner_tx_hash: '',
};
