import { asArray, asCount, asObject, asU64, hexToBytes, type JsonObject } from '../../base/index.ts';
import { storage } from '../../protocol/index.ts';
import { checkCount, checkHeaders } from '../checks/against-request.ts';
import * as limits from '../limits.ts';
import type { RpcClient } from '../rpc-client.ts';
import type { BlocksFrom, CallOptions, DaemonInfo, DaemonVersion, HeaderEntry, HeightAnswer, WholeBlock } from '../types.ts';
import { inBatches } from './batches.ts';
import { asBlockHash, isTrue, optionalCount, optionalText } from './fields.ts';

const small = (options: CallOptions) => ({ signal: options.signal, maxBytes: limits.SMALL });

/** `get_height`. @throws DaemonError */
export function getHeight(client: RpcClient, options: CallOptions = {}): Promise<HeightAnswer> {
  return client.path('/get_height', {}, small(options), (reply) => ({
    height: asCount(reply.height, 'height'),
    hash: asBlockHash(reply.hash, 'hash'),
  }));
}

/** `get_info`, as far as a wallet needs it; fields that old or restricted daemons omit are 0, empty or false. @throws DaemonError */
export function getInfo(client: RpcClient, options: CallOptions = {}): Promise<DaemonInfo> {
  return client.rpc('get_info', {}, small(options), (reply) => ({
    height: asCount(reply.height, 'height'),
    targetHeight: optionalCount(reply, 'target_height'),
    topBlockHash: asBlockHash(reply.top_block_hash, 'top_block_hash'),
    nettype: nettypeOf(reply),
    difficulty: asU64(reply.difficulty, 'difficulty'),
    txPoolSize: optionalCount(reply, 'tx_pool_size'),
    blockWeightLimit: asCount(reply.block_weight_limit ?? reply.block_size_limit, 'block_weight_limit'),
    blockWeightMedian: asCount(reply.block_weight_median ?? reply.block_size_median, 'block_weight_median'),
    adjustedTime: optionalCount(reply, 'adjusted_time'),
    offline: isTrue(reply, 'offline'),
    synchronized: isTrue(reply, 'synchronized'),
    busySyncing: isTrue(reply, 'busy_syncing'),
    restricted: isTrue(reply, 'restricted'),
    version: optionalText(reply, 'version'),
    untrusted: isTrue(reply, 'untrusted'),
  }));
}

/** Old daemons have the flags but no `nettype`. */
function nettypeOf(reply: JsonObject): string {
  const named = optionalText(reply, 'nettype');
  if (named !== '') return named;
  return isTrue(reply, 'mainnet')
    ? 'mainnet'
    : isTrue(reply, 'testnet')
      ? 'testnet'
      : isTrue(reply, 'stagenet')
        ? 'stagenet'
        : '';
}

/** The RPC's version; the chain's height and hard forks if the daemon reports them. @throws DaemonError */
export function getVersion(client: RpcClient, options: CallOptions = {}): Promise<DaemonVersion> {
  return client.rpc('get_version', {}, small(options), (reply) => {
    const version = asCount(reply.version, 'version');
    const forks = reply.hard_forks === undefined ? [] : asArray(reply.hard_forks, 'hard_forks');
    return {
      major: Math.floor(version / 0x1_0000),
      minor: version % 0x1_0000,
      release: isTrue(reply, 'release'),
      currentHeight: reply.current_height === undefined ? undefined : asCount(reply.current_height, 'current_height'),
      targetHeight: reply.target_height === undefined ? undefined : asCount(reply.target_height, 'target_height'),
      hardForks: forks.map((fork) => {
        const { hf_version, height } = asObject(fork, 'hard_forks[]');
        return { version: asCount(hf_version, 'hf_version'), height: asCount(height, 'height') };
      }),
    };
  });
}

function headerOf(value: JsonObject): HeaderEntry {
  return {
    height: asCount(value.height, 'height'),
    hash: asBlockHash(value.hash, 'hash'),
    prevHash: asBlockHash(value.prev_hash, 'prev_hash'),
    timestamp: asCount(value.timestamp, 'timestamp'),
    majorVersion: asCount(value.major_version, 'major_version'),
    minorVersion: asCount(value.minor_version, 'minor_version'),
    reward: asU64(value.reward, 'reward'),
    blockWeight: asCount(value.block_weight ?? value.block_size, 'block_weight'),
    longTermWeight: optionalCount(value, 'long_term_weight'),
    transactions: optionalCount(value, 'num_txes'),
  };
}

/** @param height 0 … top @throws DaemonError `bad-chain` for a header of another height */
export function getBlockHeaderByHeight(client: RpcClient, height: number, options: CallOptions = {}): Promise<HeaderEntry> {
  return client.rpc('getblockheaderbyheight', { height }, small(options), (reply) => {
    const header = headerOf(asObject(reply.block_header, 'block_header'));
    checkHeaders(height, 1, [header]);
    return header;
  });
}

/** Headers `from` … `to`, both included, in batches that a restricted daemon serves. */
export async function getBlockHeadersRange(
  client: RpcClient,
  from: number,
  to: number,
  options: CallOptions = {},
): Promise<readonly HeaderEntry[]> {
  const headers: HeaderEntry[] = [];
  for (let start = from; start <= to; start += limits.HEADERS_A_CALL) {
    const end = Math.min(to, start + limits.HEADERS_A_CALL - 1);
    const params = { start_height: start, end_height: end };
    const call = { signal: options.signal, maxBytes: limits.HEADERS };
    const run = await client.rpc('getblockheadersrange', params, call, (reply) =>
      asArray(reply.headers ?? [], 'headers').map((header) => headerOf(asObject(header, 'headers[]'))),
    );
    headers.push(...run);
  }
  return checkHeaders(from, Math.max(0, to - from + 1), headers);
}

/** The start of a request: shared by blocks and hashes. */
export function blocksFrom(from: BlocksFrom): Record<string, storage.StorageEntry | undefined> {
  if ('blockIds' in from) return { block_ids: storage.packed(from.blockIds.map(hexToBytes)), start_height: storage.u64(0) };
  return { start_height: storage.u64(from.startHeight) };
}

/** Whole blocks with all their transactions, in the requested order. */
export function getBlocksByHeight(
  client: RpcClient,
  heights: readonly number[],
  options: CallOptions = {},
): Promise<readonly WholeBlock[]> {
  return inBatches(heights, limits.BLOCKS_A_CALL, async (batch) => {
    const body = storage.object({ heights: storage.u64s(batch.map(BigInt)) });
    const call = { signal: options.signal, maxBytes: limits.BLOCKS_BY_HEIGHT };
    const run = await client.binary('/get_blocks_by_height.bin', body, call, (reply) =>
      reply.getObjects('blocks').map((entry) => ({ block: entry.getBytes('block'), transactions: entry.getByteStrings('txs') })),
    );
    return checkCount('bad-chain', batch.length, run);
  });
}
