import type { ErrorData } from '../../base/index.ts';
import { type BlockHash, type Height, NEWEST_VERSION } from '../../protocol/index.ts';
import type { Items, ScannedBlock } from '../../scan/index.ts';
import { WalletError } from '../errors.ts';
import type { BlockStub } from '../model.ts';

/** Latest time a JavaScript date can hold, in the year 275760; unix seconds. */
const LATEST_TIME = 8_640_000_000_000;

/** How a reply's blocks continue the known chain. */
export type Junction =
  /** The blocks from this position of the reply on are new; 0 when all are. */
  | { readonly kind: 'extends'; readonly firstNew: number }
  /** Our chain differs from `height` on; the reply's blocks from `firstNew` on replace it. */
  | { readonly kind: 'forks'; readonly height: Height; readonly parent: BlockHash; readonly firstNew: number };

/**
 * Checks that a reply's blocks follow each other and ours (T5), and finds where they leave our chain.
 * @param known stored ids, ascending; `height` is the next block to scan
 * @throws WalletError `broken-chain`, `unknown-era`, `reorg-too-deep`
 */
export function joinReply(blocks: Items<ScannedBlock>, known: readonly BlockStub[], height: Height, maxDepth: number): Junction {
  requireRun(blocks);
  const first = blocks.at(0)!;
  if (first.height > height)
    throw new WalletError('broken-chain', 'expected blocks from the next height on', { got: first.height, next: height });
  const ids = new Map<Height, BlockHash>();
  for (const stub of known) ids.set(stub.height, stub.id);
  requireParent(first, ids);
  for (let position = 0; position < blocks.length; position++) {
    const block = blocks.at(position)!;
    if (block.height >= height) return { kind: 'extends', firstNew: position };
    const ours = ids.get(block.height);
    if (ours === undefined) continue;
    if (ours !== block.id) return fork(blocks, position, ids, height, maxDepth);
  }
  return { kind: 'extends', firstNew: blocks.length };
}

/**
 * Requires an answer to our short history to begin with one of its blocks. Otherwise the daemon is below the height where we began, or on
 * another chain.
 * @param known not empty; `tip` is the daemon's number of blocks
 * @throws WalletError `daemon-behind`, `reorg-too-deep`
 */
export function requireCommonBlock(first: ScannedBlock, known: readonly BlockStub[], tip: Height): void {
  if (known.some(({ height, id }) => height === first.height && id === first.id)) return;
  const began = known[0]!.height;
  if (tip <= began)
    throw new WalletError('daemon-behind', `expected a daemon that has come to block ${began}: it may still be catching up`, {
      tip,
    });
  throw new WalletError('reorg-too-deep', 'expected a fork above a block this wallet remembers', { height: first.height });
}

/** The first block of a reply must be known or follow a known one; a wallet without blocks accepts any. */
function requireParent(first: ScannedBlock, ids: ReadonlyMap<Height, BlockHash>): void {
  const parent = ids.get(first.height - 1);
  if (parent !== undefined && parent !== first.prevId)
    throw new WalletError('broken-chain', 'expected the reply to follow a block we know', { height: first.height });
}

function fork(
  blocks: Items<ScannedBlock>,
  position: number,
  ids: ReadonlyMap<Height, BlockHash>,
  height: Height,
  maxDepth: number,
): Junction {
  const block = blocks.at(position)!;
  const depth = height - block.height;
  if (position === 0 || ids.get(block.height - 1) !== block.prevId)
    throw new WalletError('reorg-too-deep', 'expected a fork above a block this wallet remembers', { height: block.height });
  if (depth > maxDepth)
    throw new WalletError('reorg-too-deep', `expected a reorganisation of at most ${maxDepth} blocks`, { depth });
  return { kind: 'forks', height: block.height, parent: block.prevId, firstNew: position };
}

/** @param data what is known of the block */
export const unknownEra = (data: ErrorData = {}): WalletError =>
  new WalletError(
    'unknown-era',
    `expected protocol version ${NEWEST_VERSION} at most: this wallet is too old for the chain`,
    data,
  );

function requireRun(blocks: Items<ScannedBlock>): void {
  let previous: ScannedBlock | undefined;
  for (const block of blocks) {
    if (block.majorVersion > NEWEST_VERSION) throw unknownEra({ version: block.majorVersion, height: block.height });
    if (block.timestamp > LATEST_TIME)
      throw new WalletError('broken-chain', 'expected a block of a time that a calendar has', { height: block.height });
    if (previous !== undefined && (block.height !== previous.height + 1 || block.prevId !== previous.id))
      throw new WalletError('broken-chain', 'expected each block to follow the one before', { height: block.height });
    previous = block;
  }
}

/** Block ids to send with a request: the last ten, then at ever larger distances, then the first (wallet2.cpp, get_short_chain_history). */
export function shortHistory(known: readonly BlockStub[], genesis: BlockHash): BlockHash[] {
  const ids: BlockHash[] = [];
  let step = 1;
  for (let i = known.length - 1; i >= 0; i -= step) {
    ids.push(known[i]!.id);
    if (ids.length >= 10) step *= 2;
  }
  const oldest = known[0];
  if (oldest !== undefined && ids.at(-1) !== oldest.id) ids.push(oldest.id);
  if (ids.at(-1) !== genesis) ids.push(genesis);
  return ids;
}

/** Ids to store of a reply's blocks from a position on: all near the tip, and always the last one. */
export function stubsWorthKeeping(blocks: Items<ScannedBlock>, from: number, tip: Height, dense: number): BlockStub[] {
  const stubs: BlockStub[] = [];
  for (let position = from; position < blocks.length; position++) {
    const { height, id, timestamp } = blocks.at(position)!;
    if (position === blocks.length - 1 || height + dense >= tip) stubs.push({ height, id, timestamp });
  }
  return stubs;
}
