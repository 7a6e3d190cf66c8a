import { beforeEach, expect, it, vi } from 'vitest';
import { pins } from '../../../src/app/managers/pin.svelte.ts';
import { openWithPin, sealBehindPin } from '../../../src/app/services/pin.ts';

// The store is a browser's, of which Node has none: this one answers in its order, and no more.
const records = new Map<string, unknown>();

vi.mock('idb', () => ({
  openDB: async () => ({ transaction: () => ({ store, done: Promise.resolve() }), close: () => undefined }),
}));

const store = {
  get: async (key: string) => records.get(key),
  getKey: async (key: string) => (records.has(key) ? key : undefined),
  put: async (value: unknown, key: string) => void records.set(key, value),
  delete: async (key: string) => void records.delete(key),
};

const stretch = async (pin: string) => new TextEncoder().encode(pin.padEnd(32));

beforeEach(() => records.clear());

it('T18 what a PIN sealed is deleted also where the browser has forgotten that there is a PIN', async () => {
  await sealBehindPin('mine', '480215', 'correct horse', stretch);
  expect(pins.has('mine'), 'no marker').toBe(false);
  await pins.forget('mine');
  expect([...records.keys()]).toEqual([]);
});

it('a PIN is known by its record where a killed browser had not written down yet that there is one, or none any more', async () => {
  await sealBehindPin('mine', '480215', 'correct horse', stretch);
  await pins.look('mine');
  expect(pins.has('mine')).toBe(true);
  records.clear();
  await pins.look('mine');
  expect(pins.has('mine')).toBe(false);
});

it('T18 a PIN that is removed or made anew while it opens the wallet stays so, and is whole otherwise', async () => {
  await sealBehindPin('mine', '480215', 'correct horse', stretch);
  await expect(openWithPin('mine', '480216', stretch)).rejects.toMatchObject({ code: 'pin-wrong', tries: 4 });
  expect(await openWithPin('mine', '480215', stretch)).toBe('correct horse');
  expect(records.get('mine')).toMatchObject({ tries: 5 });

  const meanwhile = (work: () => Promise<void>) => async (pin: string) => {
    await work();
    return stretch(pin);
  };
  const anew = () => sealBehindPin('mine', '730918', 'battery staple', stretch);
  expect(await openWithPin('mine', '480215', meanwhile(anew))).toBe('correct horse');
  expect(await openWithPin('mine', '730918', stretch)).toBe('battery staple');
  const removed = () => pins.forget('mine');
  expect(await openWithPin('mine', '730918', meanwhile(removed))).toBe('battery staple');
  expect([...records.keys()]).toEqual([]);
});
