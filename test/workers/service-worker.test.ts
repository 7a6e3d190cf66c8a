import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

// The service worker's own file, in a scope that notes what it does. What a browser makes of it is shown by e2e/offline.

type Listener = (event: unknown) => void;
/** Parts that few visits need. */
const LIST = 'assets/later/japanese-1.js';
const KERNELS = ['assets/later/nightjar-fma-1.wasm', 'assets/later/nightjar-ext-1.wasm'];
const LANGUAGE = 'assets/later/texts-de-rest-1.js';
const AT = 'https://page.example/';
const LATER_CACHE = 'nightjar-later';

/** The browser's caches, which outlive a worker. */
let stores: Map<string, Map<string, Response>>;
let fetched: string[];
/** What the server has for a part. */
let answer: (url: string) => Response;
/** What is said to pages. */
let said: unknown[];
const skipWaiting = vi.fn(async () => undefined);

const storeOf = (name: string): Map<string, Response> => {
  const store = stores.get(name) ?? new Map<string, Response>();
  stores.set(name, store);
  return store;
};
const cacheOf = (store: Map<string, Response>) => ({
  match: async (url: string) => store.get(url)?.clone(),
  keys: async () => [...store.keys()].map((url) => ({ url })),
  put: async (url: string, kept: Response) => void store.set(url, kept),
  delete: async (which: string | { readonly url: string }) => store.delete(typeof which === 'string' ? which : which.url),
});
const namesIn = (name: string): string[] => [...storeOf(name).keys()].sort();

/** The library that fetches the first parts; it is the browser tests that run it. */
vi.mock('workbox-precaching', () => ({
  PrecacheController: class {
    readonly strategy = { cacheName: 'first' };
    readonly #keys = new Map<string, string>();
    addToCacheList(entries: readonly { readonly url: string; readonly revision: string | null }[]): void {
      for (const { url, revision } of entries) this.#keys.set(AT + url, AT + url + (revision === null ? '' : `?${revision}`));
    }
    getURLsToCacheKeys = () => this.#keys;
    getIntegrityForCacheKey = () => 'sha256-of-it';
    install = async () => {
      for (const key of this.#keys.values()) storeOf('first').set(key, new Response(key));
    };
  },
}));

const pageAt = (url: string) => ({ url, postMessage: (word: unknown) => said.push([url, word]) });

interface Worker {
  /** Ends with what the worker did for an event. */
  readonly tell: (type: string, event?: object) => Promise<void>;
  /** What the worker answers a request with; undefined where it leaves it to the browser. */
  readonly ask: (url: string, request?: object) => Promise<string | undefined>;
  /** What it answers a message with. */
  readonly message: (data: object) => Promise<unknown>;
}

/** A worker that has just been started by the browser. */
async function start(revision: string, more: readonly string[] = [], early: readonly string[] = []): Promise<Worker> {
  const listeners = new Map<string, Listener>();
  vi.stubGlobal('__APP_VERSION__', revision);
  vi.stubGlobal('self', {
    __WB_MANIFEST: [
      { url: 'index.html', revision },
      ...early.map((url) => ({ url, revision: null })),
      ...[LIST, LANGUAGE, ...KERNELS, ...more].map((url) => ({ url, revision: null })),
    ],
    location: { href: `${AT}service-worker.js` },
    registration: { scope: AT },
    skipWaiting,
    clients: {
      claim: async () => undefined,
      get: async (page: string) => (page === 'opened' ? pageAt(AT) : undefined),
      matchAll: async () => [pageAt(AT), pageAt('https://page.example.org/')],
    },
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
  });
  vi.resetModules();
  await import('../../workers/service-worker.ts');
  /** What the worker does for an event: it may be more in the end than when it has begun. */
  const begin = (type: string, event: object): unknown[] => {
    const work: unknown[] = [];
    listeners.get(type)!({ ports: [], source: null, ...event, waitUntil: (done: unknown) => work.push(done) });
    return work;
  };
  const end = async (work: readonly unknown[]): Promise<void> => {
    for (const done of work) await done;
  };
  const tell: Worker['tell'] = async (type, event = {}) => end(begin(type, event));
  return {
    tell,
    ask: async (url, request = {}) => {
      let response: Promise<Response> | undefined;
      const respondWith = (made: Promise<Response>) => (response = made);
      const asked = { url: AT + url, method: 'GET', mode: 'cors', ...request };
      const work = begin('fetch', { resultingClientId: 'opened', ...request, request: asked, respondWith });
      const text = (await response)?.text();
      await end(work);
      return text;
    },
    message: async (data) => {
      const postMessage = vi.fn();
      await tell('message', { data, ports: [{ postMessage }] });
      return postMessage.mock.calls[0]?.[0];
    },
  };
}

/** One that was installed, and is at work. */
async function atWork(...of: Parameters<typeof start>): Promise<Worker> {
  const worker = await start(...of);
  await worker.tell('install');
  await worker.tell('activate');
  return worker;
}

const navigation = { mode: 'navigate' };
/** What is shown when the page is opened. */
const shownBy = (worker: Worker): Promise<string | undefined> => worker.ask('?title=a', navigation);

beforeEach(() => {
  stores = new Map();
  fetched = [];
  said = [];
  answer = () => new Response('part');
  vi.stubGlobal('caches', { open: async (name: string) => cacheOf(storeOf(name)) });
  vi.stubGlobal('fetch', async (asked: string | { readonly url: string }) => {
    const url = typeof asked === 'string' ? asked : asked.url;
    fetched.push(url);
    return answer(url);
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('T13 update: a new service worker', () => {
  it('shows its own version where it is the first, and offers nothing', async () => {
    const first = await atWork('1');
    expect(await shownBy(first)).toBe(`${AT}index.html?1`);
    expect(await first.message({ type: 'offered' })).toBeUndefined();
  });

  it('waits, and takes over only when it is accepted', async () => {
    skipWaiting.mockClear();
    await atWork('1');
    const second = await start('2');
    await second.tell('install');
    expect(await second.message({ type: 'offered' })).toBe('2');
    expect(skipWaiting).not.toHaveBeenCalled();
    await second.message({ type: 'accept-update', waits: true });
    expect(skipWaiting).toHaveBeenCalledOnce();
    // Until it is at work, what the open pages consist of is left where it is.
    expect(namesIn('first')).toEqual([`${AT}index.html?1`, `${AT}index.html?2`]);
    expect(said).toEqual([]);
    await second.tell('activate');
    expect(await shownBy(second)).toBe(`${AT}index.html?2`);
    expect(namesIn('first')).toEqual([`${AT}index.html?2`]);
  });

  it('tells its name to a page that knows none but a waiting worker, and takes over at its word', async () => {
    skipWaiting.mockClear();
    const second = await start('2');
    await second.tell('install');
    expect(await second.message({ type: 'version' })).toBe('2');
    expect(skipWaiting).not.toHaveBeenCalled();
    await second.message({ type: 'accept-update' });
    expect(skipWaiting).toHaveBeenCalledOnce();
    await second.tell('activate');
    expect(await shownBy(second)).toBe(`${AT}index.html?2`);
  });

  it('goes on showing the version in use, also after it was started anew, and shows its own at the word of acceptance alone', async () => {
    await atWork('1');
    for (const second of [await atWork('2'), await start('2')]) {
      expect(await second.message({ type: 'offered' })).toBe('2');
      expect(await shownBy(second)).toBe(`${AT}index.html?1`);
    }
    const second = await start('2');
    expect(said).toEqual([]);
    await second.message({ type: 'accept-update', waits: false });
    expect(said).toEqual([[AT, { type: 'update' }]]);
    for (const now of [second, await start('2')]) {
      expect(await shownBy(now)).toBe(`${AT}index.html?2`);
      expect(await now.message({ type: 'offered' })).toBeUndefined();
    }
    expect(namesIn('first')).toEqual([`${AT}index.html?2`]);
  });

  it('replaces a waiting one, not the one in use', async () => {
    await atWork('1');
    await atWork('2');
    const third = await atWork('3');
    expect(await shownBy(third)).toBe(`${AT}index.html?1`);
    expect(namesIn('first')).toEqual([`${AT}index.html?1`, `${AT}index.html?3`]);
  });

  it('shows its own when the page was opened three times in a row and did not say that it has started', async () => {
    await atWork('1');
    const second = await atWork('2');
    const starts = async (): Promise<(string | undefined)[]> => [
      await shownBy(second),
      await shownBy(second),
      await shownBy(second),
    ];
    const old = `${AT}index.html?1`;
    expect(await starts()).toEqual([old, old, old]);
    await second.message({ type: 'started' });
    expect(await starts()).toEqual([old, old, old]);
    expect(await shownBy(await start('2'))).toBe(`${AT}index.html?2`);
  });

  it('goes on showing the version in use, however often another site begins to open the page and stops', async () => {
    await atWork('1');
    const second = await atWork('2');
    vi.stubGlobal('setTimeout', queueMicrotask);
    for (let begun = 0; begun < 4; begun++) await second.ask('', { ...navigation, resultingClientId: 'given up' });
    expect(await shownBy(second)).toBe(`${AT}index.html?1`);
    expect(await second.message({ type: 'offered' })).toBe('2');
  });
});

describe('T18 the page opens whatever the caches do', () => {
  it('keeps what a version consists of that is on its way, whatever another one drops meanwhile', async () => {
    await atWork('1');
    const second = await atWork('2');
    const third = await start('3');
    await third.tell('install');
    await second.message({ type: 'accept-update', waits: false });
    expect(namesIn('first')).toEqual([`${AT}index.html?2`, `${AT}index.html?3`]);
    await third.tell('activate');
    expect(await shownBy(third)).toBe(`${AT}index.html?2`);
    await third.message({ type: 'accept-update', waits: false });
    expect(await shownBy(third)).toBe(`${AT}index.html?3`);
  });

  it('serves an open page of the version before with what is still kept of it', async () => {
    const old = 'assets/later/old-1.js';
    const first = await atWork('1', [old]);
    await first.ask(old);
    answer = () => new Response('none', { status: 404 });
    await (await start('2')).message({ type: 'accept-update', waits: true });
    const restarted = await start('1', [old]);
    expect(await restarted.ask(old)).toBe('part');
  });

  it('T18 stores again what the browser dropped of it, and nothing from the server of another build', async () => {
    const first = 'assets/first-1.js';
    const worker = await atWork('1', [], [first]);
    const whole = namesIn('first');
    expect(whole).toEqual([AT + first, `${AT}index.html?1`]);
    await worker.message({ type: 'keep-all' });
    for (const name of ['first', LATER_CACHE])
      for (const key of namesIn(name)) if (!key.endsWith('complete')) storeOf(name).delete(key);
    answer = (url) => (url === `${AT}index.html` ? new Response('another', { status: 404 }) : new Response('part'));
    expect(await shownBy(worker)).toBe('part');
    expect(namesIn('first').filter((key) => key.includes('index.html'))).toEqual([]);
    answer = () => new Response('part');
    expect(await worker.ask(first)).toBe('part');
    expect(namesIn('first')).toEqual(whole);
    expect(namesIn(LATER_CACHE)).toContain(AT + LIST);
  });

  it('T18 shows the version that is whole where the document of the one in use was dropped, and goes on offering it', async () => {
    await atWork('1');
    const second = await atWork('2');
    storeOf('first').delete(`${AT}index.html?1`);
    answer = () => Response.error();
    expect(await shownBy(second)).toBe(`${AT}index.html?2`);
    expect(await second.message({ type: 'offered' })).toBe('2');
  });

  it('answers from its server where the cache can be neither read nor written', async () => {
    const worker = await atWork('1');
    answer = (url) => new Response(`of the server: ${url}`);
    vi.stubGlobal('caches', { open: async () => Promise.reject(new DOMException('full', 'QuotaExceededError')) });
    expect(await (await start('1')).ask('', navigation)).toBe(`of the server: ${AT}`);
    for (const part of ['assets/first-1.js', LIST]) expect(await worker.ask(part)).toBe(`of the server: ${AT}${part}`);
    expect(await worker.message({ type: 'accept-update', waits: false })).toBe('failed');
  });

  it.each(['{', '5', '{"parts":null}'])('takes a record of %s for none', async (text) => {
    await atWork('1');
    storeOf('nightjar-version').set(`${AT}accepted-version`, new Response(text));
    expect(await shownBy(await start('1'))).toBe(`${AT}index.html?1`);
  });
});

describe('a part that few visits need', () => {
  it('is not among what is kept at once, and comes when it is asked for', async () => {
    const worker = await atWork('1');
    expect(namesIn('first')).toEqual([`${AT}index.html?1`]);
    fetched = [];
    expect(await worker.ask(LIST)).toBe('part');
    expect([fetched, storeOf(LATER_CACHE).has(AT + LIST)]).toEqual([[AT + LIST], true]);
    await worker.ask(LIST);
    expect(fetched).toHaveLength(1);
  });

  it('is asked of the server where it is no part, and is left to the browser where it is a question', async () => {
    const worker = await atWork('1');
    expect(await worker.ask('assets/unknown-1.js')).toBe('part');
    expect(storeOf(LATER_CACHE).has(`${AT}assets/unknown-1.js`)).toBe(false);
    expect(await worker.ask('nightjar.json')).toBeUndefined();
    expect(await worker.ask('', { ...navigation, method: 'POST' })).toBeUndefined();
  });

  it('is kept whole at the page’s word, but for languages nobody spoke; a new version keeps as much', async () => {
    const gone = 'assets/later/gone-0.js';
    const german = 'assets/later/texts-de-rest-0.js';
    const first = await atWork('0', [gone, german]);
    expect(await first.message({ type: 'keep-all' })).toBe(true);
    expect(storeOf(LATER_CACHE).has(AT + german)).toBe(false);
    await first.message({ type: 'keep', urls: [AT + german, 'https://elsewhere.example/x.js'] });
    expect(storeOf(LATER_CACHE).has('https://elsewhere.example/x.js')).toBe(false);
    const second = await atWork('1');
    const complete = 'assets/later/complete';
    const its = [complete, LIST, LANGUAGE, ...KERNELS].map((url) => AT + url);
    expect(namesIn(LATER_CACHE)).toEqual([...its, AT + gone, AT + german].sort());
    expect(await second.ask(gone)).toBe('part');
    await second.message({ type: 'accept-update', waits: false });
    expect(namesIn(LATER_CACHE)).toEqual(its.sort());
  });

  it('T18 is not said to be here where the browser has no room for it, and is given to the page all the same', async () => {
    const worker = await atWork('1');
    const room = (name: string) => async (url: string, kept: Response) => {
      if (name === LATER_CACHE && !url.endsWith('complete')) throw new DOMException('full', 'QuotaExceededError');
      storeOf(name).set(url, kept);
    };
    vi.stubGlobal('caches', { open: async (name: string) => ({ ...cacheOf(storeOf(name)), put: room(name) }) });
    expect(await worker.message({ type: 'keep-all' })).toBe(false);
    expect(await worker.ask(LIST)).toBe('part');
    storeOf(LATER_CACHE).clear();
    await expect((await start('2')).tell('install')).rejects.toThrow('full');
  });

  it.each([
    ['404', () => new Response('none', { status: 404 })],
    ['its page', () => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html; charset=utf-8' } })],
    ['a way elsewhere', () => Object.defineProperty(new Response('part'), 'redirected', { value: true })],
  ])('is not kept where the server answers %s, and a version whose kernel it lacks is not installed', async (_, bad) => {
    const worker = await atWork('1');
    storeOf(LATER_CACHE).clear();
    answer = bad;
    await expect((await start('2')).tell('install')).rejects.toThrow('expected a part of the page');
    await worker.ask(LIST);
    expect(namesIn(LATER_CACHE)).toEqual([]);
    answer = () => new Response('part');
    // What an earlier version kept of such answers is fetched anew.
    const kept = bad();
    kept.clone = () => bad();
    storeOf(LATER_CACHE).set(AT + LIST, kept);
    await worker.message({ type: 'keep-all' });
    expect(
      await storeOf(LATER_CACHE)
        .get(AT + LIST)!
        .text(),
    ).toBe('part');
  });
});
