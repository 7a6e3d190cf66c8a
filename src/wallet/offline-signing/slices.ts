import { yieldToEventLoop } from '../yield-to-event-loop.ts';

/** Items done before other work on the thread gets its turn. */
const SLICE = 64;

/** Maps in order, with pauses: what costs a point multiplication an output would else hold the thread for minutes. */
export async function mapInSlices<T, R>(items: readonly T[], work: (item: T, position: number) => R): Promise<R[]> {
  const results: R[] = [];
  for (const [position, item] of items.entries()) {
    if (position > 0 && position % SLICE === 0) await yieldToEventLoop();
    results.push(work(item, position));
  }
  return results;
}
