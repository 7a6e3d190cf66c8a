import { asArray, asObject, asText, type JsonValue, parseJson } from '../../src/base/index.ts';
import { median, type Row, row } from '../rows.ts';
import type { BenchDaemon } from '../sync/launch.ts';
import type { OpenPage } from './open.ts';
import { inEachRestore } from './sync.ts';
import { LIVE, whenThere } from './watch.ts';

/**
 * The longest task of the page's main thread during a whole sync, from the browser's own trace: in wall time, which includes other work on the
 * machine, and in processor time, of which a phone four times as slow takes four times as much.
 */

const TRANSACTIONS = 20_000;
const PROCESSES = 3;
const GOAL_MILLISECONDS = 50;
const SLOWDOWN = 4;
const MAIN_THREAD = 'CrRendererMain';

type TraceEvent = Readonly<Record<string, JsonValue>>;

const idOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;

interface Longest {
  /** Milliseconds of wall time. */
  readonly wall: number;
  /** Milliseconds of processor time. */
  readonly cpu: number;
}

/** The longest task of pages' main threads, by either measure. @throws Error if the trace has none */
function longestTask(trace: string): Longest {
  const events = asArray(asObject(parseJson(trace)).traceEvents, 'traceEvents') as readonly TraceEvent[];
  const mainThreads = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && asText(asObject(args).name, 'name') === MAIN_THREAD).map(idOf),
  );
  const tasks = events.filter((event) => /RunTask$/.test(String(event.name)) && event.ph === 'X' && mainThreads.has(idOf(event)));
  if (tasks.length === 0) throw new Error('the trace holds no task of a main thread');
  const longest = (field: 'dur' | 'tdur'): number => Math.max(...tasks.map((task) => Number(task[field] ?? 0))) / 1000;
  return { wall: longest('dur'), cpu: longest('tdur') };
}

async function longestOfRestore({ browser, page }: OpenPage, daemon: BenchDaemon): Promise<Longest> {
  const live = page.evaluate(whenThere, LIVE);
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  await daemon.go();
  await live;
  return longestTask((await browser.stopTracing()).toString('utf8'));
}

/** Its rows, medians over browsers. */
export async function longTaskRows(processes = PROCESSES): Promise<Row[]> {
  const longest = await inEachRestore(TRANSACTIONS, processes, longestOfRestore);
  const middle = (of: keyof Longest): number => median(longest.map((one) => one[of]));
  return [
    row('longest main-thread task while syncing', 'Chromium', middle('wall'), GOAL_MILLISECONDS, 'goal', 'ms'),
    row(
      'longest main-thread task while syncing, processor’s time',
      'Chromium',
      middle('cpu'),
      GOAL_MILLISECONDS / SLOWDOWN,
      'goal at a quarter of the processor',
      'ms',
    ),
  ];
}
