import { bytesToHex } from '../../base/index.ts';
import type { OrphanBlock } from '../branches.ts';
import type { ChainBlock } from '../chain.ts';
import { compareStoredIds } from '../pool-entry.ts';
import { OK, PAID_OK, RESTRICTED, type RpcContext } from './context.ts';
import { blockHeader, EMPTY_HEADER } from './headers.ts';
import { memoize } from './memoize.ts';
import { count, flag, hash32, listOf, method, RpcError, text, u64 } from './params.ts';
import type { Reply } from './reply.ts';
import { blockToJson } from './tx-json.ts';

/** Calls about blocks, and the one that removes them. */

function blockAtHeight({ node: { chain } }: RpcContext, height: bigint): ChainBlock {
  const block = chain.blockAt(Number(height));
  if (block !== undefined) return block;
  const newest = chain.height - 1;
  throw new RpcError('tooBigHeight', `Requested block height: ${height} greater than current top block height: ${newest}`);
}

/** A block of the main chain or of an alternative branch. */
function blockWithHash({ node }: RpcContext, text: string): { readonly block: OrphanBlock; readonly isOrphan: boolean } {
  const hash = hash32(text);
  if (hash === undefined) throw new RpcError('wrongParam', `Failed to parse hex representation of block hash. Hex = ${text}.`);
  const block = node.chain.blockById(hash);
  const orphan = block ?? node.branches.block(hash);
  if (orphan === undefined) throw new RpcError('internalError', `Internal error: can't get block by hash. Hash = ${text}.`);
  return { block: orphan, isOrphan: block === undefined };
}

/** Parameter of every call for headers. */
const PROOF = { fill_pow_hash: flag } as const;
const withProof = ({ restricted }: RpcContext, { fill_pow_hash }: { readonly fill_pow_hash: boolean }): boolean =>
  fill_pow_hash && restricted !== true;

/** Header of the newest block (`on_get_last_block_header`). */
export const getLastBlockHeader = method(PROOF, (context, params) => ({
  ...PAID_OK,
  block_header: blockHeader(context, context.node.chain.top, { withProof: withProof(context, params) }),
}));

/** Header of the block at a height (`on_get_block_header_by_height`). @throws RpcError `tooBigHeight` */
export const getBlockHeaderByHeight = method({ height: u64, ...PROOF }, (context, params) => {
  const block = blockAtHeight(context, params.height);
  return { ...PAID_OK, block_header: blockHeader(context, block, { withProof: withProof(context, params) }) };
});

/** One header by `hash`, several by `hashes`. Without a hash, the single header is empty. */
export const getBlockHeaderByHash = method({ hash: text, hashes: listOf(text), ...PROOF }, (context, params) => {
  if (context.restricted && params.hashes.length > RESTRICTED.blocks)
    throw new RpcError('restricted', 'Too many block headers requested in restricted mode');
  const header = (hash: string): Reply => {
    const { block, isOrphan } = blockWithHash(context, hash);
    return blockHeader(context, block, { withProof: withProof(context, params), isOrphan });
  };
  const block_header = params.hash === '' ? EMPTY_HEADER : header(params.hash);
  return { ...PAID_OK, block_header, block_headers: params.hashes.map(memoize(header)) };
});

/**
 * Headers from one height to another, both included (`on_get_block_headers_range`).
 * @throws RpcError `tooBigHeight`; `restricted` for more of them than a restricted service sends at once
 */
export const getBlockHeadersRange = method({ start_height: count, end_height: count, ...PROOF }, (context, params) => {
  const { start_height: start, end_height: end } = params;
  const { chain } = context.node;
  if (start >= chain.height || end >= chain.height || start > end)
    throw new RpcError('tooBigHeight', 'Invalid start/end heights.');
  if (context.restricted && end - start > RESTRICTED.headers)
    throw new RpcError('restricted', 'Too many block headers requested.');
  const options = { withProof: withProof(context, params) };
  const headers: Reply[] = [];
  for (let height = start; height <= end; height++) headers.push(blockHeader(context, chain.blockAt(height)!, options));
  return { ...PAID_OK, headers };
});

/**
 * A block by id or, if none is given, by height: bytes, JSON, header and ids (`on_get_block`).
 * @throws RpcError `wrongParam`, `internalError` for an invalid or unknown id; `tooBigHeight`
 */
export const getBlock = method({ hash: text, height: u64, ...PROOF }, (context, params) => {
  const { hash, height } = params;
  const { block, isOrphan } =
    hash === '' ? { block: blockAtHeight(context, height), isOrphan: false } : blockWithHash(context, hash);
  return {
    ...PAID_OK,
    blob: bytesToHex(block.blob),
    block_header: blockHeader(context, block, { withProof: withProof(context, params), isOrphan }),
    json: blockToJson(block.block),
    miner_tx_hash: block.minerTx.id,
    tx_hashes: block.transactions.map((tx) => tx.id),
  };
});

/** Id of the block at the only given height (`on_getblockhash`). @throws RpcError `wrongParam`, `tooBigHeight` */
export const onGetBlockHash = method({ params: listOf(u64) }, (context, { params: [height, ...more] }) => {
  if (height === undefined || more.length > 0) throw new RpcError('wrongParam', 'Wrong parameters, expected height');
  return blockAtHeight(context, height).id;
});

/** Removes blocks from the chain, newest first; their transactions return to the pool. */
export const popBlocks = method({ nblocks: count }, ({ node }, { nblocks }) => {
  node.popBlocks(nblocks);
  return { ...OK, height: node.chain.height };
});

/** Lists each block once, even if several branches contain it, in the order of the reference's database. */
export function getAltBlocksHashes({ node }: Pick<RpcContext, 'node'>): Reply {
  const ids = new Set(node.branches.all.flatMap((branch) => branch.blockIds));
  return { ...PAID_OK, blks_hashes: [...ids].sort(compareStoredIds) };
}
