import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { WaitingReplies } from '../../src/devnet/rpc/waiting.ts';

/** What of a reply is looked at. */
class Reply extends EventEmitter {
  destroyed = false;
  writableFinished = false;
  stalled: () => void = () => undefined;

  setTimeout(_milliseconds: number, then: () => void): void {
    this.stalled = then;
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }

  finish(): void {
    this.writableFinished = true;
    this.emit('finish');
    this.emit('close');
  }
}

function added(waiting: WaitingReplies, bytes: number): Reply {
  const reply = new Reply();
  waiting.add(reply as unknown as ServerResponse, bytes);
  return reply;
}

describe('replies that wait', () => {
  it('T15 are given up, the oldest first, when they are too many bytes together', () => {
    const waiting = new WaitingReplies(100);
    const [first, second, third] = [added(waiting, 40), added(waiting, 40), added(waiting, 20)];
    expect(waiting.total).toBe(100);
    const fourth = added(waiting, 50);
    expect([first, second, third, fourth].map(({ destroyed }) => destroyed)).toEqual([true, true, false, false]);
    expect(waiting.total).toBe(70);
  });

  it('count no more when they are read, or their client has left', () => {
    const waiting = new WaitingReplies(100);
    const [first, second] = [added(waiting, 90), added(waiting, 10)];
    first.finish();
    second.destroy();
    expect(waiting.total).toBe(0);
    expect(added(waiting, 100).destroyed).toBe(false);
  });

  it('are given up when their client takes nothing of them', () => {
    const reply = added(new WaitingReplies(100), 50);
    reply.stalled();
    expect(reply.destroyed).toBe(true);
  });

  it('were read at once, and never wait', () => {
    const waiting = new WaitingReplies(100);
    const reply = new Reply();
    reply.writableFinished = true;
    waiting.add(reply as unknown as ServerResponse, 50);
    expect(waiting.total).toBe(0);
  });
});
