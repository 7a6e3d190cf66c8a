import { expect, it } from 'vitest';
import { isProtocolError } from '../../../src/protocol/index.ts';
import { TestSampler } from '../../support/random-sampler.ts';

/** A decoder under test: it takes any bytes, and must give a value or throw its room's typed error. */
export interface FuzzTarget {
  readonly name: string;
  readonly corpus: readonly Uint8Array[];
  /** Takes every input: what it cannot read is part of its value. */
  readonly total?: boolean;
  /** The typed error of its room; ProtocolError unless told. */
  readonly refusal?: abstract new (
    ...parameters: never[]
  ) => Error;
  /** Decodes; may check what a value must satisfy and throw an ordinary Error when it does not. */
  readonly decode: (bytes: Uint8Array) => void;
}

export interface FuzzReport {
  readonly runs: number;
  readonly accepted: number;
  readonly slowestMs: number;
}

const INTERESTING = [0x00, 0x01, 0x02, 0x03, 0x04, 0x7f, 0x80, 0x81, 0xfe, 0xff];
const HUGE_VARINT = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01);
const MAX_LENGTH = 1 << 16;

function splice(bytes: Uint8Array, at: number, removed: number, inserted: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length - removed + inserted.length);
  result.set(bytes.subarray(0, at));
  result.set(inserted, at);
  result.set(bytes.subarray(at + removed), at + inserted.length);
  return result;
}

/** Mutated inputs a decoder is given: few with the other tests, many as `npm run fuzz`. */
export const fuzzRuns = (few: number): number => Number(process.env.FUZZ_RUNS ?? few);

/** A test for each target: its corpus decodes, and of what is mutated some is refused, or nothing where it is total. */
export function fuzzEach(targets: readonly FuzzTarget[], runs: number, seed: number): void {
  for (const [i, target] of targets.entries()) {
    it(`${target.name}, ${runs} mutated inputs`, { timeout: 600_000 }, () => {
      for (const sample of target.corpus) target.decode(sample);
      const report = fuzz(target, runs, seed + i);
      expect(report.accepted).toBeGreaterThan(0);
      if (target.total) expect(report.accepted).toBe(report.runs);
      else expect(report.accepted).toBeLessThan(report.runs);
    });
  }
}

/** One random change: a bit, a byte, a cut, a repeat, a huge number, or a piece of another sample. */
export function mutate(bytes: Uint8Array, corpus: readonly Uint8Array[], sampler: TestSampler): Uint8Array {
  if (bytes.length === 0) return sampler.bytes(sampler.below(16));
  const at = sampler.below(bytes.length);
  const span = sampler.below(Math.min(bytes.length - at, 64) + 1);
  switch (sampler.below(8)) {
    case 0:
      return bytes.map((byte, i) => (i === at ? byte ^ (1 << sampler.below(8)) : byte));
    case 1:
      return bytes.map((byte, i) => (i === at ? sampler.pick(INTERESTING) : byte));
    case 2:
      return bytes.slice(0, at);
    case 3:
      return splice(bytes, at, span, new Uint8Array());
    case 4:
      return splice(bytes, at, 0, bytes.slice(at, at + span));
    case 5:
      return splice(bytes, at, sampler.below(2), sampler.below(2) === 0 ? HUGE_VARINT : sampler.bytes(sampler.between(1, 9)));
    case 6: {
      const other = sampler.pick(corpus);
      const from = sampler.below(other.length + 1);
      return splice(bytes, at, span, other.slice(from, from + sampler.below(128)));
    }
    default:
      return splice(bytes, at, Math.min(8, bytes.length - at), sampler.bytes(8));
  }
}

/**
 * Runs a decoder over `runs` mutated inputs. Fails with the input in hex on anything but a value or the typed error,
 * and on an input that takes longer than `limitMs`.
 */
export function fuzz(target: FuzzTarget, runs: number, seed: number, limitMs = 2_000): FuzzReport {
  const sampler = new TestSampler(seed);
  let accepted = 0;
  let slowestMs = 0;
  for (let run = 0; run < runs; run++) {
    let input = sampler.pick(target.corpus);
    for (let changes = sampler.between(1, 4); changes > 0; changes--)
      input = mutate(input, target.corpus, sampler).slice(0, MAX_LENGTH);
    const before = performance.now();
    if (survives(target, input, run)) accepted++;
    slowestMs = Math.max(slowestMs, performance.now() - before);
    if (slowestMs > limitMs)
      throw new Error(`${target.name}: run ${run} took ${slowestMs} ms on ${Buffer.from(input).toString('hex')}`);
  }
  return { runs, accepted, slowestMs };
}

function survives(target: FuzzTarget, input: Uint8Array, run: number): boolean {
  try {
    target.decode(input);
    return true;
  } catch (error) {
    if (target.refusal === undefined ? isProtocolError(error) : error instanceof target.refusal) return false;
    throw new Error(`${target.name}: run ${run} broke on ${Buffer.from(input).toString('hex')}`, { cause: error });
  }
}
