import { createHash } from 'node:crypto';
import { bytesToHex, concatBytes, hexToBytes } from '../../base/index.ts';
import { cnSlowHash } from '../../crypto/index.ts';
import {
  type AddressKeys,
  type Block,
  blockHashingBlob,
  isProtocolError,
  ODD_BLOCK_HEIGHT,
  parseBlock,
  parseExtra,
  serializeBlock,
  serializeExtra,
  treeHash,
} from '../../protocol/index.ts';
import { templateBacklog } from '../backlog.ts';
import { DevnetError, RejectedError } from '../errors.ts';
import { minerAddress, type Template } from '../miner.ts';
import { parseWholeBlock } from '../parsed.ts';
import { findNonce, nextSeedHeight, seedHeight, testHash } from '../proof-of-work.ts';
import { BLOCK_VERSION } from '../rules.ts';
import { OK, RESTRICTED, type RpcContext } from './context.ts';
import { wideFields } from './headers.ts';
import { count, fromHex, hash32, listOf, method, objects, RpcError, text, u8, u32 } from './params.ts';
import type { Reply } from './reply.ts';

/** Calls for miners: templates, their contents, and submitted blocks. */

/** Maximum blocks that one request may make. */
const MAX_GENERATED = 100_000;
const MAX_RESERVED = 255;

function addressOf(text: string, { node }: RpcContext): AddressKeys {
  try {
    return minerAddress(text, node.network);
  } catch (error) {
    if (!(error instanceof DevnetError)) throw error;
    if (error.code === 'subaddress') throw new RpcError('miningToSubaddress', 'Mining to subaddress is not supported yet');
    throw new RpcError('wrongWalletAddress', 'Failed to parse wallet address');
  }
}

function templateFor({ node, restricted }: RpcContext, address: AddressKeys, prev: string, nonce: Uint8Array): Template {
  const template = node.templateOn(prev === '' ? node.chain.top.id : prev, address, { nonce, relayedOnly: restricted });
  if (template === undefined) throw new RpcError('internalError', 'Internal error: failed to create block template');
  return template;
}

/** Where the reserved bytes begin in a block's blob: after the public key in the coinbase's extra field. */
function reservedOffset(template: Template, reserved: number): number {
  if (reserved === 0) return 0;
  const coinbase = Buffer.from(template.minerTx.blob);
  const extraEnd = coinbase.length - 1; // RingCT type Null is one byte.
  // The reference counts two bytes for the tag and the length, even if the length takes two.
  const lengthBytes = reserved > 127 ? 1 : 0;
  return Buffer.from(template.parsed.blob).indexOf(coinbase) + extraEnd - reserved - lengthBytes;
}

const TEMPLATE = { reserve_size: count, wallet_address: text, prev_block: text, extra_nonce: text } as const;

/** A block to mine: its coinbase has `reserve_size` free bytes, or `extra_nonce`; on any block of the chain, not only the newest. */
export const getBlockTemplate = method(TEMPLATE, (context, params) => {
  const { reserve_size: reserved, extra_nonce: extraNonce } = params;
  if (reserved > MAX_RESERVED) throw new RpcError('tooBigReserveSize', 'Too big reserved size, maximum 255');
  if (reserved > 0 && extraNonce !== '')
    throw new RpcError('wrongParam', 'Cannot specify both a reserve_size and an extra_nonce');
  if (extraNonce.length > 2 * MAX_RESERVED)
    throw new RpcError('tooBigReserveSize', 'Too big extra_nonce size, maximum 510 hex chars');
  const address = addressOf(params.wallet_address, context);
  const nonce = extraNonce === '' ? new Uint8Array(reserved) : fromHex(extraNonce);
  if (nonce === undefined) throw new RpcError('wrongParam', 'Parameter extra_nonce should be a hex string');
  const prev = params.prev_block === '' ? '' : hash32(params.prev_block);
  if (prev === undefined) throw new RpcError('internalError', 'Invalid prev_block');
  const template = templateFor(context, address, prev, nonce);
  const height = heightOf(template);
  const { chain } = context.node;
  const seed = chain.seedIdAt(height);
  const next = chain.blockAt(nextSeedHeight(height))!.id;
  return {
    ...OK,
    ...wideFields('difficulty', context.node.branches.difficultyOn(parentIdOf(template))),
    blockhashing_blob: bytesToHex(blockHashingBlob(template.parsed.block)),
    blocktemplate_blob: bytesToHex(template.parsed.blob),
    expected_reward: template.reward,
    height,
    next_seed_hash: next === seed ? '' : next,
    prev_hash: parentIdOf(template),
    reserved_offset: reservedOffset(template, nonce.length),
    seed_hash: seed,
    seed_height: seedHeight(height),
  };
});

const parentIdOf = ({ parsed }: Template): string => bytesToHex(parsed.block.prevId);

function heightOf({ minerTx }: Template): number {
  const [input] = minerTx.tx.inputs;
  return input?.type === 'gen' ? input.height : 0;
}

/** Data from which a mining pool makes templates. */
export const minerData = (node: RpcContext['node']) => ({
  major_version: BLOCK_VERSION,
  height: node.chain.height,
  prev_id: node.chain.top.id,
  seed_hash: node.chain.seedIdAt(node.chain.height),
  difficulty: `0x${node.difficulty.toString(16)}`,
  median_weight: node.chain.weightMedian,
  already_generated_coins: node.chain.top.generatedCoins,
  tx_backlog: templateBacklog(node).map(({ id, weight, fee }) => ({ id, weight, fee })),
});

/** {@link minerData} as an answer (`on_get_miner_data`). */
export const getMinerData = ({ node }: RpcContext): Reply => ({ ...OK, ...minerData(node) });

function readBlock(blob: Uint8Array | undefined, message: string): Block {
  try {
    if (blob !== undefined) return parseBlock(blob, { asNode: true });
  } catch (error) {
    if (!isProtocolError(error)) throw error;
  }
  throw new RpcError('wrongBlockblob', message);
}

/** Accepts a block whose transactions are all known: the reference looks for them in its pool. */
export const submitBlock = method({ params: listOf(text) }, ({ node }, { params: [block, ...more] }) => {
  if (block === undefined || more.length > 0) throw new RpcError('wrongParam', 'Wrong param');
  const blob = fromHex(block);
  const { minerTx, txHashes } = readBlock(blob, 'Wrong block blob');
  if (minerTx.inputs.length > 1) throw new RpcError('wrongBlockblob', 'Wrong block blob');
  // Before anything else, the reference looks for them in its pool (cryptonote_core.cpp, get_block_complete_entry).
  if (!txHashes.every((hash) => node.pool.get(bytesToHex(hash)) !== undefined))
    throw new RpcError('blockNotAccepted', 'Block not accepted');
  return { ...OK, block_id: handIn(node, blob!) };
});

function handIn(node: RpcContext['node'], blob: Uint8Array): string {
  try {
    return node.submitBlock(blob);
  } catch (error) {
    if (isProtocolError(error)) throw new RpcError('wrongBlockblob', 'Wrong block blob');
    if (!(error instanceof RejectedError)) throw error;
    // A block without known parent, or already known, counts as submitted (cryptonote_core.cpp, handle_block_found).
    if (error.code === 'block-parent-unknown' || error.code === 'block-known') return parseWholeBlock(blob).id;
    throw new RpcError('blockNotAccepted', 'Block not accepted');
  }
}

const GENERATED = { amount_of_blocks: count, wallet_address: text, prev_block: text, starting_nonce: u32 } as const;

/** Makes blocks at once. With `prev_block`, the first one follows that block, which starts a branch. */
export const generateBlocks = method(GENERATED, (context, params) => {
  if (params.amount_of_blocks > MAX_GENERATED) throw new RpcError('wrongParam', `Too many blocks, maximum ${MAX_GENERATED}`);
  const { node } = context;
  if (node.network !== 'regtest') throw new RpcError('regtestRequired', 'Regtest required when generating blocks');
  const blocks: string[] = [];
  let height = node.chain.height;
  let prev = params.prev_block;
  for (let i = 0; i < params.amount_of_blocks; i++) {
    const address = addressOf(params.wallet_address, context);
    const parent = prev === '' ? '' : hash32(prev);
    if (parent === undefined) throw new RpcError('internalError', 'Invalid prev_block');
    const template = templateFor(context, address, parent, new Uint8Array(1));
    height = heightOf(template);
    const seed = hexToBytes(node.chain.seedIdAt(height));
    const block = findNonce(template.parsed.block, seed, node.branches.difficultyOn(parentIdOf(template)), params.starting_nonce);
    prev = handIn(node, serializeBlock(block));
    blocks.push(prev);
  }
  return { ...OK, blocks, height };
});

/** Up to version 6 the proof of work is the original CryptoNight; for later versions it is always the devnet's test hash. */
const LAST_CRYPTONIGHT_VERSION = 6;

/**
 * A block of mainnet that broke the reference's tree hash has a fixed hash, on every chain (cryptonote_tx_utils.cpp, get_block_longhash).
 */
const ODD_HASH = '84f64766475d51837ac9efbef1926486e58563c95a19fef4aec3254f03000000';

const PROOF = { major_version: u8, height: count, block_blob: text, seed_hash: text } as const;

/** The hash that has to meet the block's difficulty: CryptoNight up to version 6, then the devnet's own (docs/devnet.md). */
export const calcPow = method(PROOF, async ({ node: { chain } }, params) => {
  const blob = fromHex(params.block_blob);
  if (blob === undefined) throw new RpcError('wrongBlockblob', 'Wrong block blob');
  const height = Math.min(params.height, chain.height);
  const seed = fromHex(params.seed_hash || chain.seedIdAt(height));
  if (seed?.length !== 32) throw new RpcError('wrongParam', 'Wrong seed hash');
  if (params.height === ODD_BLOCK_HEIGHT) return ODD_HASH;
  if (params.major_version <= LAST_CRYPTONIGHT_VERSION) return bytesToHex(await cnSlowHash(blob));
  return bytesToHex(testHash(seed, blob));
});

interface AuxiliaryChain {
  readonly id: Uint8Array;
  readonly hash: Uint8Array;
}

const MERGE_MINING_TAG = 3;

/** Last nonce that is tried until every chain has its own slot. */
const MAX_NONCE = 65_535;
const MAX_NONCE_RESTRICTED = 16_384;

function readChains(chains: readonly { readonly id: string; readonly hash: string }[]): AuxiliaryChain[] {
  return chains.map((entry) => {
    const id = hash32(entry.id);
    if (id === undefined) throw new RpcError('wrongParam', 'Invalid aux pow id');
    const hash = hash32(entry.hash);
    if (hash === undefined) throw new RpcError('wrongParam', 'Invalid aux pow hash');
    return { id: hexToBytes(id), hash: hexToBytes(hash) };
  });
}

/** The slot of a chain among others, for a nonce (merge_mining.cpp). */
function slotOf(id: Uint8Array, nonce: number, chains: number): number {
  const tail = Buffer.alloc(5, 'm');
  tail.writeUInt32LE(nonce);
  return createHash('sha256').update(concatBytes(id, tail)).digest().readUInt32LE() % chains;
}

/** Stops at the first two chains in the same slot: most nonces fail early, and a stranger's request must not delay others. */
function areApart(chains: readonly AuxiliaryChain[], nonce: number): boolean {
  const taken = new Set<number>();
  return chains.every(({ id }) => taken.size < taken.add(slotOf(id, nonce, chains.length)).size);
}

function nonceFor(chains: readonly AuxiliaryChain[], most: number): number {
  const isRepeated = new Set(chains.map(({ id }) => bytesToHex(id))).size < chains.length;
  for (let nonce = isRepeated ? most + 1 : 0; nonce <= most; nonce++) if (areApart(chains, nonce)) return nonce;
  throw new RpcError('internalError', 'Failed to find a suitable nonce');
}

/** Number of chains and nonce in one integer: three bits give the length of the number. */
function treeDepth(chains: number, nonce: number): bigint {
  let bits = 1;
  while (1 << bits < chains && bits < 16) bits++;
  return BigInt.asUintN(32, BigInt(bits - 1) | (BigInt(chains - 1) << 3n) | (BigInt(nonce) << BigInt(3 + bits)));
}

const AUXILIARY = { blocktemplate_blob: text, aux_pow: objects({ id: text, hash: text }) } as const;

/** Puts the root of other chains' blocks into a template's coinbase. */
export const addAuxPow = method(AUXILIARY, (context, { blocktemplate_blob, aux_pow: asked }) => {
  if (context.restricted && asked.length > RESTRICTED.auxiliaryChains)
    throw new RpcError('restricted', 'Too many aux pow hashes');
  if (asked.length === 0) throw new RpcError('wrongParam', 'Empty aux pow hash vector');
  const chains = readChains(asked);
  const depth = treeDepth(chains.length, nonceFor(chains, context.restricted ? MAX_NONCE_RESTRICTED : MAX_NONCE));
  const root = treeHash(chains.map(({ hash }) => hash));
  const blob = fromHex(blocktemplate_blob);
  if (blob === undefined) throw new RpcError('wrongParam', 'Invalid blocktemplate_blob');
  const block = withRoot(readBlock(blob, 'Wrong blocktemplate_blob'), root, depth);
  return {
    ...OK,
    aux_pow: asked,
    blockhashing_blob: bytesToHex(blockHashingBlob(block)),
    blocktemplate_blob: bytesToHex(serializeBlock(block)),
    merkle_root: bytesToHex(root),
    merkle_tree_depth: depth,
  };
});

/** Tag, length, depth and root of a merge mining field. The reference writes only the depth's lowest byte, whatever the depth. */
function withRoot(block: Block, root: Uint8Array, depth: bigint): Block {
  const fields = parseExtra(block.minerTx.extra).fields.filter(({ type }) => type !== 'mergeMining');
  const tag = Uint8Array.of(MERGE_MINING_TAG, root.length + 1, Number(depth & 0xffn));
  const extra = concatBytes(serializeExtra(fields), tag, root);
  return { ...block, minerTx: { ...block.minerTx, extra } };
}
