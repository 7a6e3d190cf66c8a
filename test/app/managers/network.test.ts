import { expect, it, vi } from 'vitest';

it('follows what the device says of its connection', async () => {
  const page = new EventTarget();
  vi.stubGlobal('window', page);
  vi.stubGlobal('navigator', { onLine: false });
  try {
    const { network } = await import('../../../src/app/managers/network.svelte.ts');
    expect(network.online).toBe(false);
    page.dispatchEvent(new Event('online'));
    expect(network.online).toBe(true);
    page.dispatchEvent(new Event('offline'));
    expect(network.online).toBe(false);
  } finally {
    vi.unstubAllGlobals();
  }
});
