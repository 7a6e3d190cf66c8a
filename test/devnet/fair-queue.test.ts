import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../src/devnet/rpc/fair-queue.ts';

describe('turns', () => {
  it('T15 are answered round-robin: a client with many requests delays only itself', async () => {
    const turns = new FairQueue();
    const [greedy, modest] = [{}, {}];
    const order: string[] = [];
    const asked: Promise<void>[] = [];
    const ask = (name: string, connection: object) => {
      asked.push(turns.take(connection).then(() => void order.push(name)));
    };
    for (let i = 0; i < 4; i++) ask('greedy', greedy);
    ask('modest', modest);
    ask('modest', modest);
    await Promise.all(asked);
    expect(order).toEqual(['greedy', 'greedy', 'modest', 'greedy', 'modest', 'greedy']);
  });

  it('let what came in meanwhile be seen between two of them', async () => {
    const turns = new FairQueue();
    let seen = false;
    await turns.take({});
    const second = turns.take({});
    setImmediate(() => {
      seen = true;
    });
    const third = turns.take({});
    await second;
    await third;
    expect(seen).toBe(true);
  });

  it('are had at once where nobody waits', async () => {
    const turns = new FairQueue();
    for (let i = 0; i < 3; i++) {
      await turns.take({});
      await new Promise(setImmediate);
      await new Promise(setImmediate);
    }
  });
});
