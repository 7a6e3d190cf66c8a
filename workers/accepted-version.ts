/** What a version of the page consists of: the address of each part, and under which key the browser's caches have it. */
export interface Version {
  readonly name: string;
  readonly parts: Readonly<Record<string, string>>;
}

const CACHE = 'nightjar-version';
/** Times in a row that a page may be opened and not get as far as to say that it has started, before it is taken for broken. */
const SILENT_STARTS = 3;

/**
 * Which version of the page is shown (T13): the one that the person has accepted, whichever service worker is at work, until they accept the
 * worker's own. It is written down in the browser's cache, so that closing the page and starting the browser anew change nothing.
 * A page that cannot even start cannot offer a newer version; after three such starts in a row the newest is its cure.
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

  /** The version to show: this worker's own, where none was ever accepted or the record cannot be read. */
  async get(): Promise<Version> {
    this.#accepted ??= await this.#read('accepted-version').catch(() => undefined);
    return this.#accepted ?? this.#own;
  }

  /** Whether the worker's own version is the one shown. */
  async isOwn(): Promise<boolean> {
    return textOf(await this.get()) === textOf(this.#own);
  }

  /** From now on the worker's own version is shown. @throws where the browser cannot write that down */
  async accept(): Promise<void> {
    await this.#write('accepted-version', textOf(this.#own));
    await this.started();
    this.#accepted = this.#own;
  }

  /** To be called before the parts of the worker's own version are fetched, so that no other worker takes them for something old. */
  async arrive(): Promise<void> {
    await this.#write('newest-version', textOf(this.#own));
  }

  /** To be called when the worker begins to answer: the first version of all is the one that the person came to. @throws where the cache fails */
  async begin(): Promise<void> {
    // Another worker's may have been accepted since the record was last read.
    this.#accepted = await this.#read('accepted-version');
    if (this.#accepted === undefined) await this.accept();
  }

  /** The page is asked for. To be called before the version is asked for. @throws where the browser's cache fails */
  async starting(): Promise<void> {
    await this.begin();
    if ((await this.#silentStarts()) >= SILENT_STARTS) await this.accept();
  }

  /** The page that was asked for is there, and has yet to say that it has started. @throws where the browser's cache fails */
  async opened(): Promise<void> {
    if (!(await this.isOwn())) await this.#write('silent-starts', String((await this.#silentStarts()) + 1));
  }

  /** The page has started. */
  async started(): Promise<void> {
    await (await caches.open(CACHE)).delete(this.#at('silent-starts'));
  }

  /** The name of the worker's own version where another one is shown. */
  async offered(): Promise<string | undefined> {
    return (await this.isOwn()) ? undefined : this.#own.name;
  }

  /** The keys of all parts that are in use or may come to be: of the version shown, the worker's own, and one that is being fetched. */
  async keysInUse(): Promise<ReadonlySet<string>> {
    const versions = [await this.get(), this.#own, await this.#read('newest-version')];
    return new Set(versions.flatMap((version) => Object.values(version?.parts ?? {})));
  }

  /** None of a worker's own version: nothing newer would be its cure. */
  async #silentStarts(): Promise<number> {
    return (await this.isOwn()) ? 0 : Number(await (await this.#match('silent-starts'))?.text()) || 0;
  }

  #at(name: string): string {
    return new URL(`./${name}`, this.#scope).href;
  }

  async #match(name: string): Promise<Response | undefined> {
    return (await caches.open(CACHE)).match(this.#at(name));
  }

  /** Undefined where there is none, or what is there is none. @throws where the cache fails */
  async #read(name: string): Promise<Version | undefined> {
    const kept: unknown = await (await this.#match(name))?.json().catch(() => undefined);
    return isVersion(kept) ? kept : undefined;
  }

  async #write(name: string, text: string): Promise<void> {
    await (await caches.open(CACHE)).put(this.#at(name), new Response(text));
  }
}

const isVersion = (kept: unknown): kept is Version =>
  typeof kept === 'object' && kept !== null && 'parts' in kept && typeof kept.parts === 'object' && kept.parts !== null;

const textOf = (version: Version): string => JSON.stringify(version);
