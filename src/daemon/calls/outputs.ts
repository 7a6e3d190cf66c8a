import { asArray, asObject, asU64 } from '../../base/index.ts';
import { ProtocolError, type StorageObject, storage, type TxHash, toTxHash } from '../../protocol/index.ts';
import { checkCount, checkDistribution } from '../checks/against-request.ts';
import * as limits from '../limits.ts';
import type { RpcClient } from '../rpc-client.ts';
import type { CallOptions, HistogramEntry, OutputByIndex, OutputDistribution, OutputRequest } from '../types.ts';
import { inBatches } from './batches.ts';

const NO_HASH = '0'.repeat(64) as TxHash;

/** Answers are in the requested order. Each call requests 1,000 outputs and no transaction ids, like the reference. */
export function getOuts(
  client: RpcClient,
  requests: readonly OutputRequest[],
  options: CallOptions = {},
): Promise<readonly OutputByIndex[]> {
  return inBatches(requests, limits.OUTS_A_CALL, async (run) => {
    const body = storage.object({
      outputs: storage.objects(
        run.map(({ amount, index }) => storage.object({ amount: storage.u64(amount), index: storage.u64(index) })),
      ),
      get_txid: storage.bool(false),
    });
    const call = { signal: options.signal, maxBytes: limits.OUTS };
    const got = await client.binary('/get_outs.bin', body, call, (reply) => reply.getObjects('outs').map(outputOf));
    return checkCount('bad-outs', run.length, got);
  });
}

function outputOf(entry: StorageObject): OutputByIndex {
  return {
    key: entry.getFixedBytes('key', 32),
    mask: entry.getFixedBytes('mask', 32),
    unlocked: entry.getBoolean('unlocked'),
    height: entry.getNumber('height'),
    txHash: entry.has('txid') ? toTxHash(entry.getFixedBytes('txid', 32)) : NO_HASH,
  };
}

/** Amount of the outputs that are counted, and the range of heights, both ends included. */
export interface DistributionRequest extends CallOptions {
  /** 0n for RingCT outputs: the only amount that restricted daemons answer for. */
  readonly amount: bigint;
  /** First height, 0 when absent. */
  readonly from?: number;
  /** Last height; the top block when absent or 0. */
  readonly to?: number;
  /** Sums instead of counts. The daemon is always asked for counts, like the reference does, and the sums are computed here. */
  readonly cumulative: boolean;
}

/** Through `/get_output_distribution.bin` with compression, exactly as the reference wallet requests it. */
export function getOutputDistribution(client: RpcClient, request: DistributionRequest): Promise<OutputDistribution> {
  const body = storage.object({
    amounts: storage.u64s([request.amount]),
    from_height: storage.u64(request.from ?? 0),
    to_height: storage.u64(request.to ?? 0),
    cumulative: storage.bool(false),
    binary: storage.bool(true),
    compress: storage.bool(true),
  });
  const call = { signal: request.signal, maxBytes: limits.DISTRIBUTION };
  return client.binary('/get_output_distribution.bin', body, call, (reply) => {
    const distributions = reply.getObjects('distributions');
    const [entry] = distributions;
    if (entry === undefined || distributions.length !== 1) {
      throw new ProtocolError('bad-structure', `expected one distribution, got ${distributions.length}`);
    }
    return checkDistribution(request, distributionOf(entry, request.cumulative));
  });
}

function distributionOf(entry: StorageObject, cumulative: boolean): OutputDistribution {
  const base = entry.getNumber('base', 0);
  const distribution = countsOf(entry);
  if (cumulative) {
    let sum = base;
    for (let i = 0; i < distribution.length; i++) {
      sum += distribution[i]!;
      distribution[i] = sum;
    }
    if (sum > Number.MAX_SAFE_INTEGER) throw new ProtocolError('out-of-range', 'expected a sum of outputs below 2^53');
  }
  return { amount: entry.getU64('amount'), startHeight: entry.getNumber('start_height'), base, distribution, cumulative };
}

function countsOf(entry: StorageObject): Float64Array {
  if (!entry.getBoolean('binary', true)) return Float64Array.from(entry.getU64s('distribution'), safeNumber);
  if (entry.getBoolean('compress', false)) return decompress(entry.getBytes('compressed_data', new Uint8Array()));
  return Float64Array.from(entry.getPackedU64s('distribution'), safeNumber);
}

function safeNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new ProtocolError('out-of-range', 'expected a count below 2^53');
  return Number(value);
}

/** Varints of seven bits a byte, lowest first (rpc: compress_integer_array). No bigint: mainnet has millions of them. */
export function decompress(bytes: Uint8Array): Float64Array {
  let count = 0;
  for (const byte of bytes) if (byte < 0x80) count++;
  const values = new Float64Array(count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    let value = 0;
    let scale = 1;
    let byte = bytes[at++]!;
    while (byte >= 0x80) {
      value += (byte & 0x7f) * scale;
      scale *= 0x80;
      byte = bytes[at++]!;
    }
    value += byte * scale;
    if (!(value <= Number.MAX_SAFE_INTEGER)) throw new ProtocolError('bad-varint', 'expected a count below 2^53');
    values[i] = value;
  }
  if (at !== bytes.length) throw new ProtocolError('truncated', 'expected the last count of the distribution to end');
  return values;
}

/** Amounts, and what to count for each. */
export interface HistogramRequest extends CallOptions {
  /** Clear amounts; 0n for RingCT. Restricted daemons refuse an empty list. */
  readonly amounts: readonly bigint[];
  readonly minCount?: bigint;
  readonly maxCount?: bigint;
  /** Count unlocked outputs, too. */
  readonly unlocked?: boolean;
  /** Unix seconds; restricted daemons refuse one more than three days old. */
  readonly recentCutoff?: bigint;
}

/** Number of outputs of each amount (`get_output_histogram`), in the daemon's order; it may omit amounts. @throws DaemonError */
export function getOutputHistogram(client: RpcClient, request: HistogramRequest): Promise<readonly HistogramEntry[]> {
  const params = {
    amounts: request.amounts,
    min_count: request.minCount ?? 0n,
    max_count: request.maxCount ?? 0n,
    unlocked: request.unlocked ?? false,
    recent_cutoff: request.recentCutoff ?? 0n,
  };
  const call = { signal: request.signal, maxBytes: limits.HISTOGRAM };
  return client.rpc('get_output_histogram', params, call, (reply) =>
    asArray(reply.histogram ?? [], 'histogram').map((item) => {
      const entry = asObject(item, 'histogram[]');
      return {
        amount: asU64(entry.amount, 'amount'),
        total: asU64(entry.total_instances, 'total_instances'),
        unlocked: asU64(entry.unlocked_instances, 'unlocked_instances'),
        recent: asU64(entry.recent_instances, 'recent_instances'),
      };
    }),
  );
}
