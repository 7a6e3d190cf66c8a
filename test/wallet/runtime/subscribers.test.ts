import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WalletView } from '../../../src/wallet/api.ts';
import { Subscribers } from '../../../src/wallet/runtime/subscribers.ts';

describe('subscribers of a wallet', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A wallet whose view is its number and takes so many milliseconds to make. */
  function wallet(cost = 0) {
    const told: { readonly at: number; readonly view: number }[] = [];
    const state = { view: 0 };
    const began = performance.now();
    const subscribers = new Subscribers(() => {
      vi.advanceTimersByTime(cost);
      return state.view as unknown as WalletView;
    });
    const stop = subscribers.add((view) => told.push({ at: performance.now() - began, view: view as unknown as number }));
    const change = () => {
      state.view += 1;
      subscribers.changed();
    };
    return { subscribers, told, stop, change };
  }

  it('are notified of a change at once, together with others of the same turn', () => {
    const { told, change } = wallet();
    change();
    change();
    vi.advanceTimersByTime(0);
    expect(told).toEqual([{ at: 0, view: 2 }]);
    vi.advanceTimersByTime(1_000);
    change();
    vi.advanceTimersByTime(0);
    expect(told.at(-1)).toEqual({ at: 1_000, view: 3 });
  });

  it('are notified of many changes a few times a second, and of the last one', () => {
    const { told, change } = wallet();
    for (let i = 0; i < 1_000; i++) {
      change();
      vi.advanceTimersByTime(1);
    }
    expect(told.length).toBeLessThanOrEqual(1_000 / 50 + 1);
    vi.advanceTimersByTime(50);
    expect(told.at(-1)!.view).toBe(1_000);
  });

  it('are notified less often when views are expensive', () => {
    const { told, change } = wallet(30);
    for (let i = 0; i < 100; i++) {
      change();
      vi.advanceTimersByTime(20);
    }
    const pauses = told.slice(1).map(({ at }, i) => at - told[i]!.at);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(300);
    expect(pauses.length).toBeGreaterThan(2);
  });

  it('T6 are notified without a view if none wants one', () => {
    const view = vi.fn(() => ({}) as WalletView);
    const subscribers = new Subscribers(view);
    const [told, stop] = [vi.fn(), vi.fn()];
    const leave = subscribers.watch(stop);
    subscribers.watch(told);
    vi.advanceTimersByTime(0);
    leave();
    subscribers.changed();
    vi.advanceTimersByTime(1_000);
    expect([told.mock.calls.length, stop.mock.calls.length, view.mock.calls.length]).toEqual([2, 1, 0]);
    subscribers.end();
    subscribers.changed();
    vi.advanceTimersByTime(1_000);
    expect(told).toHaveBeenCalledTimes(2);
  });

  it('are not notified after they unsubscribe, or the wallet closes', () => {
    const one = wallet();
    one.stop();
    one.change();
    const two = wallet();
    two.change();
    two.subscribers.end();
    two.change();
    vi.advanceTimersByTime(1_000);
    expect([one.told, two.told]).toEqual([[], []]);
  });
});
