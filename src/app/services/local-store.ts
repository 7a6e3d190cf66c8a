/** Where storage is blocked, any access to `localStorage` throws: reads are undefined then, and writes are dropped. */
function quietly<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

/** `localStorage` for settings and other values that are not secret. */
export const localStore = {
  get: (key: string): string | undefined => quietly(() => localStorage.getItem(key)) ?? undefined,
  keys: (): readonly string[] => quietly(() => Object.keys(localStorage)) ?? [],
  set(key: string, value: string | undefined): void {
    quietly(() => (value === undefined ? localStorage.removeItem(key) : localStorage.setItem(key, value)));
  },
};
