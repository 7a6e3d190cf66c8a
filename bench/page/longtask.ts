import { startSite } from '../../e2e/support/serve.ts';
import { asArray, asObject, asText, type JsonValue, parseJson } from '../../src/base/index.ts';
import { loadCrypto } from '../../src/crypto/index.ts';
import { median, type Row, row } from '../rows.ts';
import { mixedChain } from '../sync/compare.ts';
import { startBenchDaemon } from '../sync/launch.ts';
import { readyToSync } from './sync.ts';
import { LIVE, whenThere } from './watch.ts';

/** The longest task of the page's main thread during a whole sync, from the browser's own trace. */

const TRANSACTIONS = 20_000;
const PROCESSES = 3;
const GOAL_MILLISECONDS = 50;
const MAIN_THREAD = 'CrRendererMain';

type TraceEvent = Readonly<Record<string, JsonValue>>;

const idOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;

/** Milliseconds of the longest task of the main threads of pages. @throws Error when the trace has none */
function longestTask(trace: string): number {
  const events = asArray(asObject(parseJson(trace)).traceEvents, 'traceEvents') as readonly TraceEvent[];
  const mainThreads = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && asText(asObject(args).name, 'name') === MAIN_THREAD).map(idOf),
  );
  const tasks = events.filter((event) => /RunTask$/.test(String(event.name)) && event.ph === 'X' && mainThreads.has(idOf(event)));
  if (tasks.length === 0) throw new Error('the trace holds no task of a main thread');
  return tasks.reduce((longest, { dur }) => Math.max(longest, Number(dur ?? 0)), 0) / 1000;
}

/** The row for it, median over browsers. */
export async function longTaskRows(processes = PROCESSES): Promise<Row[]> {
  await loadCrypto();
  const daemon = await startBenchDaemon(mixedChain(TRANSACTIONS));
  const site = await startSite(['--port', '0', '--daemon', daemon.url]);
  const longest: number[] = [];
  try {
    for (let i = 0; i < processes; i++) {
      const opened = await readyToSync(site.url, daemon, 1);
      try {
        const live = opened.page.evaluate(whenThere, LIVE);
        await opened.browser.startTracing(opened.page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
        await daemon.go();
        await live;
        longest.push(longestTask((await opened.browser.stopTracing()).toString('utf8')));
      } finally {
        await opened.close();
      }
    }
  } finally {
    await site.stop();
    await daemon.stop();
  }
  return [row('longest main-thread task while syncing', 'Chromium', median(longest), GOAL_MILLISECONDS, 'goal', 'ms')];
}
