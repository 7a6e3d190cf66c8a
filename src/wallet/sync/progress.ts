/** Span over which the rate is measured, in milliseconds. */
const WINDOW = 10_000;

/** Scan rate over the last seconds. */
export class Progress {
  #samples: { readonly at: number; readonly blocks: number }[] = [];

  /** @param at milliseconds */
  note(at: number, blocks: number): void {
    this.#samples.push({ at, blocks });
    this.#samples = this.#samples.filter((sample) => sample.at > at - WINDOW);
  }

  /** Call it after a pause: earlier blocks say nothing about the rate. */
  reset(): void {
    this.#samples = [];
  }

  /** Blocks a second. */
  rate(): number {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at <= first.at) return 0;
    const blocks = this.#samples.reduce((sum, sample) => sum + sample.blocks, -first.blocks);
    return (blocks * 1000) / (last.at - first.at);
  }
}
