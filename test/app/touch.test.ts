import { afterEach, expect, it, vi } from 'vitest';
import { touch } from '../../src/app/services/touch.ts';

afterEach(() => vi.unstubAllGlobals());

function device(reduced: boolean, vibrate?: (pattern: number) => boolean): void {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: reduced && query === '(prefers-reduced-motion: reduce)' }));
  vi.stubGlobal('navigator', vibrate ? { vibrate } : {});
}

it('a hand feels that something is done where the device can and motion is wanted, and nowhere else', () => {
  const felt = vi.fn(() => true);
  device(false, felt);
  touch();
  expect(felt).toHaveBeenCalledExactlyOnceWith(30);
  device(true, felt);
  touch();
  expect(felt).toHaveBeenCalledOnce();
  device(false);
  expect(touch).not.toThrow();
});
