import { bytesToHex, equalBytes, hexToBytes, wipe } from '../../base/index.ts';
import { commit, isInMainSubgroup } from '../../crypto/index.ts';
import type { OutputByIndex } from '../../daemon/index.ts';
import { type Candidates, ringCtCandidates, SANITY_FROM } from './decoys.ts';
import { SpendError } from './errors.ts';
import type { SpendableOutput } from './inputs.ts';
import { keptRingUnusable } from './kept-rings.ts';
import type { RingCtOutputs } from './ringct-outputs.ts';
import type { RingOutput, UnsignedInput } from './unsigned.ts';

/** Candidates of one input, and its ring if an earlier answer decided it. */
export interface RingCandidates {
  readonly output: SpendableOutput;
  /** Candidates in the secret order of preference, the real output first. */
  readonly candidates: Candidates;
  /** Ascending; undefined until decided. */
  readonly members: readonly number[] | undefined;
}

/** What a daemon's answers are checked against. */
interface Expected {
  /** Members of a ring, the real one included. */
  readonly ringSize: number;
  /** Undefined if no RingCT output is spent. */
  readonly rct: RingCtOutputs | undefined;
}

/** Answered outputs by requested index. */
type Answers = ReadonlyMap<number, OutputByIndex>;

/**
 * Most answers of one request that may be unusable for another reason than age: honest daemons have a few with old unlock times, and
 * nothing else.
 */
const MOST_SPOILT = 5;
/** Largest number of candidates that may be unusable on a long chain. A daemon that reports more is lying: locked coinbase outputs cannot be so many. */
const mostUnusable = (ringSize: number): number => Math.floor(ringCtCandidates(ringSize) / 3);

/**
 * An input in its ring: the members decided before, or the first usable candidates.
 * @param answers one for each candidate
 * @throws SpendError `bad-ring-member`, `daemon-altered-output`, `output-not-spendable`, `kept-ring-unusable`, `decoys-unavailable`
 */
export function inputOf(choice: RingCandidates, answers: Answers, expected: Expected): UnsignedInput {
  const { output, candidates, members } = choice;
  for (const [index, answer] of answers) checkPlace(output, index, answer, expected.rct);
  const usable = usableOf(candidates, answers);
  checkUnusable(choice, usable, answers, expected);
  const [real] = candidates;
  checkReal(output, answers.get(real!)!);
  if (members?.some((index) => !usable.has(index))) throw keptRingUnusable('member', [output]);
  const chosen = members ?? [...usable].slice(0, expected.ringSize);
  if (chosen.length < expected.ringSize) {
    throw new SpendError('decoys-unavailable', `expected ${expected.ringSize} usable ring members`, { found: chosen.length });
  }
  const ring = chosen
    .map((index) => memberOf(index, answers.get(index)!))
    .sort((a, b) => (a.globalIndex < b.globalIndex ? -1 : 1));
  return { output, ring, real: ring.findIndex(({ globalIndex }) => globalIndex === BigInt(real!)) };
}

/**
 * A daemon that makes many answers unusable wants to choose the ring, and to learn from our reaction which output is ours: our own output
 * counts among them like any other. Young outputs may be locked coinbase ones; on a young chain nearly all are.
 */
function checkUnusable(
  { output, candidates }: RingCandidates,
  usable: ReadonlySet<number>,
  answers: Answers,
  expected: Expected,
): void {
  const { ringSize } = expected;
  const rct = output.rct ? expected.rct : undefined;
  const unusable = candidates.filter((index) => !usable.has(index)).map((index) => answers.get(index)!);
  const spoilt = unusable.filter(({ unlocked, height }) => unlocked || rct === undefined || height < rct.oldBelow).length;
  const most = rct !== undefined && rct.picker.outputs >= SANITY_FROM ? mostUnusable(ringSize) : candidates.length;
  if (spoilt <= MOST_SPOILT && unusable.length <= most) return;
  throw new SpendError('bad-ring-member', `expected at most ${MOST_SPOILT} unusable outputs, and ${most} with young ones`, {
    spoilt,
    unusable: unusable.length,
  });
}

/** The distribution determines the height of an index; an answer that contradicts it is a lie. */
function checkPlace(output: SpendableOutput, index: number, answer: OutputByIndex, rct: RingCtOutputs | undefined): void {
  if (!output.rct) return;
  const expected = rct!.heightOf(index);
  if (expected !== answer.height) {
    throw new SpendError('bad-ring-member', 'expected an output at the height that the distribution gives it', {
      index,
      height: answer.height,
      expected,
    });
  }
}

/** Candidates that a ring may have, in their order: unlocked points of the main subgroup, no key twice. */
function usableOf(candidates: Candidates, answers: Answers): Set<number> {
  const keys = new Set<string>();
  return new Set(
    candidates.filter((index) => {
      const answer = answers.get(index)!;
      const key = bytesToHex(answer.key);
      if (keys.has(key) || !isUsable(answer)) return false;
      keys.add(key);
      return true;
    }),
  );
}

const memberOf = (index: number, { key, mask }: OutputByIndex): RingOutput => ({
  globalIndex: BigInt(index),
  key,
  commitment: mask,
});

const isUsable = ({ unlocked, key, mask }: OutputByIndex): boolean => unlocked && isInMainSubgroup(key) && isInMainSubgroup(mask);

/** T2: a daemon that altered our own output would recognise it in the ring. */
function checkReal(output: SpendableOutput, answer: OutputByIndex): void {
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
