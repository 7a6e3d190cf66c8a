import type { BalanceDay } from '../../wallet/index.ts';

const DAY_SECONDS = 86_400;
/** Resolution of a coordinate: bigint amounts are scaled to this before they become numbers. */
const STEPS = 10_000n;

/** Balance over time as a step line, oldest point first. x runs from `from` (0) to `to` (1), y from a balance of 0 (0) to `high` (1). */
export interface BalanceCurve {
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Unix seconds. */
  readonly from: number;
  readonly to: number;
  /** Balances in atomic units: first, last, highest and lowest. */
  readonly first: bigint;
  readonly last: bigint;
  readonly high: bigint;
  readonly low: bigint;
}

/**
 * @param days days on which the balance changed, oldest first @param owned current balance, atomic units @param now Unix seconds
 * @param span seconds to show, up to now; clamped to one day before the first change, and all of the time since then when undefined
 */
export function balanceCurve(days: readonly BalanceDay[], owned: bigint, now: number, span: number | undefined): BalanceCurve {
  const beginning = (days[0]?.start ?? now) - DAY_SECONDS;
  // Of the time before the first change, one day is drawn.
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

/** Number of days that the curve covers, at least 1. */
export const curveDays = ({ from, to }: BalanceCurve): number => Math.max(1, Math.round((to - from) / DAY_SECONDS));

/** One point of the curve. */
export interface CurvePoint {
  /** From 0 to 1. */
  readonly x: number;
  readonly y: number;
  /** Unix seconds. */
  readonly at: number;
  /** Atomic units. */
  readonly balance: bigint;
}

/** The point of a day. @param days the same as for {@link balanceCurve} @param step day of the curve, from 0 (oldest) to {@link curveDays} (now) */
export function pointAt(curve: BalanceCurve, days: readonly BalanceDay[], step: number): CurvePoint {
  const { from, to, last, high } = curve;
  const x = step / curveDays(curve);
  const at = from + x * (to - from);
  const balance = at >= to ? last : (days.findLast(({ start }) => start <= at)?.balance ?? 0n);
  return { x, at, balance, y: high === 0n ? 0 : Number((balance * STEPS) / high) / Number(STEPS) };
}

/** SVG path data of the line and of the area below it, in a box of this size. */
export function curvePaths(
  { points }: BalanceCurve,
  width: number,
  height: number,
): { readonly line: string; readonly area: string } {
  const line = points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${round(x * width)} ${round((1 - y) * height)}`).join('');
  return { line, area: `${line}V${height}H0Z` };
}

const round = (value: number): number => Math.round(value * 10) / 10;
