/** Which words of a seed a person is asked for: `count` different positions below `total`, ascending, never the same twice over. */
export function quizPositions(total: number, count: number): readonly number[] {
  const chosen = new Set<number>();
  const draw = new Uint32Array(1);
  while (chosen.size < Math.min(count, total)) chosen.add((crypto.getRandomValues(draw)[0] ?? 0) % total);
  return [...chosen].sort((a, b) => a - b);
}
