import type { BalanceDay } from '../../wallet/index.ts';

const DAY_SECONDS = 86_400;
/** Steps that a coordinate of 1 is divided into before it becomes a number. */
const STEPS = 10_000n;

/** Balance over a time as a line of steps: x and y from 0 to 1, the earliest first, y from zero up to `high`. */
export interface Curve {
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Unix seconds. */
  readonly from: number;
  readonly to: number;
  /** Atomic units: at the beginning, at the end, the most and the least. */
  readonly first: bigint;
  readonly last: bigint;
  readonly high: bigint;
  readonly low: bigint;
}

/**
 * @param days on which something changed, the oldest first @param owned atomic units now @param now unix seconds
 * @param span seconds back from now, at most to the day before the first; all that there is when undefined
 */
export function curveOf(days: readonly BalanceDay[], owned: bigint, now: number, span: number | undefined): Curve {
  const beginning = (days[0]?.start ?? now) - DAY_SECONDS;
  // Nothing is drawn of the time before the wallet had anything: a day of it shows where it began.
  const from = Math.max(beginning, span === undefined ? beginning : now - span);
  const first = days.findLast(({ start }) => start <= from)?.balance ?? 0n;
  const shown = days.filter(({ start }) => start > from && start <= now);
  const levels = [first, ...shown.map(({ balance }) => balance), owned];
  const high = levels.reduce((most, level) => (level > most ? level : most));
  const low = levels.reduce((least, level) => (level < least ? level : least));
  const y = (level: bigint): number => (high === 0n ? 0 : Number((level * STEPS) / high) / Number(STEPS));
  const points: (readonly [number, number])[] = [[0, y(first)]];
  let level = first;
  const step = (x: number, next: bigint): void => {
    points.push([x, y(level)], [x, y(next)]);
    level = next;
  };
  for (const { start, balance } of shown) step((start - from) / (now - from), balance);
  step(1, owned);
  return { points, from, to: now, first, last: owned, high, low };
}

/** Days that the curve covers, at least one: so many steps it is read in. */
export const daysOf = ({ from, to }: Curve): number => Math.max(1, Math.round((to - from) / DAY_SECONDS));

/** One place of the curve: where it is, and what was owned then. */
export interface CurvePoint {
  /** From 0 to 1. */
  readonly x: number;
  readonly y: number;
  /** Unix seconds. */
  readonly at: number;
  /** Atomic units. */
  readonly balance: bigint;
}

/** @param days as the curve was made of @param step from 0, its beginning, to {@link daysOf}, now */
export function pointAt(curve: Curve, days: readonly BalanceDay[], step: number): CurvePoint {
  const { from, to, last, high } = curve;
  const x = step / daysOf(curve);
  const at = from + x * (to - from);
  const balance = at >= to ? last : (days.findLast(({ start }) => start <= at)?.balance ?? 0n);
  return { x, at, balance, y: high === 0n ? 0 : Number((balance * STEPS) / high) / Number(STEPS) };
}

/** The line as a path, and the ground below it, in a box so wide and so high. */
export function curvePaths({ points }: Curve, width: number, height: number): { readonly line: string; readonly area: string } {
  const line = points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${round(x * width)} ${round((1 - y) * height)}`).join('');
  return { line, area: `${line}V${height}H0Z` };
}

const round = (value: number): number => Math.round(value * 10) / 10;
