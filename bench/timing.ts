import { randomBytes, randomInt } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { type FieldModule, type Kernels, loadKernels } from '../src/crypto/kernels.ts';
import { type Row, row } from './rows.ts';

/**
 * Does the time of a scalar multiplication tell the scalar? In the manner of dudect (Reparaz, Balasch, Verbauwhede 2017): the same work with
 * a fixed scalar and with random ones, in random order, and Welch's t over the two sets of times; slow outliers (an interrupt, another
 * process) are cut off at several percentiles of both sets together and the largest |t| counts. Past 4.5 the two are told apart.
 *
 * The variable-time twin runs in the same way in the same run and must be caught, or the test could not see anything.
 */

const THRESHOLD = 4.5;
const WARM_UP = 400;
const PERCENTILES = [1, 0.95, 0.9, 0.8, 0.7, 0.5];

/** Welch's t between two samples. */
export function welch(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [ma, mb] = [mean(a), mean(b)];
  const variance = (values: readonly number[], m: number) =>
    values.reduce((sum, value) => sum + (value - m) ** 2, 0) / (values.length - 1);
  return (ma - mb) / Math.sqrt(variance(a, ma) / a.length + variance(b, mb) / b.length);
}

/** The largest |t| over the cut-offs. */
export function leak(fixed: readonly number[], random: readonly number[]): number {
  const all = [...fixed, ...random].sort((a, b) => a - b);
  return Math.max(
    ...PERCENTILES.map((part) => {
      const cut = all[Math.ceil(all.length * part) - 1]!;
      const [a, b] = [fixed, random].map((times) => times.filter((time) => time <= cut)) as [number[], number[]];
      // A cut-off that leaves almost nothing of one set says nothing: the wider ones have told the two apart.
      return a.length < 2 || b.length < 2 ? 0 : Math.abs(welch(a, b));
    }),
  );
}

export type Multiplication = 'deriveBatch' | 'deriveBatchVartime' | 'multiplyBatch' | 'multiplyBaseBatch';

/** A scalar with few digits, so that skipping and early ends would show: 2^200 + 1. */
const FIXED = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 || i === 25 ? 1 : 0));

/** Nanoseconds of `samples` multiplications, half with the fixed scalar and half with random ones. */
function measure(kernels: Kernels, what: Multiplication, samples: number) {
  const { exports } = kernels;
  const count = exports.lanes();
  const scalars = kernels.alloc(32 * count);
  const points = kernels.alloc(32 * count);
  const out = kernels.alloc(32 * count);
  const ok = kernels.alloc(count);
  kernels.bytes.set(randomBytes(31), scalars);
  exports.multiplyBaseBatch(points, scalars, count);
  const times = { fixed: [] as number[], random: [] as number[] };
  for (let i = -WARM_UP; i < samples; i++) {
    const fixed = randomInt(2) === 0;
    // Both classes do the same before the clock starts: draw, choose, copy to every lane.
    const drawn = randomBytes(32);
    drawn[31]! &= 15;
    const scalar = fixed ? FIXED : drawn;
    const bytes = kernels.bytes;
    for (let lane = 0; lane < count; lane++) bytes.set(scalar, scalars + 32 * lane);
    const start = process.hrtime.bigint();
    if (what === 'multiplyBaseBatch') exports.multiplyBaseBatch(out, scalars, count);
    else if (what === 'multiplyBatch') exports.multiplyBatch(out, ok, scalars, points, count, 0);
    else exports[what](out, ok, scalars, points, count);
    const time = Number(process.hrtime.bigint() - start);
    if (i >= 0) times[fixed ? 'fixed' : 'random'].push(time);
  }
  return times;
}

/** The largest |t| of one multiplication in one field module. */
export async function timingLeak(field: FieldModule, what: Multiplication, samples: number): Promise<number> {
  const kernels = await loadKernels({ force: field });
  const { fixed, random } = measure(kernels, what, samples);
  return leak(fixed, random);
}

/** |t| beside the threshold: below it for what is constant time, above it for the twin. The ratio is above 1 where it is as it should be. */
export async function timingRows(samples = 4000): Promise<Row[]> {
  const rows: Row[] = [];
  for (const field of ['fma', 'ext'] as const) {
    for (const what of ['deriveBatch', 'multiplyBatch', 'multiplyBaseBatch'] as const) {
      const t = await timingLeak(field, what, samples);
      rows.push(row(`timing of ${what}, |t|`, `Node, ${field}`, t, THRESHOLD, 'told apart from', 't'));
    }
    const t = await timingLeak(field, 'deriveBatchVartime', samples);
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
