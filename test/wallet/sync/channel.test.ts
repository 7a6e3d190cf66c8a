import { describe, expect, it } from 'vitest';
import { Channel } from '../../../src/wallet/sync/channel.ts';

describe('the queue between download and scan', () => {
  it('keeps order and never holds more than it may, by count or by bytes', async () => {
    const channel = new Channel<number>(3, 100);
    let held = 0;
    let most = 0;
    const produce = async (): Promise<void> => {
      for (let i = 0; i < 50; i++) {
        await channel.waitForSpace();
        held += 1;
        most = Math.max(most, held);
        channel.push(i, i % 10 === 0 ? 150 : 30);
      }
      channel.end();
    };
    const got: number[] = [];
    const producing = produce();
    for await (const item of channel) {
      await new Promise((resolve) => setImmediate(resolve));
      got.push(item);
      held -= 1;
    }
    await producing;
    expect(got).toEqual(Array.from({ length: 50 }, (_, i) => i));
    expect(most).toBeLessThanOrEqual(3);
  });

  it('hands over what came before a failure, then the failure', async () => {
    const channel = new Channel<number>(3, 100);
    channel.push(1, 1);
    channel.end({ error: new Error('gone') });
    const got: number[] = [];
    const taking = async (): Promise<void> => {
      for await (const item of channel) got.push(item);
    };
    await expect(taking()).rejects.toThrow('gone');
    expect(got).toEqual([1]);
  });

  it('lets a waiting producer go when it is closed', async () => {
    const channel = new Channel<number>(1, 100);
    channel.push(1, 1);
    const waiting = channel.waitForSpace();
    channel.end();
    await expect(waiting).resolves.toBeUndefined();
  });
});
