const numbersOf = (version: string): readonly number[] => version.split('.').map((part) => Number.parseInt(part, 10));

/** Whether a version, as `1.4.0`, comes before another one. Another build of the same version does not, nor does what is no version. */
export function isOlder(version: string, than: string): boolean {
  const others = numbersOf(than);
  const at = numbersOf(version).findIndex((number, index) => number !== others[index]);
  return at >= 0 && numbersOf(version)[at]! < (others[at] ?? 0);
}
