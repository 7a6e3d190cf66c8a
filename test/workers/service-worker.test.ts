import { beforeAll, describe, expect, it, vi } from 'vitest';

// The service worker's own file, in a scope that notes what it does. What the browser makes of it is shown by e2e/offline.

type Listener = (event: unknown) => void;
const listeners = new Map<string, Listener>();
/** Parts that few visits need. */
const LIST = 'assets/later/japanese-1.js';
const KERNELS = ['assets/later/nightjar-fma-1.wasm', 'assets/later/nightjar-ext-1.wasm'];
const LANGUAGE = 'assets/later/texts-de-rest-1.js';
const AT = 'https://page.example/';
const kept = new Map<string, unknown>();
const fetched: string[] = [];
/** What the server has for a part. */
let answer: () => Response = () => new Response('part');
const skipWaiting = vi.fn(async () => undefined);

vi.mock('workbox-precaching', () => ({ precacheAndRoute: vi.fn(), cleanupOutdatedCaches: vi.fn() }));

beforeAll(async () => {
  vi.stubGlobal('__APP_VERSION__', '9.9.9');
  vi.stubGlobal('self', {
    __WB_MANIFEST: ['index.html', LIST, LANGUAGE, ...KERNELS].map((url) => ({ url, revision: null })),
    location: { href: 'https://page.example/service-worker.js' },
    skipWaiting,
    clients: { claim: async () => undefined },
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
  });
  const cache = {
    match: async (url: string) => kept.get(url),
    keys: async () => [...kept.keys()].map((url) => ({ url })),
    put: async (url: string, answer: unknown) => void kept.set(url, answer),
    delete: async ({ url }: { url: string }) => kept.delete(url),
  };
  vi.stubGlobal('caches', { open: async () => cache });
  vi.stubGlobal('fetch', async (url: string) => {
    fetched.push(url);
    return answer();
  });
  await import('../../workers/service-worker.ts');
});

describe('T13 update: a new service worker', () => {
  it('waits when it is installed and when it is asked its version, and takes over at the word of acceptance alone', () => {
    listeners.get('install')!({ waitUntil: () => undefined });
    const port = { postMessage: vi.fn() };
    listeners.get('message')!({ data: { type: 'version' }, ports: [port] });
    expect(port.postMessage).toHaveBeenCalledWith('9.9.9');
    expect(skipWaiting).not.toHaveBeenCalled();
    listeners.get('message')!({ data: { type: 'accept-update' }, ports: [] });
    expect(skipWaiting).toHaveBeenCalledOnce();
  });
});

describe('what few visits need', () => {
  const waitFor = async (type: string, event: object): Promise<void> => {
    let work: Promise<unknown> = Promise.resolve();
    listeners.get(type)!({ ports: [], ...event, waitUntil: (done: Promise<unknown>) => (work = done) });
    await work;
  };

  it('is not among what is kept at once, and comes when it is asked for', async () => {
    kept.clear();
    fetched.length = 0;
    const { precacheAndRoute } = await import('workbox-precaching');
    expect(vi.mocked(precacheAndRoute).mock.calls[0]?.[0]).toEqual([{ url: 'index.html', revision: null }]);
    const respondWith = vi.fn();
    listeners.get('fetch')!({ request: { url: `${AT}index.html` }, respondWith });
    expect(respondWith).not.toHaveBeenCalled();
    listeners.get('fetch')!({ request: { url: AT + LIST }, respondWith });
    await respondWith.mock.calls[0]?.[0];
    expect([fetched, [...kept.keys()]]).toEqual([[AT + LIST], [AT + LIST]]);
  });

  it('is kept whole at the page’s word, but for languages nobody spoke; a new version keeps as much and drops the rest', async () => {
    kept.clear();
    kept.set(`${AT}assets/later/old-1.js`, new Response('old'));
    kept.set(`${AT}assets/later/texts-de-rest-0.js`, new Response('old'));
    const port = { postMessage: vi.fn() };
    await waitFor('message', { data: { type: 'keep-all' }, ports: [port] });
    expect(port.postMessage).toHaveBeenCalledWith(true);
    expect(kept.has(AT + LANGUAGE)).toBe(false);
    await waitFor('install', {});
    await waitFor('activate', {});
    const all = [LIST, LANGUAGE, ...KERNELS].map((url) => AT + url);
    expect([...kept.keys()].sort()).toEqual([`${AT}assets/later/complete`, ...all].sort());
    kept.clear();
    await waitFor('message', { data: { type: 'keep', urls: [AT + LANGUAGE, 'https://elsewhere.example/x.js'] } });
    expect([kept.has(AT + LANGUAGE), kept.has('https://elsewhere.example/x.js')]).toEqual([true, false]);
  });

  it.each([
    ['404', () => new Response('none', { status: 404 })],
    ['its page', () => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html; charset=utf-8' } })],
    ['a way elsewhere', () => Object.defineProperty(new Response('part'), 'redirected', { value: true })],
  ])('is not kept where the server answers %s, and a version whose kernel it lacks is not installed', async (_, bad) => {
    kept.clear();
    answer = bad;
    try {
      await expect(waitFor('install', {})).rejects.toThrow('expected a part of the page');
      const respondWith = vi.fn();
      listeners.get('fetch')!({ request: { url: AT + LIST }, respondWith });
      await respondWith.mock.calls[0]?.[0];
      expect([...kept.keys()]).toEqual([]);
    } finally {
      answer = () => new Response('part');
    }
    // What an earlier version kept of such answers is fetched anew.
    kept.set(AT + LIST, bad());
    await waitFor('message', { data: { type: 'keep-all' } });
    expect(await (kept.get(AT + LIST) as Response).text()).toBe('part');
  });
});
