import type { DevnetNode } from './node.ts';
import { byStoredId, type PoolTransaction } from './pool-entry.ts';

/**
 * The pool's contents for miners (tx_pool.cpp, get_block_template_backlog): transactions that are relayed and can be mined now, up to the
 * first that exceeds 112.5 % of the median weight. By id if all fit; otherwise by fee per weight, the best first. No two in this pool share
 * a key image.
 */
export function templateBacklog({ chain, pool }: DevnetNode): PoolTransaction[] {
  const most = chain.weightMedian + Math.floor(chain.weightMedian / 8);
  const waiting = pool.visible.sort(byStoredId);
  if (waiting.reduce((sum, { weight }) => sum + weight, 0) > most) waiting.sort(byFeeForWeight);
  const ready = new Set(pool.ready());
  const entries: PoolTransaction[] = [];
  let weight = 0;
  for (const entry of waiting) {
    if (!ready.has(entry)) continue;
    entries.push(entry);
    weight += entry.weight;
    if (weight > most) break;
  }
  return entries;
}

/** Exact, so that equal ones keep their order. */
function byFeeForWeight(a: PoolTransaction, b: PoolTransaction): number {
  const difference = b.fee * BigInt(a.weight) - a.fee * BigInt(b.weight);
  return difference < 0n ? -1 : Number(difference > 0n);
}
