import { expect, it, vi } from 'vitest';

it('T5 that there is no second node is said beside a young payment alone; what one says is said beside every payment', async () => {
  vi.stubGlobal('self', globalThis);
  const { secondDaemonSays } = await import('../../src/app/services/second-daemon.ts');
  const young = { height: 100, confirmations: 9 };
  const deep = { height: 100, confirmations: 10 };
  expect([secondDaemonSays(young, undefined), secondDaemonSays(deep, undefined)]).toEqual(['none', undefined]);
  const view = { url: 'https://second.example', verdict: 'agree', height: 120, agreedTo: 120, at: 0, error: undefined } as const;
  expect(secondDaemonSays(deep, view)).toBe('agree');
  expect(secondDaemonSays(deep, { ...view, agreedTo: 99 })).toBe('disagree');
  expect(secondDaemonSays(deep, { ...view, height: 99 })).toBe('not-compared');
});
