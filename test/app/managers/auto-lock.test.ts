import { afterEach, beforeEach, expect, it, vi } from 'vitest';

// An open wallet that nobody touches, by a clock that the test moves.

const page = { window: new EventTarget(), document: new EventTarget() };
const session = vi.hoisted(() => ({ stage: 'open', lock: vi.fn(async () => undefined) }));
vi.mock('../../../src/app/managers/session.svelte.ts', () => ({ session }));

const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(page, { window: new EventTarget(), document: new EventTarget() });
  vi.stubGlobal('self', globalThis);
  vi.stubGlobal('window', page.window);
  vi.stubGlobal('document', page.document);
  vi.resetModules();
  session.stage = 'open';
  session.lock.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const manager = async () => (await import('../../../src/app/managers/auto-lock.svelte.ts')).autoLock;

it('locks after a quarter of an hour without a touch', async () => {
  await manager();
  vi.advanceTimersByTime(14 * MINUTE);
  page.window.dispatchEvent(new Event('keydown'));
  vi.advanceTimersByTime(14 * MINUTE);
  expect(session.lock).not.toHaveBeenCalled();
  vi.advanceTimersByTime(MINUTE);
  expect(session.lock).toHaveBeenCalled();
});

it('finds out that the device slept before the page is seen again', async () => {
  await manager();
  vi.setSystemTime(Date.now() + 60 * MINUTE);
  page.document.dispatchEvent(new Event('visibilitychange'));
  expect(session.lock).toHaveBeenCalledOnce();
});

it('locks as soon, as late or never as the person chose', async () => {
  const autoLock = await manager();
  autoLock.choose('0');
  vi.advanceTimersByTime(600 * MINUTE);
  expect(session.lock).not.toHaveBeenCalled();
  autoLock.choose('5');
  vi.advanceTimersByTime(MINUTE);
  expect(session.lock).toHaveBeenCalled();
});

it('locks nothing where nothing is open', async () => {
  await manager();
  session.stage = 'closed';
  vi.advanceTimersByTime(20 * MINUTE);
  expect(session.lock).not.toHaveBeenCalled();
});
