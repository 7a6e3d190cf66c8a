import { firstWhere } from '../../base/index.ts';
import type { OutputDistribution } from '../../daemon/index.ts';
import { COINBASE_UNLOCK_WINDOW } from '../../protocol/index.ts';
import { GammaPicker } from './decoys.ts';

/** The RingCT outputs of the chain, from a daemon's distribution: how many, in which blocks, and decoys among them. */
export class RingCtOutputs {
  readonly #distribution: OutputDistribution;
  /** Draws decoys among those that are old enough. */
  readonly picker: GammaPicker;

  /** @throws SpendError `bad-distribution` as {@link GammaPicker} */
  constructor(distribution: OutputDistribution) {
    this.#distribution = distribution;
    this.picker = new GammaPicker(distribution.distribution);
  }

  /** Number of outputs, including those too young to be picked. */
  get count(): number {
    return this.#distribution.distribution.at(-1) ?? 0;
  }

  /** Height of the block that has the output of a global index. */
  heightOf(index: number): number {
    const { distribution, startHeight } = this.#distribution;
    return startHeight + firstWhere(distribution.length, (at) => distribution[at]! > index);
  }

  /** Below this height every coinbase output is unlocked. */
  get oldBelow(): number {
    const { distribution, startHeight } = this.#distribution;
    return startHeight + distribution.length - COINBASE_UNLOCK_WINDOW;
  }
}
