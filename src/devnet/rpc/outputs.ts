import { firstWhere } from '../../base/index.ts';
import { SPENDABLE_AGE } from '../../protocol/index.ts';
import type { Chain } from '../chain.ts';
import { packU64s } from '../store/records.ts';
import { PAID_OK, RESTRICTED } from './context.ts';
import { compressed, isRctAlone, outputDistribution } from './distribution.ts';
import { memoize } from './memoize.ts';
import { count, flag, flagTrueByDefault, listOf, method, RpcError, u64 } from './params.ts';
import type { Reply, ReplyValue } from './reply.ts';

/** Calls about the number of outputs, and when they were made. */

const WHOLE_CHAIN = 'Restricted RPC will not serve histograms on the whole blockchain. Use your own node.';

const HISTOGRAM = { amounts: listOf(u64), min_count: count, max_count: count, unlocked: flag, recent_cutoff: count } as const;

/** Number of outputs of each amount, of all amounts if none is given (`on_get_output_histogram`). */
export const getOutputHistogram = method(HISTOGRAM, ({ node, restricted }, params) => {
  const { chain } = node;
  const { amounts: wanted, min_count: least, max_count: most, recent_cutoff: recentFrom } = params;
  if (restricted && wanted.length === 0) return { ...PAID_OK, status: WHOLE_CHAIN };
  const amounts = wanted.length > 0 ? [...new Set(wanted)].sort((a, b) => (a < b ? -1 : 1)) : chain.amounts;
  if (restricted && recentFrom > 0 && recentFrom < node.now() - RESTRICTED.recentCutoff)
    return { ...PAID_OK, status: 'Recent cutoff is too old' };
  const histogram: Reply[] = [];
  for (const amount of amounts) {
    const total = chain.outputCount(amount);
    if (total < least || (most > 0 && total > most)) continue;
    const unlocked = params.unlocked || recentFrom > 0 ? unlockedOutputs(chain, amount, total) : 0;
    const recent = recentFrom > 0 ? recentOutputs(chain, amount, unlocked, recentFrom) : 0;
    histogram.push({ amount, total_instances: total, unlocked_instances: unlocked, recent_instances: recent });
  }
  return { ...PAID_OK, histogram };
});

/** How many of an amount's outputs are old enough to be spent: all up to the newest that is. */
const unlockedOutputs = (chain: Chain, amount: bigint, total: number): number =>
  firstWhere(total, (index) => chain.output(amount, index)!.height + SPENDABLE_AGE > chain.height);

/** How many of the first `unlocked`, counted back from the newest, are in blocks since a time, up to the first older one (db_lmdb.cpp). */
function recentOutputs(chain: Chain, amount: bigint, unlocked: number, since: number): number {
  let recent = 0;
  while (recent < unlocked) {
    const { height } = chain.output(amount, unlocked - 1 - recent)!;
    if (chain.blockAt(height)!.timestamp < since) break;
    recent++;
  }
  return recent;
}

const RCT_ONLY = 'Restricted RPC can only get output distribution for rct outputs. Use your own node.';

const DISTRIBUTION = {
  ...{ amounts: listOf(u64), from_height: count, to_height: count },
  ...{ cumulative: flag, binary: flagTrueByDefault, compress: flag },
} as const;

/**
 * Number of outputs of an amount in each block (`on_get_output_distribution`).
 * @throws RpcError `restricted` there, for amounts other than 0
 */
export const getOutputDistribution = method(DISTRIBUTION, ({ node: { chain }, restricted }, params) => {
  const { amounts: wanted, from_height: from, to_height: to, cumulative, binary, compress } = params;
  if (restricted && !isRctAlone(wanted)) throw new RpcError('restricted', RCT_ONLY);
  const entry = (amount: bigint): Reply => {
    const found = outputDistribution(chain, amount, { from, to, cumulative });
    if (found === undefined) throw new RpcError('internalError', 'Failed to get output distribution');
    let data: { readonly [name: string]: ReplyValue } = { distribution: found.distribution };
    if (binary && compress) data = { compressed_data: compressed(found.distribution) };
    else if (binary) data = { distribution: packU64s(found.distribution) };
    return { amount, start_height: found.startHeight, base: found.base, binary, compress, ...data };
  };
  return { ...PAID_OK, distributions: wanted.map(memoize(entry)) };
});
