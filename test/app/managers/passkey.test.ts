import { beforeEach, expect, it, vi } from 'vitest';

// Which wallets a passkey opens, over a storage that others may have written to.

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.resetModules();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});

const manager = async () => (await import('../../../src/app/managers/passkey.svelte.ts')).passkeys;

it('what is kept and is not ours is no passkey, and locks nobody out', async () => {
  for (const [name, text] of [
    ['empty', ''],
    ['json', '{"id":'],
    ['three', 'a b c'],
    ['five', 'a b c d e'],
  ])
    kept.set(`nightjar.passkey.${name}`, text!);
  const passkeys = await manager();
  for (const name of ['none', 'empty', 'json', 'three', 'five', 'constructor', '__proto__', 'toString']) {
    expect(passkeys.has(name), name).toBe(false);
    await expect(passkeys.password(name)).rejects.toMatchObject({ code: 'passkey-stale' });
  }
});

it('four texts that are no base64 are called stale, and forgotten', async () => {
  kept.set('nightjar.passkey.mine', '! ! ! !');
  const passkeys = await manager();
  expect(passkeys.has('mine')).toBe(true);
  await expect(passkeys.password('mine')).rejects.toMatchObject({ code: 'passkey-stale' });
  expect([passkeys.has('mine'), kept.size]).toEqual([false, 0]);
});
