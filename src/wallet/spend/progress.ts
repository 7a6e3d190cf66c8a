import type { SpendStage } from '../api.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';
import type { SpendContext } from './context.ts';

/**
 * Says what begins now, if somebody wants to know, and lets the thread turn, so that the words are shown and a wish to stop is heard.
 * @param transaction which one of how many, from 1
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
