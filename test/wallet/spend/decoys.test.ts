import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  GammaPicker,
  pickCandidates,
  pickClearCandidates,
  ringCtCandidates,
  ringsLookSane,
} from '../../../src/wallet/spend/decoys.ts';
import { chiSquare } from './chi-square.ts';
import { seededSampler } from './fixtures.ts';

const SHAPE = 19.28;
const SCALE = 1 / 1.61;
const UNLOCK = 1200;
const RECENT_WINDOW = 1800;

/** Cumulative outputs a block: quiet and busy stretches, empty blocks among them. */
function busyChain(blocks: number): number[] {
  let sum = 0;
  return Array.from({ length: blocks }, (_, height) => {
    if (height % 13 !== 0) sum += 20 + ((height * 7919) % 61) + (height % 900 < 200 ? 90 : 0);
    return sum;
  });
}

/** P(ln of the age ≤ x), by the trapezoid rule over the gamma density. */
function gammaDistribution(): (x: number) => number {
  const step = 1 / 4096;
  const density = (g: number) => (g <= 0 ? 0 : Math.exp((SHAPE - 1) * Math.log(g) - g / SCALE));
  const sums = [0];
  for (let i = 1; i * step <= 48; i++) sums.push(sums[i - 1]! + (step * (density((i - 1) * step) + density(i * step))) / 2);
  const all = sums.at(-1)!;
  return (x) => {
    if (!(x > 0)) return 0;
    const at = Math.min(x / step, sums.length - 1.000001);
    const low = Math.floor(at);
    return (sums[low]! + (at - low) * (sums[low + 1]! - sums[low]!)) / all;
  };
}

interface Model {
  /** Chance of a pick in each block. */
  readonly blocks: readonly number[];
  readonly useless: number;
}

/**
 * v0.18.4.4's law, written from its description: the age of a spend, less the lock, or uniform in the recent window where it is
 * younger than the lock; that many average output times back; the block that holds the output found so.
 */
function model(offsets: readonly number[], variant: 'v0.18.4.4' | 'without the recent window' | 'without the lock'): Model {
  const distribution = gammaDistribution();
  const spendable = offsets.length - 9;
  const outputs = offsets[spendable - 1]!;
  const considered = Math.min(offsets.length, 262_800);
  const outputTime =
    (120 * considered) / (offsets.at(-1)! - (considered < offsets.length ? offsets[offsets.length - considered - 1]! : 0));
  const young = distribution(Math.log(UNLOCK));
  const shift = variant === 'without the lock' ? 0 : UNLOCK;
  const older = (age: number) => Math.max(distribution(Math.log(age + shift)) - young, 0);
  const wholeSeconds = (age: number) => Math.min(Math.ceil(age), RECENT_WINDOW) / RECENT_WINDOW;
  const recent = (age: number) => (variant === 'without the recent window' ? 0 : young * wholeSeconds(age));
  const upTo = (age: number) => older(age) + recent(age);
  const blocks = new Array<number>(spendable).fill(0);
  let block = spendable - 1;
  let useless = 1 - upTo(outputs * outputTime);
  for (let back = 0; back < outputs; back++) {
    const index = outputs - 1 - back;
    const chance = upTo((back + 1) * outputTime) - upTo(back * outputTime);
    while (block > 0 && offsets[block - 1]! >= index) block--;
    if (offsets[block]! === (block === 0 ? 0 : offsets[block - 1]!)) useless += chance;
    else blocks[block]! += chance;
  }
  return { blocks, useless };
}

const PICKS = 100_000;
const offsets = busyChain(12_000);
const picker = new GammaPicker(offsets);
const picks: number[] = [];
const perBlock = new Array<number>(offsets.length - 9).fill(0);
let useless = 0;

function blockOf(index: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (offsets[middle]! <= index) low = middle + 1;
    else high = middle;
  }
  return low;
}

const sampler = seededSampler('decoys');
for (let i = 0; i < PICKS; i++) {
  const pick = picker.pick(sampler);
  if (pick === undefined) useless++;
  else {
    picks.push(pick);
    perBlock[blockOf(pick)]!++;
  }
}

function compare(variant: Parameters<typeof model>[1]) {
  const expected = model(offsets, variant);
  return chiSquare(
    [useless, ...perBlock],
    [expected.useless, ...expected.blocks].map((chance) => chance * PICKS),
    25,
  );
}

describe('single decoy picks', () => {
  it('T21 100,000 picks follow the distribution of v0.18.4.4: chi-square over blocks', () => {
    const { statistic, bins, limit } = compare('v0.18.4.4');
    expect(bins).toBeGreaterThan(1_000);
    expect(statistic).toBeLessThan(limit);
  });

  it('the same picks differ from distributions without the recent window and without the lock', () => {
    const noWindow = compare('without the recent window');
    const noLock = compare('without the lock');
    expect(noWindow.statistic).toBeGreaterThan(noWindow.limit);
    expect(noLock.statistic).toBeGreaterThan(noLock.limit);
  });

  it('within a block every output is equally likely', () => {
    const parts = 10;
    const seen = new Array<number>(parts).fill(0);
    const awaited = new Array<number>(parts).fill(0);
    for (const pick of picks) {
      const block = blockOf(pick);
      const first = block === 0 ? 0 : offsets[block - 1]!;
      const count = offsets[block]! - first;
      seen[Math.floor(((pick - first) * parts) / count)]!++;
      for (let place = 0; place < count; place++) awaited[Math.floor((place * parts) / count)]! += 1 / count;
    }
    const { statistic, limit } = chiSquare(seen, awaited, 5);
    expect(statistic).toBeLessThan(limit);
  });

  it('never picks what is too young to spend, and does pick the newest spendable block', () => {
    expect(Math.max(...picks)).toBeLessThan(picker.outputs);
    expect(picker.outputs).toBe(offsets[offsets.length - 10]);
    expect(perBlock.slice(-3).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
  });
});

describe('boundary ages', () => {
  // 100 blocks of 12 outputs: ten seconds an output. Of a block's outputs the first one is looked for in the block before.
  const even = new GammaPicker(Array.from({ length: 100 }, (_, i) => 12 * (i + 1)));
  const newest = 91 * 12;
  const pickAt = (seconds: number, recent = 0, place = 0) => {
    const answers = [recent, place];
    const below = (bound: number) => Math.min(seconds > UNLOCK ? place : answers.shift()!, bound - 1);
    return even.pick({ gamma: () => Math.log(seconds), below });
  };

  it.each([
    ['just above the lock: the newest spendable block', UNLOCK + 1, 0, newest - 12],
    ['one output back', UNLOCK + 10.5, 0, newest - 12],
    ['the last output of the newest block', UNLOCK + 109.5, 0, newest - 12],
    ['the first output of the newest block counts for the block before it', UNLOCK + 110.5, 0, newest - 24],
    ['well under the lock: the start of the recent window', UNLOCK - 1, 0, newest - 12],
    ['well under the lock: the end of the recent window, a first output again', UNLOCK - 1, RECENT_WINDOW - 1, newest - 12 * 16],
    ['the oldest output of the chain', UNLOCK + newest * 10 - 5, 0, 0],
  ])('%s', (_, seconds, recent, expected) => {
    expect(pickAt(seconds, recent)).toBe(expected);
  });

  it('an age before the chain gives no pick', () => {
    expect(pickAt(UNLOCK + newest * 10 + 5)).toBeUndefined();
    expect(even.pick({ gamma: () => 5_000, below: () => 0 })).toBeUndefined();
  });

  it('refuses chains that are too short or empty', () => {
    const code = expect.objectContaining({ code: 'bad-distribution' });
    expect(() => new GammaPicker([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toThrow(code);
    expect(() => new GammaPicker(new Array(40).fill(0))).toThrow(code);
    expect(() => new GammaPicker(new Array(300_000).fill(5))).toThrow(code);
    expect(new GammaPicker([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]).outputs).toBe(2);
  });
});

describe('candidates of a ring', () => {
  it('are as many as the reference asks for, all different, the real one first', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(picker.outputs - 1), (seed, real) => {
        const candidates = pickCandidates(picker, 16, real, seededSampler(seed));
        expect(candidates[0]).toBe(real);
        expect(new Set(candidates).size).toBe(ringCtCandidates(16));
      }),
      { numRuns: 50 },
    );
  });

  it('are all outputs of a chain with too few, also if the distribution never reaches some', () => {
    const few = new GammaPicker(Array.from({ length: 60 }, (_, i) => i + 1));
    expect(pickCandidates(few, 16, 3, seededSampler('few')).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 51 }, (_, i) => i),
    );
    const scarce = new GammaPicker(Array.from({ length: 85 }, (_, i) => i + 1));
    expect(new Set(pickCandidates(scarce, 16, 3, seededSampler('scarce'))).size).toBe(75);
  });

  it('of a clear amount favour the newest', () => {
    const found = pickClearCandidates({ unlocked: 10_000, recent: 100 }, 16, 5, seededSampler('clear'));
    expect(new Set(found).size).toBe(25);
    expect(found.filter((index) => index >= 9_900).length).toBeGreaterThanOrEqual(11);
  });

  it('are checked on a long chain like a node checks rings', () => {
    const ring = (from: number) => Array.from({ length: 16 }, (_, i) => from + i);
    expect(ringsLookSane([ring(12_000)], 20_000)).toBe(true);
    expect(ringsLookSane([ring(11_000)], 20_000)).toBe(false);
    expect(ringsLookSane([ring(100)], 9_999)).toBe(true);
    expect(ringsLookSane([ring(15_000), ring(15_000)], 20_000)).toBe(false);
  });
});
