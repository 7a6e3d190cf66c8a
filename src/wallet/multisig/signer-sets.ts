/** All subsets of `size` items, in order. */
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
 * Every set of other signers that could complete a transaction together with its proposer.
 * @param available other signers whose nonces are known
 */
export function* coSigners<T>(
  available: readonly T[],
  threshold: number,
): Generator<{ with: readonly T[]; without: readonly T[] }> {
  for (const chosen of choices(available, threshold - 1)) {
    yield { with: chosen, without: available.filter((signer) => !chosen.includes(signer)) };
  }
}
