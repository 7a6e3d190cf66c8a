import { storage } from '../../protocol/index.ts';
import { checkReplyStart } from '../checks/asked.ts';
import type { Exchange } from '../exchange.ts';
import * as limits from '../limits.ts';
import type { BlocksReplyOutline, GetBlocksRequest } from '../types.ts';
import { BlocksOutline } from './blocks-outline.ts';
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
  let outline = new BlocksOutline(PATH);
  const onBytes = (reply: Uint8Array, total: number | undefined) => {
    outline.follow(reply);
    request.onProgress?.(reply.length, total);
  };
  const finish = (reply: Uint8Array<ArrayBuffer>) => {
    outline.follow(reply);
    return { buffer: reply.buffer, outline: checkReplyStart(request, outline.finish()) };
  };
  const begin = () => {
    outline = new BlocksOutline(PATH);
  };
  const call = { signal: request.signal, maxBytes: limits.BLOCKS_REPLY.bytes, onBytes };
  return exchange.raw(PATH, body, call, finish, begin);
}
