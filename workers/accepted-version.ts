/** A version of the page: its name, and the cache key of each file's URL. */
export interface Version {
  readonly name: string;
  readonly parts: Readonly<Record<string, string>>;
}

const CACHE = 'nightjar-version';
/** After this many page loads in a row that did not report a start, the version is considered broken. */
const SILENT_STARTS = 3;

/**
 * The version of the page to serve (T13): the one the person accepted last, even if a newer service worker is active. Stored in the Cache API,
 * so that it survives closing the browser. A version that fails to start could never offer an update, so after three failed starts in a row the
 * newest version is served.
 */
export class AcceptedVersion {
  readonly #own: Version;
  readonly #scope: string;
  #accepted: Version | undefined;

  /** @param own the version that this worker was built with @param scope the address below which the page lies */
  constructor(own: Version, scope: string) {
    this.#own = own;
    this.#scope = scope;
  }

  /** The version to serve: the accepted one, or this worker's own if there is none or it is unreadable. */
  async get(): Promise<Version> {
    this.#accepted ??= await this.#read('accepted-version').catch(() => undefined);
    return this.#accepted ?? this.#own;
  }

  /** Whether this worker's own version is the one served. */
  async isOwn(): Promise<boolean> {
    return textOf(await this.get()) === textOf(this.#own);
  }

  /** Accepts this worker's own version. @throws if the cache fails */
  async accept(): Promise<void> {
    await this.#write('accepted-version', textOf(this.#own));
    await this.started();
    this.#accepted = this.#own;
  }

  /** To be called before this version's files are fetched, so that other workers do not delete them as outdated. */
  async arrive(): Promise<void> {
    await this.#write('newest-version', textOf(this.#own));
  }

  /** To be called when the worker activates: the very first version counts as accepted. @throws if the cache fails */
  async begin(): Promise<void> {
    // Another worker may have changed it.
    this.#accepted = await this.#read('accepted-version');
    if (this.#accepted === undefined) await this.accept();
  }

  /** To be called at each page load, before {@link get}. @throws if the cache fails */
  async starting(): Promise<void> {
    await this.begin();
    if ((await this.#silentStarts()) >= SILENT_STARTS) await this.accept();
  }

  /** The page is loaded but has not reported its start yet. @throws if the cache fails */
  async opened(): Promise<void> {
    if (!(await this.isOwn())) await this.#write('silent-starts', String((await this.#silentStarts()) + 1));
  }

  /** The page reported its start. */
  async started(): Promise<void> {
    await (await caches.open(CACHE)).delete(this.#at('silent-starts'));
  }

  /** Name of this worker's own version, if another one is served. */
  async offered(): Promise<string | undefined> {
    return (await this.isOwn()) ? undefined : this.#own.name;
  }

  /** Cache keys in use: of the version served, this worker's own, and one being fetched. */
  async keysInUse(): Promise<ReadonlySet<string>> {
    const versions = [await this.get(), this.#own, await this.#read('newest-version')];
    return new Set(versions.flatMap((version) => Object.values(version?.parts ?? {})));
  }

  /** 0 while this worker's own version is served: there is nothing newer. */
  async #silentStarts(): Promise<number> {
    return (await this.isOwn()) ? 0 : Number(await (await this.#match('silent-starts'))?.text()) || 0;
  }

  #at(name: string): string {
    return new URL(`./${name}`, this.#scope).href;
  }

  async #match(name: string): Promise<Response | undefined> {
    return (await caches.open(CACHE)).match(this.#at(name));
  }

  /** Undefined if missing or invalid. @throws if the cache fails */
  async #read(name: string): Promise<Version | undefined> {
    const stored: unknown = await (await this.#match(name))?.json().catch(() => undefined);
    return isVersion(stored) ? stored : undefined;
  }

  async #write(name: string, text: string): Promise<void> {
    await (await caches.open(CACHE)).put(this.#at(name), new Response(text));
  }
}

const isVersion = (value: unknown): value is Version =>
  typeof value === 'object' && value !== null && 'parts' in value && typeof value.parts === 'object' && value.parts !== null;

const textOf = (version: Version): string => JSON.stringify(version);
