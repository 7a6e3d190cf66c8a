import { afterEach, expect, it, vi } from 'vitest';
import { vibrate } from '../../src/app/services/vibrate.ts';

afterEach(() => vi.unstubAllGlobals());

function device(reduced: boolean, vibrate?: (pattern: number) => boolean): void {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: reduced && query === '(prefers-reduced-motion: reduce)' }));
  vi.stubGlobal('navigator', vibrate ? { vibrate } : {});
}

it('vibrates where the device can and reduced motion is not asked for, and nowhere else', () => {
  const felt = vi.fn(() => true);
  device(false, felt);
  vibrate();
  expect(felt).toHaveBeenCalledExactlyOnceWith(30);
  device(true, felt);
  vibrate();
  expect(felt).toHaveBeenCalledOnce();
  device(false);
  expect(vibrate).not.toThrow();
});
