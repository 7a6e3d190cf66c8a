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
  /** Cumulative, of RingCT outputs, checked to be as long as it says and to end near the tip (T4). */
  distribution(): Promise<OutputDistribution>;
  /** Histogram of clear amounts: unlocked outputs, and those of the last 1.8 days as recent ones. */
  histogram(amounts: readonly bigint[]): Promise<Untrusted<readonly HistogramEntry[]>>;
  /** As many answers as were asked for, in their order. */
  outs(asked: readonly OutputRequest[]): Promise<Untrusted<readonly OutputByIndex[]>>;
  /** The ring that a key image was given before. */
  kept(output: SpendableOutput): Ring | undefined;
  /** On the disk before it resolves (T3). */
  keep(rings: readonly Ring[]): Promise<void>;
}

/** How often candidates are drawn anew before it is said that none make a ring that looks sane. */
const TOSSES = 10;

/**
 * Makes rings by the reference's law (`get_outs`, wallet2.cpp, v0.18.5.3), and more strictly where a daemon could learn from its own
 * answers (T3). All that a key image is ever asked for with is on the disk before the first request, and no daemon and no try sees
 * anything else; the ring is decided once, out of what was asked for; what was kept is never chosen anew for its looks. Every answer
 * is held against the distribution and against what we know (T2). One maker serves one prepared transfer.
 */
export class RingMaker {
  readonly #port: RingPort;
  readonly #sampler: RandomSampler;
  readonly #ringSize: number;
  readonly #made = new Map<string, UnsignedInput>();
  /** Asked for with the first RingCT output that is to be spent. */
  #rct: RingCtOutputs | undefined;

  /** @param ringSize members of a ring, the real one included */
  constructor(port: RingPort, sampler: RandomSampler, ringSize: number) {
    this.#port = port;
    this.#sampler = sampler;
    this.#ringSize = ringSize;
  }

  /**
   * Outputs in their rings, in the order given. Those made before by this maker are not asked for again.
   * @throws SpendError `bad-distribution`, `decoys-unavailable`, `daemon-altered-output`, `bad-ring-member`, `kept-ring-unusable`
   */
  async rings(outputs: readonly SpendableOutput[]): Promise<UnsignedInput[]> {
    const missing = outputs.filter(({ keyImage }) => !this.#made.has(keyImage));
    if (missing.length > 0) await this.#make(outputs, await this.#choose(outputs, missing));
    return outputs.map(({ keyImage }) => this.#made.get(keyImage)!);
  }

  /** Stored choices, and fresh candidates for the rest, drawn until all rings look sane to a node. */
  async #choose(outputs: readonly SpendableOutput[], missing: readonly SpendableOutput[]): Promise<RingCandidates[]> {
    await this.#learn(missing);
    const clear = await this.#clearOutputs(missing);
    const kept = this.#keptOf(missing);
    const present = this.#ringsOf(this.#madeOf(outputs));
    for (let toss = 0; toss < TOSSES; toss++) {
      const choices = missing.map((output) => kept.get(output) ?? this.#freshChoice(output, clear));
      const tentative = choices.map(({ output, candidates, members }) =>
        output.rct ? (members ?? candidates.slice(0, this.#ringSize)) : [],
      );
      if (this.#sane([...present, ...tentative])) return choices;
    }
    const ofOld = missing.filter((output) => kept.get(output) !== undefined);
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
   * The journal's rings for these key images. A ring that lacks its output was chosen before a reorganisation moved it: with any other
   * index in its place a daemon that saw both would know which is ours. One with an index that the chain does not have yet waits for it.
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
   * An index of ours that lies in another block was a lie, then or now. Asked for among decoys it would stand out, and tell the
   * daemon which output is ours: it is not asked for.
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

  /** Asks for all candidates at once, and decides the rings that are not decided yet. */
  async #make(outputs: readonly SpendableOutput[], choices: readonly RingCandidates[]): Promise<void> {
    await this.#keep(choices.map(ringOf));
    const sorted = choices.map(({ output, candidates }) => ({ output, indices: candidates.toSorted((a, b) => a - b) }));
    const asked = sorted.flatMap(({ output, indices }) => {
      const amount = output.rct ? 0n : output.amount;
      return indices.map((index) => ({ amount, index: BigInt(index) }));
    });
    const inputs = (await this.#port.outs(asked)).check((got) => {
      if (got.length !== asked.length) {
        throw new SpendError('bad-ring-member', `expected ${asked.length} outputs`, { expected: asked.length, got: got.length });
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

  /** Before anything is decided: what the answers left over must still look sane, or another daemon's answers are waited for. */
  #requireSane(outputs: readonly SpendableOutput[], inputs: readonly UnsignedInput[]): void {
    if (this.#sane(this.#ringsOf([...this.#madeOf(outputs), ...inputs]))) return;
    throw new SpendError(
      'decoys-unavailable',
      'expected the usable ones of the decoys asked for to make a ring that a node accepts',
    );
  }

  /** Writes the rings that differ from those kept. */
  async #keep(rings: readonly { readonly output: SpendableOutput; readonly ring: Ring }[]): Promise<void> {
    const changed = rings.filter(({ output, ring }) => {
      const kept = this.#port.kept(output);
      return kept === undefined || kept.keyImage !== ring.keyImage || kept.members.length !== ring.members.length;
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
