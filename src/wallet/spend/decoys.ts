import { firstWhere, type RandomSampler } from '../../base/index.ts';
import { BLOCK_SECONDS, COINBASE_UNLOCK_WINDOW, median, SPENDABLE_AGE } from '../../protocol/index.ts';
import { SpendError } from './errors.ts';

/** Miller et al., "An empirical analysis of traceability": ages of spends are exp(gamma(19.28, 1/1.61)) seconds. */
const GAMMA_SHAPE = 19.28;
const GAMMA_SCALE = 1 / 1.61;
/** Minimum age of a spendable output, in seconds. */
const UNLOCK_SECONDS = SPENDABLE_AGE * BLOCK_SECONDS;
/** Ages below the spendable age are drawn again, uniformly, from this window after it: seconds. */
const RECENT_SPEND_SECONDS = 15 * BLOCK_SECONDS;
const BLOCKS_IN_A_YEAR = (86_400 * 365) / BLOCK_SECONDS;

/** Number of outputs to request for a ring of a clear amount: spares for those that turn out locked (`get_outs`, wallet2.cpp). */
const clearCandidates = (ringSize: number): number => Math.floor(ringSize * 1.5 + 1);
/** The same for RingCT outputs, some of which are young coinbase ones. */
export const ringCtCandidates = (ringSize: number): number => clearCandidates(ringSize) + COINBASE_UNLOCK_WINDOW - SPENDABLE_AGE;

/** A young chain may have outputs that the distribution practically never picks: after this many useless picks the rest is taken. */
const PATIENCE = 20_000;

/**
 * Picks RingCT outputs like v0.18.4.4 (`gamma_picker`, wallet2.cpp): an age from the gamma distribution, the output that many average
 * output times before the newest spendable one, then any output of that one's block.
 */
export class GammaPicker {
  readonly #offsets: ArrayLike<number>;
  readonly #blocks: number;
  readonly #outputTime: number;
  /** Spendable RingCT outputs: indices 0 … outputs−1 can be picked. */
  readonly outputs: number;

  /**
   * @param offsets at each height since RingCT began, the number of RingCT outputs up to and including that block
   * @throws SpendError `bad-distribution` when too short, or nothing is spendable
   */
  constructor(offsets: ArrayLike<number>) {
    if (offsets.length <= SPENDABLE_AGE) {
      throw new SpendError('bad-distribution', `expected more than ${SPENDABLE_AGE} blocks of outputs`, {
        blocks: offsets.length,
      });
    }
    const considered = Math.min(offsets.length, BLOCKS_IN_A_YEAR);
    const before = considered < offsets.length ? offsets[offsets.length - considered - 1]! : 0;
    this.#offsets = offsets;
    this.#blocks = offsets.length - (SPENDABLE_AGE - 1);
    this.outputs = offsets[this.#blocks - 1]!;
    if (this.outputs === 0) throw new SpendError('bad-distribution', 'expected at least one spendable output');
    const recent = offsets[offsets.length - 1]! - before;
    if (!(recent > 0)) throw new SpendError('bad-distribution', 'expected outputs in the last year of blocks');
    this.#outputTime = (BLOCK_SECONDS * considered) / recent;
  }

  /** One pick: usually a global index below `outputs`; undefined if the age lies before the chain or in an empty block. */
  pick(sampler: Pick<RandomSampler, 'gamma' | 'below'>): number | undefined {
    const spent = Math.exp(sampler.gamma(GAMMA_SHAPE, GAMMA_SCALE));
    const age = spent > UNLOCK_SECONDS ? spent - UNLOCK_SECONDS : sampler.below(RECENT_SPEND_SECONDS);
    const back = Math.floor(age / this.#outputTime);
    if (!(back < this.outputs)) return undefined;
    // The first block whose cumulative count is not below the index, as the reference searches.
    const block = firstWhere(this.#blocks, (at) => this.#offsets[at]! >= this.outputs - 1 - back);
    const first = block === 0 ? 0 : this.#offsets[block - 1]!;
    const count = this.#offsets[block]! - first;
    return count === 0 ? undefined : first + sampler.below(count);
  }
}

/** Candidates for one ring in the secret order of picking: earlier ones are preferred. Sort before showing them to a daemon. */
export type Candidates = readonly number[];

/**
 * Candidates for a RingCT input: the real output, then picks, all distinct. If the chain has too few outputs to choose from, all are taken,
 * in order.
 */
export function pickCandidates(picker: GammaPicker, ringSize: number, real: number, sampler: RandomSampler): number[] {
  return drawCandidates({
    available: picker.outputs,
    wanted: ringCtCandidates(ringSize),
    real,
    draw: () => picker.pick(sampler),
  });
}

/** A daemon's histogram of the outputs of one clear amount. */
export interface ClearOutputs {
  readonly unlocked: number;
  /** Unlocked outputs of the last 1.8 days. */
  readonly recent: number;
}

/** Candidates for an input of a clear amount: half from the recent zone, each from a triangular distribution that favours the newest. */
export function pickClearCandidates(clear: ClearOutputs, ringSize: number, real: number, sampler: RandomSampler): number[] {
  const wanted = clearCandidates(ringSize);
  let recentWanted = Math.min(Math.max(Math.floor(wanted * 0.5), 1), clear.recent);
  if (real >= clear.unlocked - clear.recent && recentWanted > 0) recentWanted--;
  const triangular = (count: number) => Math.min(Math.floor(Math.sqrt(sampler.unit()) * count), count - 1);
  const draw = (found: number) =>
    found - 1 < recentWanted ? clear.unlocked - clear.recent + triangular(clear.recent) : triangular(clear.unlocked);
  return drawCandidates({ available: clear.unlocked, wanted, real, draw });
}

interface Draw {
  readonly available: number;
  readonly wanted: number;
  readonly real: number;
  /** @param found number found so far */
  readonly draw: (found: number) => number | undefined;
}

function drawCandidates({ available, wanted, real, draw }: Draw): number[] {
  const chosen = new Set([real]);
  if (available <= wanted) {
    for (let index = 0; index < available; index++) chosen.add(index);
    return [...chosen];
  }
  let patience = PATIENCE;
  while (chosen.size < wanted && patience > 0) {
    const index = draw(chosen.size);
    if (index === undefined || index >= available || chosen.has(index)) patience--;
    else chosen.add(index);
  }
  for (let index = available - 1; chosen.size < wanted && index >= 0; index--) chosen.add(index);
  return [...chosen];
}

/** Below this many RingCT outputs, a node does not check rings: the chain is young. */
export const SANITY_FROM = 10_000;

/**
 * A node's own check of a transaction's rings (tx_sanity_check.cpp): four fifths of all indices are distinct, and their median is in the
 * newer two fifths of the chain.
 * @param available RingCT outputs that can be picked, as the picker counts them
 */
export function ringsLookSane(rings: readonly (readonly number[])[], available: number): boolean {
  const all = rings.flat();
  if (all.length <= 10 || available < SANITY_FROM) return true;
  const unique = [...new Set(all)];
  if (unique.length < Math.floor((all.length * 8) / 10)) return false;
  return median(unique) >= Math.floor((available * 6) / 10);
}
