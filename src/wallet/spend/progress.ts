import type { SpendStage } from '../api.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';
import type { SpendContext } from './context.ts';

/**
 * Reports a stage and yields to the event loop, so that the report is shown and an abort is noticed.
 * @param transaction its number, from 1, and how many there are
 * @throws the signal's reason
 */
export async function reportStage(
  ctx: Pick<SpendContext, 'progress'>,
  stage: SpendStage,
  signal: AbortSignal | undefined,
  transaction: { readonly number: number; readonly of: number } = { number: 1, of: 1 },
): Promise<void> {
  if (ctx.progress !== undefined) {
    ctx.progress({ stage, ...transaction });
    await yieldToEventLoop();
  }
  signal?.throwIfAborted();
}
