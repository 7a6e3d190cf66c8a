import { pushTo, type RandomSampler, valueAt } from '../../base/index.ts';
import { type KeyImage, totalOf } from '../../protocol/index.ts';
import type { OwnedOutput } from '../model.ts';

/** An output that can be spent now: unspent, not frozen, unlocked, with a known key image. */
export type SpendableOutput = OwnedOutput & { readonly keyImage: KeyImage };

/** Below this the wallet does not keep a reserve of large outputs: `DEFAULT_MIN_OUTPUT_VALUE`, `DEFAULT_MIN_OUTPUT_COUNT`. */
const LARGE_OUTPUT = 2_000_000_000_000n;
const LARGE_OUTPUTS_KEPT = 5;

/**
 * How likely an observer is to consider two outputs one owner's, 0 … 1: same transaction, same block, adjacent blocks, close blocks
 * (`get_output_relatedness`). Only the order matters.
 */
function relatedness(a: OwnedOutput, b: OwnedOutput): number {
  if (a.txHash === b.txHash) return 1;
  const distance = Math.abs(a.height - b.height);
  if (distance === 0) return 0.9;
  if (distance === 1) return 0.8;
  return distance < 10 ? 0.2 : 0;
}

/** Removes `items[at]`; the last one takes its place, as in the reference. */
function popIndex<T>(items: T[], at: number): T {
  const item = items[at]!;
  const last = items.pop()!;
  if (at < items.length) items[at] = last;
  return item;
}

/** Removes an output from a list if it is there. */
export function removeOutput(items: SpendableOutput[], output: SpendableOutput): void {
  const at = items.indexOf(output);
  if (at >= 0) popIndex(items, at);
}

/** Inputs chosen so far, and how related every other output is to them. It only grows, so each relation is computed once. */
export class Selection {
  readonly #inputs: SpendableOutput[] = [];
  readonly #scores = new Map<SpendableOutput, { upTo: number; most: number }>();

  /** Inputs in the order in which they were chosen. */
  get inputs(): readonly SpendableOutput[] {
    return this.#inputs;
  }

  /** Chooses an output. */
  add(output: SpendableOutput): void {
    this.#inputs.push(output);
  }

  /** The highest relatedness of the output to any chosen input. */
  relatednessTo(output: SpendableOutput): number {
    const score = valueAt(this.#scores, output, () => ({ upTo: 0, most: 0 }));
    for (; score.upTo < this.#inputs.length; score.upTo++) {
      score.most = Math.max(score.most, relatedness(output, this.#inputs[score.upTo]!));
    }
    return score.most;
  }
}

/** Positions in `unused` of the outputs least related to those selected already. Fully related ones count only when all are. */
function leastRelated(unused: readonly SpendableOutput[], selected: Selection): number[] {
  let best = 1;
  let candidates: number[] = [];
  unused.forEach((output, at) => {
    const related = selected.relatednessTo(output);
    if (related < best) {
      best = related;
      candidates = [];
    }
    if (related === best) candidates.push(at);
  });
  return candidates;
}

/** Takes a random one of the least related (`pop_best_value`). `unused` must not be empty. */
export function takeRandom(unused: SpendableOutput[], selected: Selection, sampler: RandomSampler): SpendableOutput {
  const candidates = leastRelated(unused, selected);
  return popIndex(unused, candidates[sampler.below(candidates.length)]!);
}

/** The smallest of the least related, without removing it; the earliest of equals. `unused` must not be empty. */
function smallest(unused: readonly SpendableOutput[], selected: Selection): SpendableOutput {
  return leastRelated(unused, selected)
    .map((at) => unused[at]!)
    .reduce((least, output) => (output.amount < least.amount ? output : least));
}

/**
 * One or two inputs that cover `needed`, so that most transactions look alike (`pick_preferred_rct_inputs`): the oldest large enough
 * output; otherwise the least related pair of one subaddress, the oldest such. Empty when there is none.
 * @param outputs spendable outputs of the account's chosen subaddresses in chain order
 */
export function pickPreferred(outputs: readonly SpendableOutput[], needed: bigint): SpendableOutput[] {
  const ringct = outputs.filter((output) => output.rct);
  const alone = ringct.find((output) => output.amount >= needed);
  if (alone !== undefined) return [alone];
  const largest = new Map<number, bigint>();
  for (const { amount, subaddress } of ringct) {
    if (amount > (largest.get(subaddress.minor) ?? 0n)) largest.set(subaddress.minor, amount);
  }
  let best = 1;
  let pair: SpendableOutput[] = [];
  for (const [i, first] of ringct.entries()) {
    if (first.amount + largest.get(first.subaddress.minor)! < needed) continue;
    for (let j = i + 1; j < ringct.length; j++) {
      const second = ringct[j]!;
      if (first.subaddress.minor !== second.subaddress.minor || first.amount + second.amount < needed) continue;
      const related = relatedness(first, second);
      if (related >= best) continue;
      best = related;
      pair = [first, second];
      if (related === 0) return pair;
    }
  }
  return pair;
}

/**
 * A second input that a payment does not need, to look like other payments and to clean up small outputs; undefined when there is none,
 * when it is related to the first, or when large outputs run low.
 */
export function pickSecond(unused: readonly SpendableOutput[], selected: Selection): SpendableOutput | undefined {
  const ringct = unused.filter((output) => output.rct);
  if (ringct.length === 0) return undefined;
  const second = smallest(ringct, selected);
  const large = unused.filter((output) => output.amount >= LARGE_OUTPUT).length;
  if (second.amount >= LARGE_OUTPUT && large < LARGE_OUTPUTS_KEPT) return undefined;
  return relatedness(second, selected.inputs[0]!) > 0 ? undefined : second;
}

/** Outputs grouped by subaddress, the richest first, in chain order inside: a payment prefers to stay within one subaddress. */
export function groupBySubaddress(outputs: readonly SpendableOutput[]): SpendableOutput[][] {
  const groups = new Map<number, SpendableOutput[]>();
  for (const output of outputs) pushTo(groups, output.subaddress.minor, output);
  return [...groups.values()].sort((a, b) => (totalOf(a) < totalOf(b) ? 1 : totalOf(a) > totalOf(b) ? -1 : 0));
}
