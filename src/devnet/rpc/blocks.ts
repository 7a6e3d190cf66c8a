import { bytesToHex } from '../../base/index.ts';
import { isProtocolError } from '../../protocol/index.ts';
import type { ChainBlock } from '../chain.ts';
import { RejectedError } from '../errors.ts';
import { hashingBlob, type MinerAddress, minerAddress, type Template } from '../miner.ts';
import { OK, PAID_OK, type RpcContext } from './context.ts';
import { blockHeader, difficultyFields } from './headers.ts';
import {
  fromHex,
  type Params,
  RPC_BLOCK_NOT_ACCEPTED,
  RPC_INTERNAL_ERROR,
  RPC_TOO_BIG_HEIGHT,
  RPC_WRONG_BLOCKBLOB,
  RPC_WRONG_PARAM,
  RPC_WRONG_WALLET_ADDRESS,
  RpcError,
} from './params.ts';
import type { Reply } from './reply.ts';
import { blockToJson } from './tx-json.ts';

/** Answers about blocks, and those that make or remove them. */

const HASH = /^[0-9a-f]{64}$/;
/** Headers that one answer may hold. */
const MAX_HEADERS = 10_000;
/** Blocks that one request may make. */
const MAX_GENERATED = 100_000;

function blockAtHeight({ node: { chain } }: RpcContext, height: number): ChainBlock {
  const block = chain.blockAt(height);
  if (block !== undefined) return block;
  const newest = chain.height - 1;
  throw new RpcError(RPC_TOO_BIG_HEIGHT, `Requested block height: ${height} greater than current top block height: ${newest}`);
}

function blockWithHash({ node: { chain } }: RpcContext, text: string): ChainBlock {
  const hash = text.toLowerCase();
  if (!HASH.test(hash)) throw new RpcError(RPC_WRONG_PARAM, `Failed to parse hex representation of block hash. Hex = ${text}.`);
  const block = chain.blockById(hash);
  if (block === undefined) throw new RpcError(RPC_INTERNAL_ERROR, `Internal error: can't get block by hash. Hash = ${text}.`);
  return block;
}

export function getLastBlockHeader(context: RpcContext): Reply {
  return { ...PAID_OK, block_header: blockHeader(context, context.node.chain.top) };
}

export function getBlockHeaderByHeight(context: RpcContext, params: Params): Reply {
  return { ...PAID_OK, block_header: blockHeader(context, blockAtHeight(context, params.number('height'))) };
}

export function getBlockHeaderByHash(context: RpcContext, params: Params): Reply {
  const single = params.string('hash');
  const headers = params.strings('hashes').map((hash) => blockHeader(context, blockWithHash(context, hash)));
  const first = single === '' ? {} : { block_header: blockHeader(context, blockWithHash(context, single)) };
  return { ...PAID_OK, ...first, block_headers: headers };
}

export function getBlockHeadersRange(context: RpcContext, params: Params): Reply {
  const start = params.number('start_height');
  const end = params.number('end_height');
  const { chain } = context.node;
  if (start >= chain.height || end >= chain.height || start > end || end - start >= MAX_HEADERS) {
    throw new RpcError(RPC_TOO_BIG_HEIGHT, 'Invalid start/end heights.');
  }
  const headers: Reply[] = [];
  for (let height = start; height <= end; height++) headers.push(blockHeader(context, chain.blockAt(height)!));
  return { ...PAID_OK, headers };
}

export function getBlock(context: RpcContext, params: Params): Reply {
  const hash = params.string('hash');
  const block = hash === '' ? blockAtHeight(context, params.number('height')) : blockWithHash(context, hash);
  return {
    ...PAID_OK,
    blob: bytesToHex(block.blob),
    block_header: blockHeader(context, block),
    json: blockToJson(block.block),
    miner_tx_hash: block.minerTx.id,
    tx_hashes: block.transactions.map((tx) => tx.id),
  };
}

export function onGetBlockHash(context: RpcContext, params: Params): string {
  const [height] = params.positional;
  if (params.positional.length !== 1 || typeof height !== 'number') {
    throw new RpcError(RPC_WRONG_PARAM, 'Wrong parameters, expected height');
  }
  return blockAtHeight(context, height).id;
}

function addressOf(text: string): MinerAddress {
  try {
    return minerAddress(text);
  } catch {
    throw new RpcError(RPC_WRONG_WALLET_ADDRESS, 'Failed to parse wallet address');
  }
}

function templateFor({ node }: RpcContext, address: MinerAddress, prev: string, nonce: Uint8Array): Template {
  const template = node.templateOn(prev === '' ? node.chain.top.id : prev, address, nonce);
  if (template === undefined) throw new RpcError(RPC_INTERNAL_ERROR, 'Internal error: failed to create block template');
  return template;
}

/** Where in a block's blob its reserved bytes begin: behind the public key of the coinbase's extra field. */
function reservedOffset(template: Template, reserved: number): number {
  if (reserved === 0) return 0;
  const { tx } = template.minerTx;
  const coinbase = Buffer.from(template.minerTx.blob);
  const extraEnd = coinbase.length - 1; // RingCT type Null is one byte.
  const inCoinbase = extraEnd - reserved;
  const offset = Buffer.from(template.parsed.blob).indexOf(coinbase);
  return tx.extra.length === 0 ? 0 : offset + inCoinbase;
}

export function getBlockTemplate(context: RpcContext, params: Params): Reply {
  const reserved = params.number('reserve_size');
  if (reserved > 255) throw new RpcError(-3, 'Too big reserved size, maximum 255');
  const address = addressOf(params.string('wallet_address'));
  const template = templateFor(context, address, params.string('prev_block'), new Uint8Array(reserved));
  return {
    ...OK,
    ...difficultyFields('difficulty', 1),
    blockhashing_blob: bytesToHex(hashingBlob(template)),
    blocktemplate_blob: bytesToHex(template.parsed.blob),
    expected_reward: template.reward,
    height: template.minerTx.tx.inputs[0]?.type === 'gen' ? template.minerTx.tx.inputs[0].height : 0,
    next_seed_hash: '',
    prev_hash: bytesToHex(template.parsed.block.prevId),
    reserved_offset: reservedOffset(template, reserved),
    seed_hash: context.node.chain.blockAt(0)!.id,
    seed_height: 0,
  };
}

export function submitBlock({ node }: RpcContext, params: Params): Reply {
  const [text] = params.positional;
  if (params.positional.length !== 1 || typeof text !== 'string') throw new RpcError(RPC_WRONG_PARAM, 'Wrong param');
  const blob = fromHex(text);
  if (blob === undefined) throw new RpcError(RPC_WRONG_BLOCKBLOB, 'Wrong block blob');
  try {
    node.submitBlock(blob);
  } catch (error) {
    if (isProtocolError(error)) throw new RpcError(RPC_WRONG_BLOCKBLOB, 'Wrong block blob');
    if (error instanceof RejectedError) throw new RpcError(RPC_BLOCK_NOT_ACCEPTED, 'Block not accepted');
    throw error;
  }
  return { ...OK };
}

/** Makes blocks at once. With `prev_block` the first goes on that block, which makes a branch. */
export function generateBlocks(context: RpcContext, params: Params): Reply {
  const count = params.number('amount_of_blocks');
  if (count > MAX_GENERATED) throw new RpcError(RPC_WRONG_PARAM, `Too many blocks, maximum ${MAX_GENERATED}`);
  const address = addressOf(params.string('wallet_address'));
  const { node } = context;
  const blocks: string[] = [];
  let height = node.chain.height;
  let prev = params.string('prev_block');
  for (let i = 0; i < count; i++) {
    const template = templateFor(context, address, prev, new Uint8Array(1));
    try {
      node.submitBlock(template.parsed.blob);
    } catch (error) {
      if (error instanceof RejectedError) throw new RpcError(RPC_BLOCK_NOT_ACCEPTED, 'Block not accepted');
      throw error;
    }
    const input = template.minerTx.tx.inputs[0];
    height = input?.type === 'gen' ? input.height : height;
    prev = template.parsed.id;
    blocks.push(prev);
  }
  return { ...OK, blocks, height };
}

export function popBlocks({ node }: RpcContext, params: Params): Reply {
  node.popBlocks(params.number('nblocks'));
  return { ...OK, height: node.chain.height };
}

export function getAltBlocksHashes({ node }: RpcContext): Reply {
  return { ...PAID_OK, blks_hashes: node.alternativeChains.flatMap((branch) => branch.blockIds) };
}

export function getMinerData({ node: { chain, pool } }: RpcContext): Reply {
  return {
    ...OK,
    already_generated_coins: chain.top.generatedCoins,
    difficulty: '0x1',
    height: chain.height,
    major_version: 16,
    median_weight: chain.weightMedian,
    prev_id: chain.top.id,
    seed_hash: chain.blockAt(0)!.id,
    tx_backlog: pool.visible.map(({ id, weight, fee }) => ({ id, weight, fee })),
  };
}
