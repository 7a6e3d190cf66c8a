import type { CDPSession, Page } from '@playwright/test';
import { asArray, asObject, type JsonValue, parseJson } from '../../src/base/index.ts';
import { median, type Row, row } from '../rows.ts';
import type { BenchDaemon } from '../sync/launch.ts';
import type { OpenPage } from './open.ts';
import { inEachRestore } from './sync.ts';
import { LIVE, whenThere } from './watch.ts';

/**
 * How smoothly a person scrolls while a wallet is restored, with the page's thread at a quarter of its speed: the browser turns a wheel, and its
 * trace says which frames it showed and which it dropped. `responsive` scrolls by a script in the page's thread, which is stricter.
 */

const TRANSACTIONS = 40_000;
const PROCESSES = 3;
const SLOWDOWN = 4;
const FRAMES_A_SECOND = 60;
/** Pixels: Home is longer than this, so that it scrolls. */
const LOW = 420;
/** Pixels, and pixels per second. */
const WAY = 240;
const SPEED = 400;
const BEGINS = 'restore begins';
const ENDS = 'restore ends';
const REPORT = 'PipelineReporter';
const SHOWN = ['STATE_PRESENTED_ALL', 'STATE_PRESENTED_PARTIAL'];
const DROPPED = 'STATE_DROPPED';

type TraceEvent = Readonly<Record<string, JsonValue>>;

/** Turns the wheel down and up until told to stop. */
function scroll(client: CDPSession): { stop(): Promise<void> } {
  let going = true;
  const turning = (async () => {
    for (let down = true; going; down = !down) {
      const turn = { x: 195, y: LOW / 2, yDistance: down ? -WAY : WAY, speed: SPEED, preventFling: true };
      await client.send('Input.synthesizeScrollGesture', { ...turn, gestureSourceType: 'mouse' });
    }
  })();
  return {
    stop: () => {
      going = false;
      return turning;
    },
  };
}

const mark = (page: Page, name: string): Promise<unknown> => page.evaluate((said) => performance.mark(said), name);

const stateOf = ({ args }: TraceEvent): JsonValue | undefined => {
  const { frame_reporter: frame } = asObject(args ?? {});
  return frame === undefined ? undefined : asObject(frame).state;
};

/** Of the frames of a scroll between the two marks, those that were shown, per second. */
function framesIn(trace: string): number {
  const events = asArray(asObject(parseJson(trace)).traceEvents, 'traceEvents') as readonly TraceEvent[];
  const timeOf = (name: string): number => Number(events.find((event) => event.name === name)?.ts);
  const [from, to] = [timeOf(BEGINS), timeOf(ENDS)];
  const states = events
    .filter(({ name, ph, ts }) => name === REPORT && ph === 'b' && Number(ts) >= from && Number(ts) <= to)
    .map(stateOf);
  const shown = states.filter((state) => SHOWN.includes(String(state))).length;
  const dropped = states.filter((state) => state === DROPPED).length;
  if (shown === 0) throw new Error('the trace holds no frame of a scroll');
  return (FRAMES_A_SECOND * shown) / (shown + dropped);
}

async function scrollThroughRestore({ browser, page }: OpenPage, daemon: BenchDaemon): Promise<number> {
  await page.setViewportSize({ width: 390, height: LOW });
  const client = await page.context().newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await browser.startTracing(page, { categories: ['cc', 'benchmark', 'blink.user_timing'] });
  const scrolling = scroll(client);
  await mark(page, BEGINS);
  const live = page.evaluate(whenThere, LIVE);
  await daemon.go();
  await live;
  await mark(page, ENDS);
  await scrolling.stop();
  return framesIn((await browser.stopTracing()).toString('utf8'));
}

/** Its row, median over browsers. */
export async function scrollingRows(transactions = TRANSACTIONS, processes = PROCESSES): Promise<Row[]> {
  const frames = await inEachRestore(transactions, processes, scrollThroughRestore);
  const name = `restore of ${transactions.toLocaleString('en')} transactions at a quarter of the processor: frames shown while a person scrolls`;
  return [row(name, 'Chromium', median(frames), FRAMES_A_SECOND, 'goal', 'frames/s')];
}
