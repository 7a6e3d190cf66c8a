/** Something that is loaded at the first use. */
export interface Lazy<T> {
  /** Loads it, unless it is loaded; a failed load is tried again. */
  get(): Promise<T>;
  /** What was loaded or is being loaded. */
  readonly loaded: Promise<T> | undefined;
}

export function lazily<T>(load: () => Promise<T>): Lazy<T> {
  let loaded: Promise<T> | undefined;
  return {
    get: () => {
      loaded ??= load();
      loaded.catch(() => {
        loaded = undefined;
      });
      return loaded;
    },
    get loaded() {
      return loaded;
    },
  };
}
