import { bytesToHex } from '../../base/index.ts';
import type { ChainBlock } from '../chain.ts';
import type { OrphanBlock } from '../node.ts';
import { OK, PAID_OK, RESTRICTED, type RpcContext } from './context.ts';
import { blockHeader, EMPTY_HEADER } from './headers.ts';
import { hash32, type Params, RpcError } from './params.ts';
import type { Reply } from './reply.ts';
import { blockToJson } from './tx-json.ts';

/** Answers about blocks, and the one that takes them off. */

function blockAtHeight({ node: { chain } }: RpcContext, height: bigint): ChainBlock {
  const block = chain.blockAt(Number(height));
  if (block !== undefined) return block;
  const newest = chain.height - 1;
  throw new RpcError('tooBigHeight', `Requested block height: ${height} greater than current top block height: ${newest}`);
}

/** Of the main chain, or of a branch that lost. */
function blockWithHash({ node }: RpcContext, text: string): { readonly block: OrphanBlock; readonly isOrphan: boolean } {
  const hash = hash32(text);
  if (hash === undefined) throw new RpcError('wrongParam', `Failed to parse hex representation of block hash. Hex = ${text}.`);
  const block = node.chain.blockById(hash);
  const orphan = block ?? node.alternativeBlock(hash);
  if (orphan === undefined) throw new RpcError('internalError', `Internal error: can't get block by hash. Hash = ${text}.`);
  return { block: orphan, isOrphan: block === undefined };
}

const withProof = (context: RpcContext, params: Params): boolean => params.flag('fill_pow_hash') && context.restricted !== true;

export function getLastBlockHeader(context: RpcContext, params: Params): Reply {
  return { ...PAID_OK, block_header: blockHeader(context, context.node.chain.top, { withProof: withProof(context, params) }) };
}

export function getBlockHeaderByHeight(context: RpcContext, params: Params): Reply {
  const block = blockAtHeight(context, params.integer('height'));
  return { ...PAID_OK, block_header: blockHeader(context, block, { withProof: withProof(context, params) }) };
}

/** One header by `hash`, several by `hashes`. Without a hash the one header is an empty one. */
export function getBlockHeaderByHash(context: RpcContext, params: Params): Reply {
  if (context.restricted && params.texts('hashes').length > RESTRICTED.blocks)
    throw new RpcError('restricted', 'Too many block headers requested in restricted mode');
  const single = params.text('hash');
  const header = (hash: string): Reply => {
    const { block, isOrphan } = blockWithHash(context, hash);
    return blockHeader(context, block, { withProof: withProof(context, params), isOrphan });
  };
  const block_header = single === '' ? EMPTY_HEADER : header(single);
  return { ...PAID_OK, block_header, block_headers: params.texts('hashes').map(header) };
}

export function getBlockHeadersRange(context: RpcContext, params: Params): Reply {
  const start = params.number('start_height');
  const end = params.number('end_height');
  const { chain } = context.node;
  if (start >= chain.height || end >= chain.height || start > end)
    throw new RpcError('tooBigHeight', 'Invalid start/end heights.');
  if (context.restricted && end - start > RESTRICTED.headers)
    throw new RpcError('restricted', 'Too many block headers requested.');
  const options = { withProof: withProof(context, params) };
  const headers: Reply[] = [];
  for (let height = start; height <= end; height++) headers.push(blockHeader(context, chain.blockAt(height)!, options));
  return { ...PAID_OK, headers };
}

export function getBlock(context: RpcContext, params: Params): Reply {
  const hash = params.text('hash');
  const { block, isOrphan } =
    hash === '' ? { block: blockAtHeight(context, params.integer('height')), isOrphan: false } : blockWithHash(context, hash);
  return {
    ...PAID_OK,
    blob: bytesToHex(block.blob),
    block_header: blockHeader(context, block, { withProof: withProof(context, params), isOrphan }),
    json: blockToJson(block.block),
    miner_tx_hash: block.minerTx.id,
    tx_hashes: block.transactions.map((tx) => tx.id),
  };
}

export function onGetBlockHash(context: RpcContext, params: Params): string {
  const heights = params.integers('params');
  const [height] = heights;
  if (heights.length !== 1 || height === undefined) throw new RpcError('wrongParam', 'Wrong parameters, expected height');
  return blockAtHeight(context, height).id;
}

export function popBlocks({ node }: RpcContext, params: Params): Reply {
  node.popBlocks(params.number('nblocks'));
  return { ...OK, height: node.chain.height };
}

export function getAltBlocksHashes({ node }: RpcContext): Reply {
  return { ...PAID_OK, blks_hashes: node.alternativeChains.flatMap((branch) => branch.blockIds) };
}
