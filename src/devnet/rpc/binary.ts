import { bytesToHex, hexToBytes } from '../../base/index.ts';
import { decodeStorageRequest, encodePortableStorage, ProtocolError, type StorageObject, storage } from '../../protocol/index.ts';
import { readBlockRun } from '../block-run.ts';
import { type Chain, commitmentOf, isUnlockTimePast, type OutputRecord } from '../chain.ts';
import { idOf } from '../store/records.ts';
import { encodeBlocksReply } from './blocks-reply.ts';
import { RESTRICTED, type RpcContext } from './context.ts';
import { compressed, isRctAlone, outputDistribution } from './distribution.ts';
import { memoize } from './memoize.ts';
import { AbortedCall } from './params.ts';

const { bool, bytes, object, objects, packed, packedU64s, text, u64, u64s } = storage;

const MAX_BLOCKS = 1000;
/** The reference's limits of one reply. */
const REPLY_LIMITS = { minBlocks: 3, transactions: 20_000, bytes: 100 * 1024 * 1024 } as const;
/** Maximum ids of one reply. */
const MAX_IDS = 10_000;

const ID_BYTES = 32;
const NO_BYTES = new Uint8Array();

/** Concatenated ids. As in the reference, bytes that are not a whole number of ids count as absent. */
function idsIn(request: StorageObject, name: string): Uint8Array[] {
  return request.getBytes(name, NO_BYTES).length % ID_BYTES === 0 ? request.getPacked(name, ID_BYTES) : [];
}

/** A list of numbers. As in the reference, anything else counts as an empty one. */
function numbersIn(request: StorageObject, name: string): BigUint64Array {
  const entry = request.entries.get(name);
  return entry?.type === 'array' && entry.value.items.length > 0 ? request.getU64s(name) : new BigUint64Array();
}

/** A list of objects; anything else counts as an empty one. */
function objectsIn(request: StorageObject, name: string): readonly StorageObject[] {
  const entry = request.entries.get(name);
  return entry?.type === 'array' && entry.value.of === 'object' ? entry.value.items : [];
}

/** A height or a count. From 2^53 on it is rounded, which no chain reaches anyway. */
const countIn = (request: StorageObject, name: string): number => Number(request.getU64(name, 0n));

type BinaryMethod = (context: RpcContext, request: StorageObject) => Buffer | Uint8Array;

const PAID = { credits: u64(0), top_hash: text(''), untrusted: bool(false) };
const status = (value: string) => ({ ...PAID, status: text(value) });
const failed = (value = 'Failed') => encodePortableStorage(object(status(value)));

/** Height of the newest block of the caller's chain that is on ours; undefined when even the oldest is not our genesis block. */
function splitHeight(chain: Chain, ids: readonly Uint8Array[]): number | undefined {
  const oldest = ids[ids.length - 1];
  if (oldest === undefined || bytesToHex(oldest) !== chain.blockAt(0)!.id) return undefined;
  for (const id of ids) {
    const block = chain.blockById(bytesToHex(id));
    if (block !== undefined) return block.height;
  }
  return undefined;
}

/** Parts that a caller may request; only blocks by default. */
const BLOCKS_ONLY = 0;
const POOL_ONLY = 2;

const getBlocks: BinaryMethod = ({ node, restricted }, request) => {
  const { chain } = node;
  const wanted = request.getNumber('requested_info', BLOCKS_ONLY);
  if (wanted > 0xff)
    throw new ProtocolError('out-of-range', 'expected "requested_info" to be of one byte', { field: 'requested_info' });
  const since = countIn(request, 'pool_info_since');
  const pool = wanted === BLOCKS_ONLY ? undefined : node.pool.changesSince(since, restricted === true);
  const daemonTime = node.now();
  const times = { start_height: u64(0), current_height: u64(0), daemon_time: u64(daemonTime) };
  if (wanted > POOL_ONLY) return encodePortableStorage(object({ ...status('Failed, wrong requested info'), ...times }));
  const head = { daemonTime, pool, maxPoolTransactions: restricted ? RESTRICTED.transactions : undefined };
  const ids = idsIn(request, 'block_ids');
  const prune = request.getBoolean('prune', false);
  const withMinerTx = !request.getBoolean('no_miner_tx', false);
  if (wanted === POOL_ONLY) return encodeBlocksReply([], { ...head, startHeight: 0, currentHeight: 0, prune, withMinerTx });
  if (ids.length > 0 && bytesToHex(ids[0]!) === chain.top.id) {
    return encodeBlocksReply([], { ...head, startHeight: 0, currentHeight: chain.height, prune, withMinerTx });
  }
  const requestedHeight = countIn(request, 'start_height');
  const startHeight = requestedHeight > 0 ? requestedHeight : splitHeight(chain, ids);
  if (startHeight === undefined || startHeight >= chain.height) {
    return encodeBlocksReply([], { ...head, startHeight: 0, currentHeight: 0, prune, withMinerTx, status: 'Failed' });
  }
  const maxBlocks = Math.min(countIn(request, 'max_block_count') || MAX_BLOCKS, MAX_BLOCKS);
  const blocks = readBlockRun(node.database, startHeight, prune, { ...REPLY_LIMITS, blocks: maxBlocks });
  // Whole blocks are requested, but proofs were pruned: the reference aborts the call.
  if (blocks === undefined) throw new AbortedCall('expected blocks that are not pruned');
  return encodeBlocksReply(blocks, { ...head, startHeight, currentHeight: chain.height, prune, withMinerTx });
};

const getHashes: BinaryMethod = ({ node: { chain } }, request) => {
  // Only returned when nothing is found.
  const requestedHeight = request.getU64('start_height', 0n);
  const startHeight = splitHeight(chain, idsIn(request, 'block_ids'));
  if (startHeight === undefined)
    return encodePortableStorage(object({ ...status('Failed'), start_height: u64(requestedHeight), current_height: u64(0) }));
  const found = Array.from(chain.records(startHeight, Math.min(startHeight + MAX_IDS, chain.height)), idOf);
  const fields = { start_height: u64(startHeight), current_height: u64(chain.height), m_block_ids: packed(found) };
  return encodePortableStorage(object({ ...status('OK'), ...fields }));
};

/** A block and its transactions. Pruned ones are omitted without an error, as in the reference. */
function blockEntry(chain: Chain, height: bigint): StorageObject | undefined {
  const block = chain.blockAt(Number(height));
  if (block === undefined) return undefined;
  const txs = storage.byteStrings(block.transactions.filter((tx) => !tx.isPruned).map((tx) => tx.blob));
  return object({ block: bytes(block.blob), txs });
}

const getBlocksByHeight: BinaryMethod = ({ node: { chain }, restricted }, request) => {
  const heights = numbersIn(request, 'heights');
  if (restricted && heights.length > RESTRICTED.blocks) return failed('Too many blocks requested in restricted mode');
  const entries: StorageObject[] = [];
  const reply = (message: string) => encodePortableStorage(object({ ...status(message), blocks: objects(entries) }));
  const entryOf = memoize((height: bigint) => blockEntry(chain, height));
  for (const height of heights) {
    const entry = entryOf(height);
    if (entry === undefined) return reply(`Error retrieving block at height ${height}`);
    entries.push(entry);
  }
  return reply('OK');
};

const getOutputIndices: BinaryMethod = ({ node: { chain } }, request) => {
  const id = request.getBytes('txid', NO_BYTES);
  const tx = id.length === ID_BYTES ? chain.transaction(bytesToHex(id)) : undefined;
  if (tx === undefined) return failed();
  return encodePortableStorage(object({ ...status('OK'), o_indexes: u64s(tx.outputIndices.map(BigInt)) }));
};

function outputEntry(chain: Chain, output: OutputRecord, withTxId: boolean): StorageObject {
  return object({
    key: bytes(output.key),
    mask: bytes(commitmentOf(output)),
    unlocked: bool(isUnlockTimePast(chain, output.unlockTime)),
    height: u64(output.height),
    txid: bytes(withTxId ? hexToBytes(output.txId) : new Uint8Array(32)),
  });
}

const getOuts: BinaryMethod = ({ node: { chain }, restricted }, request) => {
  const withTxId = request.getBoolean('get_txid', true);
  const outputs = objectsIn(request, 'outputs');
  if (restricted && outputs.length > RESTRICTED.outputs) return failed('Too many outs requested');
  const entries: StorageObject[] = [];
  for (const requested of outputs) {
    const output = chain.output(requested.getU64('amount', 0n), requested.getU64('index', 0n));
    if (output === undefined) return failed();
    entries.push(outputEntry(chain, output, withTxId));
  }
  return encodePortableStorage(object({ ...status('OK'), outs: objects(entries) }));
};

const getOutputDistribution: BinaryMethod = ({ node: { chain }, restricted }, request) => {
  const amounts = numbersIn(request, 'amounts');
  // The reference fails the call, so that its status is not sent.
  if (restricted && !isRctAlone(amounts)) throw new AbortedCall('expected amount 0 alone of a restricted service');
  if (!request.getBoolean('binary', true)) return failed('Binary only call');
  const compress = request.getBoolean('compress', false);
  const query = {
    from: countIn(request, 'from_height'),
    to: countIn(request, 'to_height'),
    cumulative: request.getBoolean('cumulative', false),
  };
  const entry = (amount: bigint): StorageObject | undefined => {
    const found = outputDistribution(chain, amount, query);
    if (found === undefined) return undefined;
    const data = compress
      ? { compressed_data: bytes(compressed(found.distribution)) }
      : { distribution: packedU64s(found.distribution) };
    const head = { amount: u64(amount), start_height: u64(found.startHeight), base: u64(found.base) };
    return object({ ...head, binary: bool(true), compress: bool(compress), ...data });
  };
  const entryOf = memoize(entry);
  const entries: StorageObject[] = [];
  for (const amount of amounts) {
    const found = entryOf(amount);
    if (found === undefined) return failed('Failed to get output distribution');
    entries.push(found);
  }
  return encodePortableStorage(object({ ...status('OK'), distributions: objects(entries) }));
};

const METHODS: ReadonlyMap<string, BinaryMethod> = new Map([
  ['get_blocks.bin', getBlocks],
  ['getblocks.bin', getBlocks],
  ['get_hashes.bin', getHashes],
  ['gethashes.bin', getHashes],
  ['get_blocks_by_height.bin', getBlocksByHeight],
  ['getblocks_by_height.bin', getBlocksByHeight],
  ['get_o_indexes.bin', getOutputIndices],
  ['get_outs.bin', getOuts],
  ['get_output_distribution.bin', getOutputDistribution],
]);

/**
 * Answers a call whose request and reply are portable storage.
 * @returns undefined when there is no such call
 * @throws ProtocolError when the request is not valid for the call
 */
export function answerBinary(context: RpcContext, name: string, body: Uint8Array): Buffer | Uint8Array | undefined {
  const method = METHODS.get(name);
  if (method === undefined) return undefined;
  const request = decodeStorageRequest(body);
  // The client that pays for the call: checked as a field, and ignored.
  request.getBytes('client', NO_BYTES);
  return method(context, request);
}
