import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  afterPaint,
  nextTask,
  replaceInFrames,
  takeLatestAfterFrame,
  whenIdle,
} from '../../src/app/services/frame-scheduling.ts';

// Frames and idle moments come when the test says so, and each look at the clock takes so long as it says.

type Work = (() => void) | undefined;
let waiting: Work[] = [];

const ask = (work: () => void): number => waiting.push(work);
const callOff = (asked: number): void => {
  waiting[asked - 1] = undefined;
};
/** What waits is done, with the task behind it; what it asks for waits anew. */
async function frame(): Promise<void> {
  const now = waiting;
  waiting = [];
  for (const work of now) work?.();
  await nextTask();
}
function aLookTakes(milliseconds: number): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += milliseconds;
    return now;
  });
}

beforeEach(() => {
  waiting = [];
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('requestAnimationFrame', ask);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('works after the next frame, and without one in a page out of sight', async () => {
  const done: string[] = [];
  vi.stubGlobal('document', { hidden: false });
  afterPaint(() => done.push('seen'));
  await nextTask();
  expect(done).toEqual([]);
  await frame();
  expect(done).toEqual(['seen']);
  vi.stubGlobal('document', { hidden: true });
  await new Promise<void>((resolve) => {
    afterPaint(resolve);
  });
  expect(waiting).toEqual([]);
});

it('takes over one line a frame where a line takes long, and all of them where it does not', async () => {
  for (const [milliseconds, expected] of [
    [10, ['dbc', 'dec', 'def']],
    [0, ['def', 'def', 'def']],
  ] as const) {
    aLookTakes(milliseconds);
    let shown = '';
    replaceInFrames([...'abc'], [...'def'], (list) => (shown = list.join('')));
    expect(shown, 'nothing is drawn in the task that asks').toBe('');
    for (const after of expected) {
      await frame();
      expect(shown).toBe(after);
    }
    expect(waiting, 'nothing goes on when all are there').toEqual([]);
  }
});

it('grows, shrinks to what is wanted with its first frame, and stops where it is', async () => {
  aLookTakes(10);
  const seen: string[] = [];
  const put = (list: readonly string[]): unknown => seen.push(list.join(''));
  for (const [from, to] of [
    ['', 'ab'],
    ['abcd', 'xy'],
    ['abc', ''],
  ] as const) {
    replaceInFrames([...from], [...to], put);
    await frame();
    await frame();
  }
  expect(seen).toEqual(['a', 'ab', 'xb', 'xy', '']);
  const stop = replaceInFrames([...'abc'], [...'xyz'], put);
  await frame();
  stop();
  await frame();
  expect(seen.slice(5)).toEqual(['xbc']);
  aLookTakes(0);
  const stopAtOnce = replaceInFrames([...'abc'], [...'xyz'], (list) => {
    put(list);
    if (list[1] === 'y') stopAtOnce();
  });
  await frame();
  await frame();
  expect(seen.slice(6), 'also when drawing a line is what stops it').toEqual(['xbc', 'xyc']);
});

it('does what is not urgent in an idle moment, or soon where the browser tells of none, unless it is called off', async () => {
  const done: string[] = [];
  vi.stubGlobal('requestIdleCallback', ask);
  vi.stubGlobal('cancelIdleCallback', callOff);
  whenIdle(() => done.push('idle'), 1000);
  whenIdle(() => done.push('never'), 1000)();
  expect(done).toEqual([]);
  await frame();
  expect(done).toEqual(['idle']);
  vi.unstubAllGlobals();
  vi.stubGlobal('window', {});
  vi.useFakeTimers();
  try {
    whenIdle(() => done.push('soon'), 1000);
    whenIdle(() => done.push('never'), 1000)();
    vi.advanceTimersByTime(99);
    expect(done).toEqual(['idle']);
    vi.advanceTimersByTime(1);
    expect(done).toEqual(['idle', 'soon']);
  } finally {
    vi.useRealTimers();
  }
});

it('lets what waits have its turn before the next task', async () => {
  const order: string[] = [];
  const next = nextTask().then(() => order.push('next'));
  queueMicrotask(() => order.push('this'));
  order.push('now');
  await next;
  expect(order).toEqual(['now', 'this', 'next']);
});

it('takes what comes behind the next frame, the last of it once, and at once where no frame is drawn', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const page = { hidden: false };
  vi.stubGlobal('document', page);
  const taken: number[] = [];
  const give = takeLatestAfterFrame((value: number) => taken.push(value));
  give(1);
  give(2);
  expect(taken, 'nothing is taken in the task in which it comes').toEqual([]);
  await frame();
  vi.runAllTimers();
  expect(taken).toEqual([2]);
  give(3);
  page.hidden = true;
  vi.runAllTimers();
  expect(taken, 'a page that is hidden meanwhile is told all the same').toEqual([2, 3]);
  give(4);
  expect(taken).toEqual([2, 3, 4]);
  await frame();
  vi.useRealTimers();
  expect(taken).toEqual([2, 3, 4]);
});
