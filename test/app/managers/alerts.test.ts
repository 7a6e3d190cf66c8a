import { beforeEach, describe, expect, it, vi } from 'vitest';

// The browser's leave to be woken, as far as the page has it: a registration of a service worker that notes its tags.

const tags = new Set<string>();
const periodicSync = {
  register: async (tag: string) => void tags.add(tag),
  unregister: async (tag: string) => void tags.delete(tag),
  getTags: async () => [...tags],
};
const notification = { permission: 'granted', requestPermission: async () => 'granted' };
vi.stubGlobal('self', globalThis);
vi.stubGlobal('window', { Notification: notification });
vi.stubGlobal('Notification', notification);
vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => ({ periodicSync }) } });
const { alerts } = await import('../../../src/app/managers/alerts.svelte.ts');
const { device } = await import('../../../src/app/managers/device.svelte.ts');

beforeEach(async () => {
  await device.setOffline(false);
});

describe('T24 the browser’s waking', () => {
  it('is asked for with the word for alerts, and ends with it', async () => {
    await alerts.turnOn();
    await vi.waitFor(() => expect([[...tags], alerts.woken]).toEqual([['nightjar-look'], true]));
    alerts.turnOff();
    await vi.waitFor(() => expect([[...tags], alerts.woken]).toEqual([[], false]));
  });

  it('ends when this becomes an offline device, and is not asked for on one', async () => {
    await alerts.turnOn();
    await vi.waitFor(() => expect([[...tags], alerts.woken]).toEqual([['nightjar-look'], true]));
    await device.setOffline(true);
    expect([...tags]).toEqual([]);
    const register = vi.spyOn(periodicSync, 'register');
    await alerts.turnOn();
    await vi.waitFor(() => expect(alerts.woken).toBe(false));
    expect([[...tags], register.mock.calls]).toEqual([[], []]);
  });

  it('does not stand in the way of an offline device where the browser has the words for it and nothing behind them', async () => {
    const refuse = async () => Promise.reject(new DOMException('Unknown error.', 'UnknownError'));
    const calls = [vi.spyOn(periodicSync, 'getTags'), vi.spyOn(periodicSync, 'unregister')].map((call) =>
      call.mockImplementation(refuse),
    );
    await expect(device.setOffline(true)).resolves.toBeUndefined();
    for (const call of calls) call.mockRestore();
  });
});
