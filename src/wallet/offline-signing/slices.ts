import { yieldToEventLoop } from '../yield-to-event-loop.ts';

/** Items processed before yielding to other work on the thread. */
const SLICE = 64;

/** Maps in order, with pauses: a point multiplication for each output would otherwise block the thread for minutes. */
export async function mapInSlices<T, R>(items: readonly T[], work: (item: T, position: number) => R): Promise<R[]> {
  const results: R[] = [];
  for (const [position, item] of items.entries()) {
    if (position > 0 && position % SLICE === 0) await yieldToEventLoop();
    results.push(work(item, position));
  }
  return results;
}
