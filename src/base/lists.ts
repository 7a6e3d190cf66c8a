/** The first position for which `holds` is true, assuming it is true for all after it; `length` if there is none. Binary search. */
export function firstWhere(length: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whether two lists have the same items in the same order. */
export const sameItems = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((item, i) => item === b[i]);

/** Adds to the list of a key, which is created if missing. */
export function pushTo<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key);
  // `[item]` takes less memory than an empty list that grows, and there may be one for each coin.
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** A map's value at a key; a missing one is made and stored. */
export function valueAt<K, V extends object | string>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: (key: K) => V,
): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make(key);
  map.set(key, made);
  return made;
}
