/** Finds what one request names, each thing once: however often a megabyte of a request names it, it is found and kept once (T15). */
export function memoize<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const found = new Map<Key, Value>();
  return (key) => {
    if (!found.has(key)) found.set(key, find(key));
    return found.get(key) as Value;
  };
}
