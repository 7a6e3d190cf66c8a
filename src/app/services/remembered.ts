/**
 * Small things that are no secret and are kept between visits: the theme, which wallet was open last. A browser that keeps no
 * data for this page throws at the mere question; then nothing is remembered.
 */
export const remembered = {
  get(key: string): string | undefined {
    try {
      return localStorage.getItem(key) ?? undefined;
    } catch {
      return undefined;
    }
  },
  set(key: string, value: string | undefined): void {
    try {
      if (value === undefined) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {
      // Not remembered.
    }
  },
};
