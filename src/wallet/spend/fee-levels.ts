import { BLOCK_SECONDS } from '../../protocol/index.ts';
import type { FeeLevel, FeeLevels } from '../payment-requests.ts';
import type { SpendContext } from './context.ts';
import { SpendError } from './errors.ts';
import type { LevelRate, NetworkRates } from './fee-rate.ts';
import { estimateWeight, feeForWeight } from './fees.ts';
import { estimatePlan } from './plan.ts';
import type { SweepOrder, TransferOrder } from './request.ts';

/**
 * Cost of a payment at each priority, and when it should be in a block. No daemon is asked: rings are made up, everything else is planned
 * as for the payment itself.
 */
export function feeLevels(ctx: SpendContext, order: TransferOrder | SweepOrder, rates: NetworkRates): FeeLevels {
  const costs = rates.levels.map((level) => costOf(ctx, order, level, rates));
  const levels = rates.levels.map(({ priority, rate, blocksAhead, withinBounds }, i): FeeLevel => {
    const { fee, transactions } = costs[i]!;
    const seconds = (blocksAhead + 1) * BLOCK_SECONDS;
    return { priority, perByte: rate.perByte, fee, transactions, blocksAhead, seconds, withinBounds };
  });
  return { levels, automatic: rates.automatic, planned: costs.every(({ planned }) => planned) };
}

interface Cost {
  readonly fee: bigint;
  readonly transactions: number;
  readonly planned: boolean;
}

function costOf(ctx: SpendContext, order: TransferOrder | SweepOrder, { rate }: LevelRate, { era }: NetworkRates): Cost {
  try {
    const drafts = estimatePlan(ctx, order, { rate, era });
    return { fee: drafts.reduce((sum, { fee }) => sum + fee, 0n), transactions: drafts.length, planned: true };
  } catch (error) {
    if (!(error instanceof SpendError)) throw error;
    const outputs = order.kind === 'transfer' ? Math.min(order.destinations.length, 15) + 1 : Math.max(order.outputs, 2);
    return { fee: feeForWeight(rate, estimateWeight(era, 2, outputs, 0)), transactions: 1, planned: false };
  }
}
