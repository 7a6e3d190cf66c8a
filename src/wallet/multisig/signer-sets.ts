/** All ways to take `size` of some items, in their order. */
function* choices<T>(items: readonly T[], size: number, from = 0): Generator<readonly T[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let i = from; i <= items.length - size; i++) {
    for (const rest of choices(items, size - 1, i + 1)) yield [items[i]!, ...rest];
  }
}

/**
 * Every set of others that could complete a transaction with its proposer, who is one of the threshold.
 * @param available others whose nonces are there
 */
export function* coSigners<T>(
  available: readonly T[],
  threshold: number,
): Generator<{ with: readonly T[]; without: readonly T[] }> {
  for (const chosen of choices(available, threshold - 1)) {
    yield { with: chosen, without: available.filter((signer) => !chosen.includes(signer)) };
  }
}
