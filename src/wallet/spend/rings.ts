import { bytesToHex, commit, equalBytes, hexToBytes, isInMainSubgroup, wipe } from '../../crypto/index.ts';
import type { HistogramEntry, OutputAsked, OutputDistribution, OutputGot } from '../../daemon/index.ts';
import { COINBASE_UNLOCK_WINDOW } from '../../protocol/index.ts';
import type { Ring } from '../model.ts';
import {
  type Candidates,
  type ClearOutputs,
  GammaPicker,
  pickCandidates,
  pickClearCandidates,
  RING_SIZE,
  ringsLookSane,
} from './decoys.ts';
import type { Dice } from './dice.ts';
import { SpendError } from './errors.ts';
import type { SpendableOutput } from './inputs.ts';
import type { RingOutput, UnsignedInput } from './unsigned.ts';

/** Where rings come from and where they are kept. */
export interface RingPort {
  /** Cumulative, of RingCT outputs, checked to be as long as it says and to end near the tip (T4). */
  distribution(): Promise<OutputDistribution>;
  /** Of clear amounts, unlocked outputs counted, recent ones those of the last 1.8 days. */
  histogram(amounts: readonly bigint[]): Promise<readonly HistogramEntry[]>;
  /** As many answers as were asked for, in their order. */
  outs(asked: readonly OutputAsked[]): Promise<readonly OutputGot[]>;
  /** The ring that a key image was given before. */
  kept(output: SpendableOutput): Ring | undefined;
  /** On the disk before it resolves (T3). */
  keep(rings: readonly Ring[]): Promise<void>;
}

/** A choice of candidates for one input; the ring is their first 16 unless some turn out unusable. */
interface Choice {
  readonly output: SpendableOutput;
  /** In the secret order of preference, the real one first. */
  readonly candidates: Candidates;
}

/** Old outputs of one ring's candidates that may be locked by an unlock time of their own. */
const MOST_LOCKED = 5;
const REASKED = 3;
const TOSSES = 10;

/**
 * Makes rings as v0.18.4.4 does (`get_outs`, wallet2.cpp), with two things more: a ring is on the disk before a daemon is asked
 * for it, so that no two daemons and no two tries ever see two rings around one output (T3); and every answer is held against
 * the distribution and against what we know (T2). One maker serves one prepared transfer.
 */
export class RingMaker {
  readonly #port: RingPort;
  readonly #dice: Dice;
  readonly #made = new Map<string, UnsignedInput>();
  #distribution: OutputDistribution | undefined;
  #picker: GammaPicker | undefined;

  constructor(port: RingPort, dice: Dice) {
    this.#port = port;
    this.#dice = dice;
  }

  /**
   * Inputs in their rings, in the order given. Those made before by this maker are not asked for again.
   * @throws SpendError `bad-distribution`, `decoys-unavailable`, `daemon-altered-output`, `bad-ring-member`
   */
  async rings(inputs: readonly SpendableOutput[]): Promise<UnsignedInput[]> {
    for (let asked = 0; asked < REASKED; asked++) {
      const missing = inputs.filter(({ keyImage }) => !this.#made.has(keyImage));
      const choices = await this.#choose(inputs, missing, asked === 0);
      await this.#make(choices);
      const made = inputs.map(({ keyImage }) => this.#made.get(keyImage)!);
      if (this.#sane(made.map(({ output, ring }) => (output.rct ? ring.map(({ globalIndex }) => Number(globalIndex)) : [])))) {
        return made;
      }
      for (const { keyImage } of inputs) this.#made.delete(keyImage);
    }
    throw new SpendError('decoys-unavailable', 'expected rings that a node accepts within three tries');
  }

  /** Candidates whose rings look sane to a node, tossed until they do; rings kept before are tried first. */
  async #choose(all: readonly SpendableOutput[], missing: readonly SpendableOutput[], reuse: boolean): Promise<Choice[]> {
    await this.#learn(missing);
    const clear = await this.#clearOutputs(missing);
    const present = all.flatMap(({ keyImage }) => this.#made.get(keyImage)?.ring.map((m) => Number(m.globalIndex)) ?? []);
    for (let toss = 0; toss < TOSSES; toss++) {
      const choices = missing.map((output) => this.#candidates(output, clear, reuse && toss === 0));
      const tentative = choices.filter(({ output }) => output.rct).map(({ candidates }) => candidates.slice(0, RING_SIZE));
      if (this.#sane([present, ...tentative])) return choices;
    }
    throw new SpendError('decoys-unavailable', 'expected decoys that a node accepts: the output to spend is too old for them');
  }

  #candidates(output: SpendableOutput, clear: ReadonlyMap<bigint, ClearOutputs>, reuse: boolean): Choice {
    const kept = reuse ? this.#port.kept(output)?.members.map(Number) : undefined;
    const real = Number(output.globalIndex);
    const candidates = output.rct
      ? pickCandidates(this.#picker!, real, kept, this.#dice)
      : pickClearCandidates(clear.get(output.amount)!, real, kept, this.#dice);
    return { output, candidates: [real, ...candidates.filter((index) => index !== real)] };
  }

  #sane(rings: readonly (readonly number[])[]): boolean {
    return ringsLookSane(rings, this.#distribution?.distribution.at(-1) ?? 0);
  }

  async #learn(inputs: readonly SpendableOutput[]): Promise<void> {
    const newest = inputs.reduce(
      (most, { rct, globalIndex }) => (rct && Number(globalIndex) > most ? Number(globalIndex) : most),
      -1,
    );
    if (newest < 0) return;
    if (this.#distribution === undefined) {
      this.#distribution = await this.#port.distribution();
      this.#picker = new GammaPicker(this.#distribution.distribution);
    }
    if (newest >= this.#distribution.distribution.at(-1)!) {
      throw new SpendError('bad-distribution', 'expected a distribution that reaches the outputs to spend', { newest });
    }
    for (const output of inputs) this.#checkOwnPlace(output);
  }

  /**
   * An index of ours that lies in another block was a lie, then or now. Asked for among decoys it would stand out, and tell the
   * daemon which output is ours: it is not asked for.
   */
  #checkOwnPlace({ rct, globalIndex, height }: SpendableOutput): void {
    const expected = rct ? this.#heightOf(Number(globalIndex)) : height;
    if (expected === height) return;
    throw new SpendError('bad-distribution', 'expected a distribution that has the output to spend in its block', {
      index: globalIndex,
      height,
      expected,
    });
  }

  async #clearOutputs(inputs: readonly SpendableOutput[]): Promise<ReadonlyMap<bigint, ClearOutputs>> {
    const amounts = [...new Set(inputs.filter(({ rct }) => !rct).map(({ amount }) => amount as bigint))];
    if (amounts.length === 0) return new Map();
    const entries = await this.#port.histogram(amounts.sort((a, b) => (a < b ? -1 : 1)));
    return new Map(
      amounts.map((amount) => {
        const entry = entries.find((other) => other.amount === amount);
        if (entry === undefined || entry.unlocked === 0n || entry.recent > entry.unlocked) {
          throw new SpendError('bad-distribution', 'expected a count of the outputs of the amount to spend', { amount });
        }
        return [amount, { unlocked: Number(entry.unlocked), recent: Number(entry.recent) }];
      }),
    );
  }

  async #make(choices: readonly Choice[]): Promise<void> {
    if (choices.length === 0) return;
    await this.#keep(choices.map(({ output, candidates }) => ringOf(output, candidates.slice(0, RING_SIZE))));
    const sorted = choices.map(({ output, candidates }) => ({ output, indices: candidates.toSorted((a, b) => a - b) }));
    const asked = sorted.flatMap(({ output, indices }) => {
      const amount = output.rct ? 0n : output.amount;
      return indices.map((index) => ({ amount, index: BigInt(index) }));
    });
    const got = await this.#port.outs(asked);
    if (got.length !== asked.length) {
      throw new SpendError('bad-ring-member', `expected ${asked.length} outputs`, { expected: asked.length, got: got.length });
    }
    let base = 0;
    const inputs = choices.map(({ output, candidates }, i) => {
      const { indices } = sorted[i]!;
      const answers = new Map(indices.map((index, n) => [index, got[base + n]!]));
      base += indices.length;
      return this.#build(output, candidates, answers);
    });
    await this.#keep(
      inputs.map(({ output, ring }) =>
        ringOf(
          output,
          ring.map(({ globalIndex }) => Number(globalIndex)),
        ),
      ),
    );
    for (const input of inputs) this.#made.set(input.output.keyImage, input);
  }

  /** Writes the rings that differ from those kept. */
  async #keep(rings: readonly (Ring & { readonly output: SpendableOutput })[]): Promise<void> {
    const changed = rings.filter(({ output, members }) => {
      const kept = this.#port.kept(output)?.members;
      return kept === undefined || kept.length !== members.length || kept.some((index, i) => index !== members[i]);
    });
    if (changed.length > 0) await this.#port.keep(changed.map(({ keyImage, members }) => ({ keyImage, members })));
  }

  #build(output: SpendableOutput, candidates: Candidates, answers: ReadonlyMap<number, OutputGot>): UnsignedInput {
    for (const [index, answer] of answers) this.#checkPlace(output, index, answer);
    if (output.rct) this.#checkLocks([...answers.values()]);
    const [real, ...decoys] = candidates;
    checkReal(output, answers.get(real!)!);
    const members: RingOutput[] = [memberOf(real!, answers.get(real!)!)];
    const keys = new Set([output.key as string]);
    for (const index of decoys) {
      if (members.length === RING_SIZE) break;
      const answer = answers.get(index)!;
      const key = bytesToHex(answer.key);
      if (keys.has(key) || !isUsable(answer)) continue;
      keys.add(key);
      members.push(memberOf(index, answer));
    }
    if (members.length < RING_SIZE) {
      throw new SpendError('decoys-unavailable', `expected ${RING_SIZE} usable ring members`, { found: members.length });
    }
    const ring = members.sort((a, b) => (a.globalIndex < b.globalIndex ? -1 : 1));
    return { output, ring, real: ring.findIndex(({ globalIndex }) => globalIndex === BigInt(real!)) };
  }

  /**
   * Old outputs are locked only by a rare unlock time. A daemon that calls many of them locked wants to choose the ring, and to
   * learn from our reaction which output is ours.
   */
  #checkLocks(answers: readonly OutputGot[]): void {
    const { distribution, startHeight } = this.#distribution!;
    const old = startHeight + distribution.length - COINBASE_UNLOCK_WINDOW;
    const locked = answers.filter(({ unlocked, height }) => !unlocked && height < old).length;
    if (locked > MOST_LOCKED) {
      throw new SpendError('bad-ring-member', `expected at most ${MOST_LOCKED} old outputs of a request to be locked`, {
        locked,
      });
    }
  }

  /** The distribution says at which height an index lies; an answer that says otherwise is a lie. */
  #checkPlace(output: SpendableOutput, index: number, answer: OutputGot): void {
    if (!output.rct) return;
    const expected = this.#heightOf(index);
    if (expected !== answer.height) {
      throw new SpendError('bad-ring-member', 'expected an output at the height that the distribution gives it', {
        index,
        height: answer.height,
        expected,
      });
    }
  }

  /** In which block the distribution has a RingCT output. */
  #heightOf(index: number): number {
    const { distribution, startHeight } = this.#distribution!;
    let low = 0;
    let high = distribution.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (distribution[middle]! <= index) low = middle + 1;
      else high = middle;
    }
    return startHeight + low;
  }
}

function ringOf(output: SpendableOutput, indices: readonly number[]): Ring & { readonly output: SpendableOutput } {
  const members = indices.toSorted((a, b) => a - b).map(BigInt);
  return { keyImage: output.keyImage, members, output };
}

const memberOf = (index: number, { key, mask }: OutputGot): RingOutput => ({ globalIndex: BigInt(index), key, commitment: mask });

const isUsable = ({ unlocked, key, mask }: OutputGot): boolean => unlocked && isInMainSubgroup(key) && isInMainSubgroup(mask);

/** T2: a daemon that altered our own output would know it again in the ring. */
function checkReal(output: SpendableOutput, answer: OutputGot): void {
  const mask = hexToBytes(output.mask);
  const commitment = commit(output.amount, mask);
  wipe(mask);
  if (bytesToHex(answer.key) !== output.key || !equalBytes(answer.mask, commitment)) {
    throw new SpendError('daemon-altered-output', 'expected our own output as the chain showed it', {
      index: output.globalIndex,
    });
  }
  if (!answer.unlocked) {
    throw new SpendError('output-not-spendable', 'expected the daemon to hold our output unlocked', {
      index: output.globalIndex,
    });
  }
}
