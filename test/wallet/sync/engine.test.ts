import { expect, it } from 'vitest';
import type { SyncContext, SyncDaemon } from '../../../src/wallet/sync/context.ts';
import { SyncEngine } from '../../../src/wallet/sync/engine.ts';

/** A daemon that leaves its first question open until it is told to drop it, and then takes a turn of the event loop to do so. */
const slow = {
  getInfo: ({ signal }: { signal: AbortSignal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => setTimeout(() => reject(signal.reason)))),
} as unknown as SyncDaemon;

it('a look asked for while it stops waits until it has stopped: whoever asks again and again leaves others their turn', async () => {
  const state = { height: 0, byKeyImage: new Map() };
  const engine = new SyncEngine({ state } as unknown as SyncContext, () => undefined);
  await engine.start(slow);
  const stopped = engine.stop('paused');
  let looks = 0;
  while (engine.status.phase === 'connecting' && looks < 1000) {
    await engine.refresh();
    looks += 1;
  }
  expect(looks).toBe(1);
  expect(engine.status.phase).toBe('paused');
  await stopped;
});
