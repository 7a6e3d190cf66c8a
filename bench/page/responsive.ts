import type { CDPSession, Page } from '@playwright/test';
import { median, type Row, row } from '../rows.ts';
import type { BenchDaemon } from '../sync/launch.ts';
import { collectGarbage, type OpenPage } from './open.ts';
import { inEachRestore, readyToSync } from './sync.ts';
import { LIVE, whenThere } from './watch.ts';

/**
 * The page's responsiveness while a wallet is restored, on a phone's processor: the page's thread at a quarter of this one's speed, scrolling all
 * the while. Measures the longest task, the frame rate, and the growth of the page's heap at the end. The machine's share in dropped frames is
 * measured with the same page after its restore, while another browser restores.
 */

const TRANSACTIONS = 40_000;
const PROCESSES = 3;
const SLOWDOWN = 4;
const GOAL_MILLISECONDS = 50;
const IDLE_MS = 5_000;
/** Shorter than a restore. */
const BESIDE_MS = 4_000;
const GOAL_FRAMES = 60;
/** After the restore: the entries it found and the balance chart are drawn then. */
const DRAWING_MS = 1_000;
/** Pixels: Home is longer than this, so that it scrolls. */
const LOW = 420;
const MEGABYTE = 2 ** 20;

interface Felt {
  /** Milliseconds; tasks of less than 50 ms are not reported. */
  readonly longest: number;
  readonly frames: number;
  /** The same for the following second, in which the entries are drawn. */
  readonly drawingFrames: number;
  /** The same before the restore begins: what this machine can draw at that speed. */
  readonly idleFrames: number;
  /** The same after it, while another browser restores. */
  readonly besideFrames: number;
  readonly heap: number;
}

/**
 * Runs in the page: scrolls up and down, a little each frame, until an element exists, or for some milliseconds.
 * @param ends of the measured periods, one after the other without a pause
 * @returns the longest task of all, and the frames per second of each
 */
function scrollUntil(ends: readonly (string | number)[]): Promise<{ longest: number; frames: number[] }> {
  const tasks: number[] = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: 'longtask' });
  return new Promise((resolve) => {
    const frames: number[] = [];
    let began = performance.now();
    let drawn = 0;
    let step = 8;
    const goesOn = (end: string | number): boolean =>
      typeof end === 'string' ? document.querySelector(end) === null : performance.now() < began + end;
    const frame = (): void => {
      const before = scrollY;
      scrollBy(0, step);
      if (scrollY === before) step = -step;
      drawn += 1;
      if (!goesOn(ends[frames.length]!)) {
        frames.push((1000 * drawn) / (performance.now() - began));
        began = performance.now();
        drawn = 0;
      }
      if (frames.length < ends.length) {
        requestAnimationFrame(frame);
        return;
      }
      tasks.push(...observer.takeRecords().map(({ duration }) => duration));
      resolve({ longest: Math.max(0, ...tasks), frames });
    };
    requestAnimationFrame(frame);
  });
}

async function heapOf(page: Page, client: CDPSession): Promise<number> {
  await collectGarbage(page);
  const { usedSize } = await client.send('Runtime.getHeapUsage');
  return usedSize / MEGABYTE;
}

/** Frame rate of a page that is done, while another browser restores. */
async function framesBeside(page: Page, site: string, daemon: BenchDaemon): Promise<number> {
  const other = await readyToSync(site, daemon, 1);
  try {
    const done = other.page.evaluate(whenThere, LIVE);
    await daemon.go();
    const { frames } = await page.evaluate(scrollUntil, [BESIDE_MS]);
    await done;
    return frames[0]!;
  } finally {
    await other.close();
  }
}

async function feltOfRestore({ page }: OpenPage, daemon: BenchDaemon, site: string): Promise<Felt> {
  await page.setViewportSize({ width: 390, height: LOW });
  const client = await page.context().newCDPSession(page);
  const slowed = (rate: number): Promise<unknown> => client.send('Emulation.setCPUThrottlingRate', { rate });
  const before = await heapOf(page, client);
  await slowed(SLOWDOWN);
  const idle = await page.evaluate(scrollUntil, [IDLE_MS]);
  const scrolled = page.evaluate(scrollUntil, [LIVE, DRAWING_MS]);
  await daemon.go();
  const { longest, frames } = await scrolled;
  await slowed(1);
  await page.evaluate(whenThere, LIVE);
  const heap = (await heapOf(page, client)) - before;
  await slowed(SLOWDOWN);
  const besideFrames = await framesBeside(page, site, daemon);
  return { longest, frames: frames[0]!, drawingFrames: frames[1]!, idleFrames: idle.frames[0]!, besideFrames, heap };
}

/** Its rows, medians over browsers. */
export async function responsiveRows(transactions = TRANSACTIONS, processes = PROCESSES): Promise<Row[]> {
  const felt = await inEachRestore(transactions, processes, feltOfRestore);
  const middle = (of: keyof Felt): number => median(felt.map((one) => one[of]));
  const title = `restore of ${transactions.toLocaleString('en')} transactions at a quarter of the processor`;
  return [
    row(`${title}: longest task of 50 ms or more, 0 for none`, 'Chromium', middle('longest'), GOAL_MILLISECONDS, 'goal', 'ms'),
    row(`${title}: frames drawn while scrolling`, 'Chromium', middle('frames'), GOAL_FRAMES, 'goal', 'frames/s'),
    row(
      `${title}: frames drawn while scrolling in the second that follows`,
      'Chromium',
      middle('drawingFrames'),
      GOAL_FRAMES,
      'goal',
      'frames/s',
    ),
    row(
      `${title}: frames drawn while scrolling before it begins`,
      'Chromium',
      middle('idleFrames'),
      GOAL_FRAMES,
      'goal',
      'frames/s',
    ),
    row(
      `${title}: frames drawn while scrolling when it is done and another browser restores`,
      'Chromium',
      middle('besideFrames'),
      GOAL_FRAMES,
      'goal',
      'frames/s',
    ),
    row(`${title}: what the page’s heap has grown by`, 'Chromium', middle('heap'), undefined, '', 'MB'),
  ];
}
