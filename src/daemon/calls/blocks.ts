import { storage } from '../../protocol/index.ts';
import { checkReplyStart } from '../checks/asked.ts';
import { type Exchange, requireOk } from '../exchange.ts';
import * as limits from '../limits.ts';
import type { BlocksReplyOutline, GetBlocksRequest } from '../types.ts';
import { type BlocksWalk, BlocksWalker } from './blocks-walk.ts';
import { blocksFrom } from './chain.ts';

const PATH = '/get_blocks.bin';

/** The reply's bytes, walked as they came, and what the walk found. */
export async function getBlocks(
  exchange: Exchange,
  request: GetBlocksRequest,
): Promise<{ readonly buffer: ArrayBuffer; readonly outline: BlocksReplyOutline }> {
  const body = storage.object({
    ...blocksFrom(request),
    prune: storage.bool(request.prune),
    no_miner_tx: storage.bool(false),
    // Unknown to daemons before RPC version 3.15, which pass over it.
    ...(request.maxBlockCount === undefined ? {} : { max_block_count: storage.u64(request.maxBlockCount) }),
  });
  let walker = new BlocksWalker(limits.BLOCKS_REPLY);
  let received = 0;
  const onChunk = (chunk: Uint8Array, total: number | undefined) => {
    walker.push(chunk);
    received += chunk.length;
    request.onProgress?.(received, total);
  };
  const finish = (bytes: Uint8Array<ArrayBuffer>) => ({
    buffer: bytes.buffer,
    outline: checkReplyStart(request, outlineOf(walker.finish())),
  });
  const begin = () => {
    walker = new BlocksWalker(limits.BLOCKS_REPLY);
    received = 0;
  };
  const call = { signal: request.signal, maxBytes: limits.BLOCKS_REPLY.bytes, onChunk };
  return exchange.raw(PATH, body, call, finish, begin);
}

function outlineOf({ status, ...outline }: BlocksWalk): BlocksReplyOutline {
  requireOk(PATH, status);
  return outline;
}
