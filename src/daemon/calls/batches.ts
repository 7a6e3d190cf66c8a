/** Requests a list in batches that one call can serve, one after the other. @returns the answers, in the requested order */
export async function inBatches<A, T>(
  items: readonly A[],
  most: number,
  ask: (run: readonly A[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const got: T[] = [];
  for (let at = 0; at < items.length; at += most) got.push(...(await ask(items.slice(at, at + most))));
  return got;
}
