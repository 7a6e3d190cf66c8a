import { randomInt } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { FieldModule } from '../src/crypto/field-module.ts';
import { type Row, row } from './rows.ts';
import { clsagSigning, multiplication, rangeProving, type TimedWork } from './timing-work.ts';

/**
 * Does the time of an operation depend on its secret? In the manner of dudect (Reparaz, Balasch, Verbauwhede 2017): the same work with a fixed
 * secret and with random ones, in random order, and Welch's t over the two sets of times; slow outliers (an interrupt, another process) are cut off
 * at several percentiles of both sets together and the largest |t| counts. Past 4.5 the two are distinguishable.
 *
 * The variable-time twin runs in the same way in the same run and must be detected, or the test could detect nothing.
 */

const THRESHOLD = 4.5;
const WARM_UP = 400;
const PERCENTILES = [1, 0.95, 0.9, 0.8, 0.7, 0.5];

/** Welch's t between two samples. */
function welch(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [ma, mb] = [mean(a), mean(b)];
  const variance = (values: readonly number[], m: number) =>
    values.reduce((sum, value) => sum + (value - m) ** 2, 0) / (values.length - 1);
  return (ma - mb) / Math.sqrt(variance(a, ma) / a.length + variance(b, mb) / b.length);
}

/** The largest |t| over the cut-offs. */
function leak(fixed: readonly number[], random: readonly number[]): number {
  const all = [...fixed, ...random].sort((a, b) => a - b);
  return Math.max(
    ...PERCENTILES.map((part) => {
      const cut = all[Math.ceil(all.length * part) - 1]!;
      const [a, b] = [fixed, random].map((times) => times.filter((time) => time <= cut)) as [number[], number[]];
      // A cut-off that leaves almost nothing of one set says nothing: wider ones have already distinguished the two.
      return a.length < 2 || b.length < 2 ? 0 : Math.abs(welch(a, b));
    }),
  );
}

/** The largest |t| over `samples` runs, half of them with the fixed secret. */
function leakOf({ prepare, run }: TimedWork, samples: number): number {
  const times = { fixed: [] as number[], random: [] as number[] };
  for (let i = -Math.min(WARM_UP, samples); i < samples; i++) {
    const fixed = randomInt(2) === 0;
    prepare(fixed);
    const start = process.hrtime.bigint();
    run();
    const time = Number(process.hrtime.bigint() - start);
    if (i >= 0) times[fixed ? 'fixed' : 'random'].push(time);
  }
  return leak(times.fixed, times.random);
}

interface Timed {
  readonly name: string;
  readonly make: (field: FieldModule) => Promise<TimedWork>;
  /** Its number of samples as a fraction of a multiplication's, since it takes longer. */
  readonly part: number;
}

const CONSTANT_TIME: readonly Timed[] = [
  ...(['deriveBatch', 'multiplyBatch', 'multiplyBaseBatch'] as const).map((what) => ({
    name: what,
    make: (field: FieldModule) => multiplication(field, what),
    part: 1,
  })),
  { name: 'signing a CLSAG', make: clsagSigning, part: 1 },
  { name: 'proving a Bulletproofs+', make: rangeProving, part: 1 / 4 },
];

/** |t| against the threshold: below it for constant-time code, above it for the twin. The ratio is above 1 if the result is as expected. */
export async function timingRows(samples = 4000): Promise<Row[]> {
  const rows: Row[] = [];
  for (const field of ['fma', 'ext'] as const) {
    for (const { name, make, part } of CONSTANT_TIME) {
      const t = leakOf(await make(field), Math.round(samples * part));
      rows.push(row(`timing of ${name}, |t|`, `Node, ${field}`, t, THRESHOLD, 'told apart from', 't'));
    }
    const t = leakOf(await multiplication(field, 'deriveBatchVartime'), samples);
    const caught = row('timing of the variable-time twin, |t|', `Node, ${field}`, t, THRESHOLD, 'must be caught from', 't');
    rows.push({ ...caught, ratio: t / THRESHOLD });
  }
  return rows;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const rows = await timingRows(Number(process.argv[2] ?? 4000));
  console.table(rows);
  if (rows.some(({ ratio }) => ratio === undefined || ratio < 1)) process.exitCode = 1;
}
