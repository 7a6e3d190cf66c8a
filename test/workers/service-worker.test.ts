import { beforeAll, describe, expect, it, vi } from 'vitest';

// The service worker's own file, in a scope that notes what it does. What the browser makes of it is shown by e2e/offline.

type Listener = (event: unknown) => void;
const listeners = new Map<string, Listener>();
const skipWaiting = vi.fn(async () => undefined);

vi.mock('workbox-precaching', () => ({ precacheAndRoute: vi.fn(), cleanupOutdatedCaches: vi.fn() }));

beforeAll(async () => {
  vi.stubGlobal('__APP_VERSION__', '9.9.9');
  vi.stubGlobal('self', {
    __WB_MANIFEST: [],
    skipWaiting,
    clients: { claim: async () => undefined },
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
  });
  await import('../../workers/service-worker.ts');
});

describe('T13 update: a new service worker', () => {
  it('waits when it is installed and when it is asked its version, and takes over at the word of acceptance alone', () => {
    listeners.get('install')!({});
    const port = { postMessage: vi.fn() };
    listeners.get('message')!({ data: { type: 'version' }, ports: [port] });
    expect(port.postMessage).toHaveBeenCalledWith('9.9.9');
    expect(skipWaiting).not.toHaveBeenCalled();
    listeners.get('message')!({ data: { type: 'accept-update' }, ports: [] });
    expect(skipWaiting).toHaveBeenCalledOnce();
  });
});
