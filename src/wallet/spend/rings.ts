import type { RandomSampler } from '../../base/index.ts';
import type { HistogramEntry, OutputByIndex, OutputDistribution, OutputRequest, Untrusted } from '../../daemon/index.ts';
import type { Ring } from '../model.ts';
import { type ClearOutputs, pickCandidates, pickClearCandidates, ringsLookSane } from './decoys.ts';
import { SpendError } from './errors.ts';
import type { SpendableOutput } from './inputs.ts';
import { askedIndices, keptRingUnusable, ringLacksOutput } from './kept-rings.ts';
import { inputOf, type RingCandidates } from './ring-answers.ts';
import { RingCtOutputs } from './ringct-outputs.ts';
import type { UnsignedInput } from './unsigned.ts';

/** The daemon queries and the storage that ring selection needs. */
export interface RingPort {
  /** Cumulative counts of RingCT outputs, checked to be as long as claimed and to end near the tip (T4). */
  distribution(): Promise<OutputDistribution>;
  /** Histogram of clear amounts: unlocked outputs, and as recent ones those of the last 1.8 days. */
  histogram(amounts: readonly bigint[]): Promise<Untrusted<readonly HistogramEntry[]>>;
  /** One answer for each request, in their order. */
  outs(requests: readonly OutputRequest[]): Promise<Untrusted<readonly OutputByIndex[]>>;
  /** The stored ring of an output. */
  kept(output: SpendableOutput): Ring | undefined;
  /** On the disk before it resolves (T3). */
  keep(rings: readonly Ring[]): Promise<void>;
}

/** How often candidates are drawn again before giving up on rings that look sane. */
const TOSSES = 10;

/**
 * Makes rings by the reference's distribution (`get_outs`, wallet2.cpp, v0.18.5.3), and more strictly where a daemon could learn from its
 * own answers (T3). Everything that is ever requested for a key image is on the disk before the first request, and no daemon sees any other
 * index; the ring is chosen once, from the requested outputs, and is never replaced because of what a daemon says. Every answer is checked
 * against the distribution and against what we know (T2). One maker serves one prepared transfer.
 */
export class RingMaker {
  readonly #port: RingPort;
  readonly #sampler: RandomSampler;
  readonly #ringSize: number;
  readonly #made = new Map<string, UnsignedInput>();
  /** Requested with the first RingCT output that is spent. */
  #rct: RingCtOutputs | undefined;

  /** @param ringSize members of a ring, the real one included */
  constructor(port: RingPort, sampler: RandomSampler, ringSize: number) {
    this.#port = port;
    this.#sampler = sampler;
    this.#ringSize = ringSize;
  }

  /**
   * Outputs in their rings, in the given order. Rings that this maker has made before are not requested again.
   * @throws SpendError `bad-distribution`, `decoys-unavailable`, `daemon-altered-output`, `bad-ring-member`, `kept-ring-unusable`
   */
  async rings(outputs: readonly SpendableOutput[]): Promise<UnsignedInput[]> {
    const missing = outputs.filter(({ keyImage }) => !this.#made.has(keyImage));
    if (missing.length > 0) await this.#make(outputs, await this.#choose(outputs, missing));
    return outputs.map(({ keyImage }) => this.#made.get(keyImage)!);
  }

  /** Stored candidates, and new ones for the rest, drawn until all rings look sane to a node. */
  async #choose(outputs: readonly SpendableOutput[], missing: readonly SpendableOutput[]): Promise<RingCandidates[]> {
    await this.#learn(missing);
    const clear = await this.#clearOutputs(missing);
    const stored = this.#keptOf(missing);
    const present = this.#ringsOf(this.#madeOf(outputs));
    for (let toss = 0; toss < TOSSES; toss++) {
      const choices = missing.map((output) => stored.get(output) ?? this.#freshChoice(output, clear));
      const tentative = choices.map(({ output, candidates, members }) =>
        output.rct ? (members ?? candidates.slice(0, this.#ringSize)) : [],
      );
      if (this.#sane([...present, ...tentative])) return choices;
    }
    const ofOld = missing.filter((output) => stored.get(output) !== undefined);
    if (ofOld.length > 0) throw keptRingUnusable('looks', ofOld);
    throw new SpendError('decoys-unavailable', 'expected decoys that a node accepts: the output to spend is too old for them');
  }

  #freshChoice(output: SpendableOutput, clear: ReadonlyMap<bigint, ClearOutputs>): RingCandidates {
    const real = Number(output.globalIndex);
    const candidates = output.rct
      ? pickCandidates(this.#rct!.picker, this.#ringSize, real, this.#sampler)
      : pickClearCandidates(clear.get(output.amount)!, this.#ringSize, real, this.#sampler);
    return { output, candidates, members: undefined };
  }

  /**
   * The journal's rings of these key images. A ring that lacks its output was chosen before a reorganisation moved it: if an index were
   * replaced, a daemon that saw both rings would know which is ours. A ring with an index that the chain does not have yet must wait.
   */
  #keptOf(missing: readonly SpendableOutput[]): ReadonlyMap<SpendableOutput, RingCandidates | undefined> {
    const rings = new Map(missing.map((output) => [output, this.#port.kept(output)]));
    const moved = missing.filter((output) => ringLacksOutput(rings.get(output), output));
    if (moved.length > 0) throw keptRingUnusable('moved', moved);
    const gone = missing.filter(
      (output) => output.rct && askedIndices(rings.get(output)).some((index) => index >= this.#rct!.count),
    );
    if (gone.length > 0) throw keptRingUnusable('gone', gone);
    return new Map(missing.map((output) => [output, keptChoice(output, rings.get(output))]));
  }

  #madeOf(outputs: readonly SpendableOutput[]): UnsignedInput[] {
    return outputs.flatMap(({ keyImage }) => this.#made.get(keyImage) ?? []);
  }

  #ringsOf(inputs: readonly UnsignedInput[]): number[][] {
    return inputs.filter(({ output }) => output.rct).map(({ ring }) => ring.map(({ globalIndex }) => Number(globalIndex)));
  }

  #sane(rings: readonly (readonly number[])[]): boolean {
    return ringsLookSane(rings, this.#rct?.picker.outputs ?? 0);
  }

  async #learn(missing: readonly SpendableOutput[]): Promise<void> {
    const newest = missing.reduce(
      (most, { rct, globalIndex }) => (rct && Number(globalIndex) > most ? Number(globalIndex) : most),
      -1,
    );
    if (newest < 0) return;
    this.#rct ??= new RingCtOutputs(await this.#port.distribution());
    if (newest >= this.#rct.picker.outputs) {
      throw new SpendError('bad-distribution', 'expected a distribution in which the outputs to spend can be picked', { newest });
    }
    for (const output of missing) this.#checkOwnPlace(output);
  }

  /**
   * If the index of our output lies in another block, a daemon lied, then or now. Requested among decoys it would stand out, and show the
   * daemon which output is ours: it is not requested.
   */
  #checkOwnPlace({ rct, globalIndex, height }: SpendableOutput): void {
    const expected = rct ? this.#rct!.heightOf(Number(globalIndex)) : height;
    if (expected === height) return;
    throw new SpendError('bad-distribution', 'expected a distribution that has the output to spend in its block', {
      index: globalIndex,
      height,
      expected,
    });
  }

  async #clearOutputs(missing: readonly SpendableOutput[]): Promise<ReadonlyMap<bigint, ClearOutputs>> {
    const amounts = [...new Set(missing.filter(({ rct }) => !rct).map(({ amount }): bigint => amount))];
    if (amounts.length === 0) return new Map();
    const answer = await this.#port.histogram(amounts.sort((a, b) => (a < b ? -1 : 1)));
    return answer.check((entries) => new Map(amounts.map((amount) => [amount, countIn(entries, amount)])));
  }

  /** Requests all candidates at once, and decides the rings that are not decided yet. */
  async #make(outputs: readonly SpendableOutput[], choices: readonly RingCandidates[]): Promise<void> {
    await this.#keep(choices.map(ringOf));
    const sorted = choices.map(({ output, candidates }) => ({ output, indices: candidates.toSorted((a, b) => a - b) }));
    const requests = sorted.flatMap(({ output, indices }) => {
      const amount = output.rct ? 0n : output.amount;
      return indices.map((index) => ({ amount, index: BigInt(index) }));
    });
    const inputs = (await this.#port.outs(requests)).check((got) => {
      if (got.length !== requests.length) {
        throw new SpendError('bad-ring-member', `expected ${requests.length} outputs`, {
          expected: requests.length,
          got: got.length,
        });
      }
      let base = 0;
      return choices.map((choice, i) => {
        const { indices } = sorted[i]!;
        const answers = new Map(indices.map((index, n) => [index, got[base + n]!]));
        base += indices.length;
        return inputOf(choice, answers, { ringSize: this.#ringSize, rct: this.#rct });
      });
    });
    this.#requireSane(outputs, inputs);
    await this.#keep(
      choices.map((choice, i) => ringOf({ ...choice, members: inputs[i]!.ring.map((m) => Number(m.globalIndex)) })),
    );
    for (const input of inputs) this.#made.set(input.output.keyImage, input);
  }

  /** Before anything is decided: the usable answers must still look sane, or another daemon is needed. */
  #requireSane(outputs: readonly SpendableOutput[], inputs: readonly UnsignedInput[]): void {
    if (this.#sane(this.#ringsOf([...this.#madeOf(outputs), ...inputs]))) return;
    throw new SpendError(
      'decoys-unavailable',
      'expected the usable ones of the decoys asked for to make a ring that a node accepts',
    );
  }

  /** Stores rings that differ from the stored ones. */
  async #keep(rings: readonly { readonly output: SpendableOutput; readonly ring: Ring }[]): Promise<void> {
    const changed = rings.filter(({ output, ring }) => {
      const stored = this.#port.kept(output);
      return stored === undefined || stored.keyImage !== ring.keyImage || stored.members.length !== ring.members.length;
    });
    if (changed.length > 0) await this.#port.keep(changed.map(({ ring }) => ring));
  }
}

function countIn(entries: readonly HistogramEntry[], amount: bigint): ClearOutputs {
  const entry = entries.find((other) => other.amount === amount);
  if (entry === undefined || entry.unlocked === 0n || entry.recent > entry.unlocked) {
    throw new SpendError('bad-distribution', 'expected a count of the outputs of the amount to spend', { amount });
  }
  return { unlocked: Number(entry.unlocked), recent: Number(entry.recent) };
}

function ringOf({ output, candidates, members }: RingCandidates): { readonly output: SpendableOutput; readonly ring: Ring } {
  const ring = { keyImage: output.keyImage, asked: candidates.map(BigInt), members: (members ?? []).map(BigInt) };
  return { output, ring };
}

function keptChoice(output: SpendableOutput, ring: Ring | undefined): RingCandidates | undefined {
  if (ring === undefined) return undefined;
  const real = Number(output.globalIndex);
  const members = ring.members.length === 0 ? undefined : ring.members.map(Number);
  const others = askedIndices(ring).filter((index) => index !== output.globalIndex);
  return { output, candidates: [real, ...others.map(Number)], members };
}
