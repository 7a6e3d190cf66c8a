import { ByteWriter } from '../../protocol/index.ts';
import type { Chain } from '../chain.ts';
import { rctOutputsOf } from '../store/records.ts';

/** Heights, both included. */
export interface DistributionQuery {
  readonly from: number;
  /** 0 means the newest block. */
  readonly to: number;
  readonly cumulative: boolean;
}

/** Number of outputs of an amount in each block. */
export interface OutputDistribution {
  readonly startHeight: number;
  /** Outputs before the first block of the distribution. */
  readonly base: bigint;
  /** By block: outputs in it, or up to its end when cumulative. */
  readonly distribution: bigint[];
}

/** Whether only outputs without a clear amount are requested: a restricted service reports no others. */
export const isRctAlone = (amounts: ArrayLike<bigint>): boolean => amounts.length === 1 && amounts[0] === 0n;

/**
 * Number of outputs of one amount in each block (blockchain.cpp get_output_distribution, rpc_handler.cpp).
 * @returns undefined when the heights are not on the chain
 */
export function outputDistribution(chain: Chain, amount: bigint, query: DistributionQuery): OutputDistribution | undefined {
  const { from, cumulative } = query;
  const to = query.to === 0 ? chain.height - 1 : query.to;
  if (to < from || from >= chain.height || to >= chain.height) return undefined;
  const ends = amount === 0n ? rctEnds(chain, from, to) : clearEnds(chain, amount, from, to);
  // For clear amounts the reference gives no base, so that the first block seems to have all earlier outputs.
  const base = from > 0 && amount === 0n ? ends[0]! : 0n;
  if (from > 0) ends.shift();
  if (!cumulative) {
    for (let i = ends.length - 1; i > 0; i--) ends[i]! -= ends[i - 1]!;
    ends[0]! -= base;
  }
  return { startHeight: from, base, distribution: ends };
}

/** Integers as consecutive varints (the reference's compress_integer_array). */
export function compressed(values: readonly bigint[]): Uint8Array {
  const writer = new ByteWriter(values.length * 2);
  for (const value of values) writer.varint(value);
  return writer.finish();
}

/** Outputs up to the end of each block, from the one before `from` on. */
function rctEnds(chain: Chain, from: number, to: number): bigint[] {
  return Array.from(chain.records(Math.max(0, from - 1), to + 1), (record) => BigInt(rctOutputsOf(record)));
}

function clearEnds(chain: Chain, amount: bigint, from: number, to: number): bigint[] {
  const first = Math.max(0, from - 1);
  const ends = new Array<bigint>(to - first + 1).fill(0n);
  for (const output of chain.outputsOf(amount)) {
    if (output.height > to) break;
    ends[Math.max(0, output.height - first)]! += 1n;
  }
  for (let at = 1; at < ends.length; at++) ends[at]! += ends[at - 1]!;
  return ends;
}
