/** Merges neighbours until every bin expects at least `least`, then sums (observed − expected)² / expected. */
export function chiSquare(observed: readonly number[], expected: readonly number[], least: number) {
  let statistic = 0;
  let bins = 0;
  let seen = 0;
  let awaited = 0;
  let rest = expected.reduce((sum, value) => sum + value, 0);
  for (const [i, value] of expected.entries()) {
    seen += observed[i]!;
    awaited += value;
    rest -= value;
    const last = i === expected.length - 1;
    if (!last && (awaited < least || rest < least)) continue;
    statistic += (seen - awaited) ** 2 / awaited;
    bins++;
    seen = 0;
    awaited = 0;
  }
  return { statistic, bins, limit: chiSquareLimit(bins - 1) };
}

/** What chi-square exceeds once in a thousand (Wilson and Hilferty). */
function chiSquareLimit(degrees: number): number {
  const spread = 2 / (9 * degrees);
  return degrees * (1 - spread + 3.0902 * Math.sqrt(spread)) ** 3;
}
