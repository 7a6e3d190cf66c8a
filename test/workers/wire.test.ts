import { MessageChannel } from 'node:worker_threads';
import { type Endpoint, expose, wrap } from 'comlink';
import { afterEach, describe, expect, it } from 'vitest';
import { RemoteError, toWireError, transferTypedErrors } from '../../workers/wire.ts';

transferTypedErrors();

class RoomError extends Error {
  override readonly name = 'RoomError';
  readonly code = 'not-enough';

  constructor(readonly data: unknown) {
    super('expected more');
  }
}

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Both ends of a line, as the page and the worker have them. */
function line<T>(api: T) {
  const { port1, port2 } = new MessageChannel();
  ends.push(() => port1.close());
  expose(api, asEndpoint(port1));
  return wrap<T>(asEndpoint(port2));
}

// Comlink's own adapter does this much; Node's ports say `on` where the web's say `addEventListener`.
function asEndpoint(port: InstanceType<typeof MessageChannel>['port1']): Endpoint {
  const wrapped = new WeakMap<object, (data: unknown) => void>();
  return {
    postMessage: (message, transfer) => port.postMessage(message, transfer as never),
    addEventListener: (_, listener) => {
      const call = (data: unknown): void => {
        const event = { data } as MessageEvent;
        if (typeof listener === 'function') listener(event);
        else listener.handleEvent(event);
      };
      wrapped.set(listener, call);
      port.on('message', call);
    },
    removeEventListener: (_, listener) => {
      const call = wrapped.get(listener);
      if (call) port.off('message', call);
    },
    start: () => port.start(),
  };
}

describe('errors between threads', () => {
  it('keep room, code and data, amounts as bigint', async () => {
    const data = { needed: 12_000_000_000_001n, balance: 1n };
    const remote = line({
      fail(): void {
        throw new RoomError(data);
      },
    });
    const error: unknown = await remote.fail().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RemoteError);
    expect(error).toMatchObject({ room: 'RoomError', code: 'not-enough', message: 'expected more', data });
  });

  it('leave behind what cannot be cloned, and say so of the rest', () => {
    expect(toWireError(new RoomError({ call: () => undefined }))).toMatchObject({ code: 'not-enough', data: undefined });
    const passed = new RemoteError({ room: 'DeviceError', code: 'in-use', message: 'm', data: { tab: true } });
    expect(toWireError(passed), 'goes on as it came').toEqual({
      room: 'DeviceError',
      code: 'in-use',
      message: 'm',
      data: { tab: true },
    });
    expect(toWireError('text')).toEqual({ room: 'unknown', code: 'internal', message: 'text', data: undefined });
    expect(toWireError(new DOMException('no room', 'QuotaExceededError'))).toMatchObject({ code: 'disk-full' });
  });
});
