import { expect } from 'vitest';
import type { Comparable } from './rpc-both.ts';
import { callOver } from './rpc-wire.ts';

/** Where our service and the reference's listen, in this order. */
type Urls = readonly [ours: string, theirs: string];

/** Asks two running services the same: ours first, then the reference's. */
export function besideEachOther(urls: () => Urls) {
  async function both(method: string, params: object = {}): Promise<readonly [Comparable, Comparable]> {
    const [ours, theirs] = urls();
    return [await callOver(ours, method, params), await callOver(theirs, method, params)];
  }

  /** Both answer alike. Returns the answer. */
  async function alike(method: string, params: object = {}): Promise<Comparable> {
    const [ours, theirs] = await both(method, params);
    expect(ours, method).toEqual(theirs);
    return ours;
  }

  return { both, alike };
}
