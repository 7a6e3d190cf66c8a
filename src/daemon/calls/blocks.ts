import { storage } from '../../protocol/index.ts';
import { checkReplyStart } from '../checks/against-request.ts';
import * as limits from '../limits.ts';
import type { RpcClient } from '../rpc-client.ts';
import type { BlocksReplyOutline, CallOptions, GetBlocksRequest, PoolRequest, PoolUpdate } from '../types.ts';
import { BlocksOutline } from './blocks-outline.ts';
import { blocksFrom } from './chain.ts';
import { poolNewsIn, REQUESTED_INFO } from './pool-news.ts';

const PATH = '/get_blocks.bin';

/** A reply's bytes, and what walking them found. */
interface BlocksReply {
  readonly buffer: ArrayBuffer;
  readonly outline: BlocksReplyOutline;
  /** Changes of the pool; undefined when they were not requested or the daemon does not report them. */
  readonly pool: PoolUpdate | undefined;
}

/**
 * Blocks from a height on, or from the newest common block, inclusive (`get_blocks.bin`). Neither parsed nor trusted.
 * @throws DaemonError
 */
export function getBlocks(client: RpcClient, request: GetBlocksRequest): Promise<BlocksReply> {
  const body = {
    ...blocksFrom(request),
    no_miner_tx: storage.bool(false),
    // Daemons before RPC version 3.15 ignore it.
    ...(request.maxBlockCount === undefined ? {} : { max_block_count: storage.u64(request.maxBlockCount) }),
    ...(request.pool === undefined ? {} : wanting(REQUESTED_INFO.blocksAndPool, request.pool)),
  };
  return ask(client, request, body, (outline) => checkReplyStart(request, outline));
}

/**
 * Only the pool. Only for a daemon that has sent the pool with blocks: an older one takes this for a request for blocks, and a wrong one.
 */
export async function getPoolNews(
  client: RpcClient,
  request: PoolRequest,
  options: CallOptions,
): Promise<PoolUpdate | undefined> {
  const body = { start_height: storage.u64(0), ...wanting(REQUESTED_INFO.poolOnly, request) };
  const { pool } = await ask(client, { ...options, pool: request, prune: true }, body, (outline) => outline);
  return pool;
}

const wanting = (what: number, { since }: PoolRequest) => ({
  requested_info: storage.u8(what),
  pool_info_since: storage.u64(since),
});

type Asking = Pick<GetBlocksRequest, 'prune' | 'pool' | 'signal' | 'onProgress'>;

/** Walks the reply as it arrives. */
function ask(
  client: RpcClient,
  asking: Asking,
  body: Parameters<typeof storage.object>[0],
  check: (outline: BlocksReplyOutline) => BlocksReplyOutline,
): Promise<BlocksReply> {
  let walk = new BlocksOutline(PATH);
  const onBytes = (reply: Uint8Array, total: number | undefined) => {
    walk.follow(reply);
    asking.onProgress?.(reply.length, total);
  };
  const finish = (reply: Uint8Array<ArrayBuffer>) => {
    walk.follow(reply);
    const outline = check(walk.finish());
    // Pool data that was not requested is skipped.
    const pool = asking.pool === undefined ? undefined : poolNewsIn(PATH, reply, outline.layout, asking.pool);
    return { buffer: reply.buffer, outline, pool };
  };
  const begin = () => {
    walk = new BlocksOutline(PATH);
  };
  const call = { signal: asking.signal, maxBytes: limits.BLOCKS_REPLY.bytes, onBytes };
  return client.raw(PATH, storage.object({ ...body, prune: storage.bool(asking.prune) }), call, finish, begin);
}
