/** What a version of the page consists of: the address of each part, and under which key the browser's caches have it. */
export interface Version {
  readonly name: string;
  readonly parts: Readonly<Record<string, string>>;
}

const CACHE = 'nightjar-version';
/** Times in a row that a page may be opened and not ask for a newer version before it is taken for broken. */
const SILENT_STARTS = 3;

/**
 * Which version of the page is shown (T13): the one that the person has accepted, whichever service worker is at work, until they accept the
 * worker's own. It is written down in the browser's cache, so that closing the page and starting the browser anew change nothing.
 * A page that cannot even start does not ask for a newer version; after three such starts in a row the newest is its cure.
 */
export class AcceptedVersion {
  readonly #own: Version;
  readonly #record: string;
  readonly #silent: string;
  #accepted: Promise<Version> | undefined;

  /** @param own the version that this worker was built with @param scope the address below which the page lies */
  constructor(own: Version, scope: string) {
    this.#own = own;
    this.#record = new URL('./accepted-version', scope).href;
    this.#silent = new URL('./silent-starts', scope).href;
  }

  /** The version to show: this worker's own, where none was ever accepted. */
  get(): Promise<Version> {
    this.#accepted ??= this.#read().then((kept) => kept ?? this.#own);
    return this.#accepted;
  }

  /** Whether the worker's own version is the one shown. */
  async isOwn(): Promise<boolean> {
    return textOf(await this.get()) === textOf(this.#own);
  }

  /** From now on the worker's own version is shown. */
  async accept(): Promise<void> {
    const cache = await caches.open(CACHE);
    await cache.put(this.#record, new Response(textOf(this.#own)));
    await cache.delete(this.#silent);
    this.#accepted = Promise.resolve(this.#own);
  }

  /** To be called once, when the worker begins to answer: the first version of all is the one that the person came to. */
  async begin(): Promise<void> {
    if ((await this.#read()) === undefined) await this.accept();
  }

  /** Counts a start of the page. To be called before the version is asked for. */
  async starting(): Promise<void> {
    if (await this.isOwn()) return;
    const cache = await caches.open(CACHE);
    const before = Number(await (await cache.match(this.#silent))?.text()) || 0;
    if (before >= SILENT_STARTS) await this.accept();
    else await cache.put(this.#silent, new Response(String(before + 1)));
  }

  /** The page has started and asks. @returns the name of the worker's own version where another one is shown */
  async offered(): Promise<string | undefined> {
    await (await caches.open(CACHE)).delete(this.#silent);
    return (await this.isOwn()) ? undefined : this.#own.name;
  }

  async #read(): Promise<Version | undefined> {
    const kept = await (await caches.open(CACHE)).match(this.#record);
    return kept && ((await kept.json()) as Version);
  }
}

const textOf = (version: Version): string => JSON.stringify(version);
