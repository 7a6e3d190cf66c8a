import { eraOfPayment, payingProofs } from '../../protocol/index.ts';
import type { WalletState } from '../state/state.ts';

/** Shape of a transaction whose size is to be estimated. */
export interface SizeEstimateRequest {
  /** Counts of 1 … 2^31−1; outputs may be 0. */
  readonly inputs: number;
  readonly outputs: number;
  /** 0 for the current one. */
  readonly ringSize: number;
  readonly rct: boolean;
}

/** The transaction's key and an encrypted payment id. */
const USUAL_EXTRA = 34 + 10;

/** The reference's estimate of a transaction's size and weight in bytes (`estimate_tx_size_and_weight`, wallet2.cpp). */
export function estimateSizeAndWeight(
  { description, height }: Pick<WalletState, 'description' | 'height'>,
  { inputs, outputs, ringSize, rct }: SizeEstimateRequest,
): { size: number; weight: number } {
  const era = eraOfPayment(description.network, height);
  const ring = ringSize === 0 ? era.ringSize.min : ringSize;
  const count = outputs === 1 ? 2 : outputs;
  const size = payingProofs(era, rct ? 2 : 1).guessSize({ inputs, outputs: count, extraSize: USUAL_EXTRA, ringSize: ring });
  return { size, weight: rct ? size + clawback(count) : size };
}

const proofBytes = (rounds: number): number => 32 * (6 + 2 * rounds);

/** Weight added back for the space that aggregation saves; counts beyond what one proof can hold are extrapolated. */
function clawback(outputs: number): number {
  if (outputs <= 2) return 0;
  let log = 2;
  while (2 ** log < outputs) log += 1;
  const notional = proofBytes(7) / 2;
  return Math.floor(((notional * 2 ** log - proofBytes(6 + log)) * 4) / 5);
}
