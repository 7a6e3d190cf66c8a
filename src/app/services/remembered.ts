/** A browser that keeps no data for this page throws at the mere question; then nothing is remembered. */
const kept = (place: () => Storage) => ({
  get(key: string): string | undefined {
    try {
      return place().getItem(key) ?? undefined;
    } catch {
      return undefined;
    }
  },
  set(key: string, value: string | undefined): void {
    try {
      if (value === undefined) place().removeItem(key);
      else place().setItem(key, value);
    } catch {
      // Not remembered.
    }
  },
});

/** Small things that are no secret and are kept between visits: the theme, which wallet was open last. */
export const remembered = kept(() => localStorage);

/** The same, in this tab alone and until it is closed: a page that is loaded again finds them. */
export const rememberedInTab = kept(() => sessionStorage);
