import { beforeAll, describe, expect, it, vi } from 'vitest';

const persist = vi.fn(async () => false);
let storage: typeof import('../../src/app/managers/storage.svelte.ts')['storage'];
let forgetTexts: typeof import('../../src/app/managers/per-wallet-text.svelte.ts')['forgetTexts'];

beforeAll(async () => {
  // A rune is its value where nothing is drawn.
  vi.stubGlobal('$state', (value: unknown) => value);
  vi.stubGlobal('navigator', { storage: { persist, persisted: async () => false } });
  ({ storage } = await import('../../src/app/managers/storage.svelte.ts'));
  ({ forgetTexts } = await import('../../src/app/managers/per-wallet-text.svelte.ts'));
});

describe('T18 eviction: the files of this browser', () => {
  it('the browser is asked to keep them, and its refusal is known', async () => {
    expect(await storage.ask()).toBe(false);
    expect(persist).toHaveBeenCalledOnce();
    expect(storage.persisted).toBe(false);
    persist.mockResolvedValueOnce(true);
    expect(await storage.ask()).toBe(true);
  });

  it('a wallet without a backup is known as that, also when one of its name was saved before', () => {
    expect(storage.daysSinceBackup('mine')).toBeUndefined();
    storage.rememberBackup('mine');
    expect(storage.daysSinceBackup('mine')).toBe(0);
    forgetTexts('mine');
    expect(storage.daysSinceBackup('mine')).toBeUndefined();
  });
});
