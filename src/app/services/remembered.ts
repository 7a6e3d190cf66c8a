/** A browser that keeps no data for this page throws at the mere question; then nothing is remembered. */
function quietly<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

/** Small things that are no secret and are kept between visits: the theme, which wallet was open last. */
export const remembered = {
  get: (key: string): string | undefined => quietly(() => localStorage.getItem(key)) ?? undefined,
  set(key: string, value: string | undefined): void {
    quietly(() => (value === undefined ? localStorage.removeItem(key) : localStorage.setItem(key, value)));
  },
};
