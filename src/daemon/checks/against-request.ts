import { type Height, MAX_FEE_QUANTIZATION, type TxHash } from '../../protocol/index.ts';
import { DaemonError } from '../errors.ts';
import type {
  BlocksReplyOutline,
  FeeEstimate,
  GetBlocksRequest,
  HeaderEntry,
  OutputDistribution,
  PoolRequest,
  PoolUpdate,
  TransactionsAnswer,
} from '../types.ts';

/**
 * Whether an answer matches the request: the checks that need nothing but the request. The client applies them to every answer before it
 * returns it; checks that need the wallet's own knowledge are made by the wallet.
 */

/** T5: a reply requested from a height begins there. */
export function checkReplyStart<T extends Omit<BlocksReplyOutline, 'layout'>>(request: GetBlocksRequest, outline: T): T {
  const { startHeight, currentHeight, blocks } = outline;
  if (blocks > 0 && 'startHeight' in request && startHeight !== request.startHeight) {
    throw new DaemonError('bad-chain', `expected blocks from height ${request.startHeight}, got ${startHeight}`, {
      expected: request.startHeight,
      got: startHeight,
    });
  }
  if (blocks > 0 && startHeight + blocks > currentHeight) {
    throw new DaemonError('bad-chain', 'expected no more blocks than the chain has', { startHeight, blocks, currentHeight });
  }
  return outline;
}

/** T5: headers of the requested heights, each following the one before. */
export function checkHeaders(from: Height, count: number, headers: readonly HeaderEntry[]): readonly HeaderEntry[] {
  if (headers.length !== count) {
    throw new DaemonError('bad-chain', `expected ${count} headers, got ${headers.length}`, {
      expected: count,
      got: headers.length,
    });
  }
  headers.forEach((header, n) => {
    const before = headers[n - 1];
    if (header.height !== from + n || (before !== undefined && header.prevHash !== before.hash)) {
      throw new DaemonError('bad-chain', `expected the header of height ${from + n} to follow the one before`, {
        height: from + n,
      });
    }
  });
  return headers;
}

/** Returns a list that has the requested number of elements. @throws DaemonError with the given code, for another number */
export function checkCount<T>(code: 'bad-outs' | 'bad-chain', expected: number, got: readonly T[]): readonly T[] {
  if (got.length !== expected) {
    throw new DaemonError(code, `expected ${expected} entries, got ${got.length}`, { expected: expected, got: got.length });
  }
  return got;
}

/** Each requested transaction is found once or missed once, and nothing else is returned. */
export function checkTransactions(requested: readonly TxHash[], answer: TransactionsAnswer): TransactionsAnswer {
  const open = new Set(requested);
  for (const hash of [...answer.transactions.map((entry) => entry.hash), ...answer.missed]) {
    if (!open.delete(hash)) throw new DaemonError('bad-transactions', 'expected only transactions that were asked for', { hash });
  }
  const [forgotten] = open;
  if (forgotten !== undefined) {
    throw new DaemonError('bad-transactions', 'expected every transaction asked for, found or missed', { hash: forgotten });
  }
  return answer;
}

/** T6: the whole pool if all was requested, without removals; nothing occurs twice. */
export function checkPoolNews(request: PoolRequest, news: PoolUpdate): PoolUpdate {
  const { extent, removed, added, named } = news;
  if (extent === 'changes' && request.since === 0n) throw new DaemonError('bad-pool', 'expected all of the pool, got changes');
  if (extent === 'all' && removed.length > 0)
    throw new DaemonError('bad-pool', 'expected no removals with all of the pool', { removed: removed.length });
  const hashes = new Set([...added.map(({ hash }) => hash), ...named]);
  if (hashes.size !== added.length + named.length)
    throw new DaemonError('bad-pool', 'expected each transaction of the pool once', { got: added.length + named.length });
  return news;
}

/** T4: of the requested amount, from the requested height on, up to the requested last height. */
export function checkDistribution(
  request: { readonly amount: bigint; readonly from?: Height; readonly to?: Height },
  answer: OutputDistribution,
): OutputDistribution {
  const { amount, startHeight, distribution } = answer;
  const from = request.from ?? 0;
  const last = startHeight + distribution.length - 1;
  if (amount !== request.amount || startHeight < from || (request.to && distribution.length > 0 && last !== request.to)) {
    throw new DaemonError('bad-distribution', 'expected the distribution that was asked for', { amount, startHeight, last });
  }
  return answer;
}

/** T1: rates that rise with the priority, and a harmless rounding. The wallet bounds how high they may be. */
export function checkFeeEstimate(estimate: FeeEstimate): FeeEstimate {
  const { fee, fees, quantizationMask } = estimate;
  const rising = fees.every((rate, n) => rate > 0n && rate >= (fees[n - 1] ?? 0n));
  if (fee <= 0n || !rising || quantizationMask < 1n || quantizationMask > MAX_FEE_QUANTIZATION) {
    throw new DaemonError('bad-fee', 'expected fees that rise with the priority', { fee, quantizationMask });
  }
  return estimate;
}
