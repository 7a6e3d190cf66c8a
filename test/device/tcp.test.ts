import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bytesToHex, concatBytes, hexToBytes } from '../../src/base/index.ts';
import { loadCrypto, systemRandom } from '../../src/crypto/index.ts';
import { type DeviceTransport, LedgerDevice } from '../../src/device/index.ts';
import { connectByName } from '../../src/device/transport/by-name.ts';
import { connectTcp } from '../../src/device/transport/tcp.ts';
import { liveApp } from '../support/ledger/device.ts';
import { type Caller, framed, type Listening, listen, listenAsEmulator } from '../support/ledger/emulator.ts';

// A device behind a socket: what may happen to bytes on their way, and what an emulator does with replies that nobody waits for.

beforeAll(loadCrypto);

const GET_APP = hexToBytes('b001000000');
const RESET = hexToBytes('040200000500302e3138');
const OK = hexToBytes('9000');

let listening: Listening | undefined;
afterEach(async () => {
  await listening?.stop();
  listening = undefined;
});

/** Both ends of one connection. */
async function connected(): Promise<{ readonly transport: DeviceTransport; readonly caller: Caller }> {
  let met = (_: Caller): void => undefined;
  const meeting = new Promise<Caller>((resolve) => {
    met = resolve;
  });
  listening = await listen((caller) => met(caller));
  const transport = await connectTcp('127.0.0.1', listening.port);
  return { transport, caller: await meeting };
}

/** Sends each piece once the one before it has left, and the other end had a turn. */
async function drip(caller: Caller, pieces: readonly Uint8Array[]): Promise<void> {
  for (const piece of pieces) {
    await new Promise<void>((sent) => caller.socket.write(piece, () => sent()));
    await new Promise((turn) => setImmediate(turn));
  }
}

const bytesOf = (bytes: Uint8Array): Uint8Array[] => Array.from(bytes, (byte) => Uint8Array.of(byte));

describe('the frames of a socket', () => {
  test('a request is its length, highest byte first, and the APDU; a reply the length without the status, data, status', async () => {
    const { transport, caller } = await connected();
    const reply = transport.exchange(GET_APP);
    expect(bytesToHex(await caller.take(9))).toBe('00000005b001000000');
    caller.socket.write(hexToBytes('000000030102039000'));
    expect(bytesToHex(await reply)).toBe('0102039000');
    const longest = transport.exchange(concatBytes(hexToBytes('04a00000ff'), new Uint8Array(255)));
    expect(bytesToHex((await caller.take(4 + 260)).slice(0, 9))).toBe('0000010404a00000ff');
    caller.socket.write(framed(concatBytes(new Uint8Array(238).fill(7), OK)));
    expect(await longest).toHaveLength(240);
    await transport.close();
  });

  test('a status alone has the length nothing', async () => {
    const { transport, caller } = await connected();
    const reply = transport.exchange(RESET);
    caller.socket.write(hexToBytes('000000006982'));
    expect(bytesToHex(await reply)).toBe('6982');
  });

  test('however a reply is cut, it is the same: in bytes, in halves, drop by drop', async () => {
    const whole = framed(
      concatBytes(
        Uint8Array.from({ length: 200 }, (_, i) => i),
        OK,
      ),
    );
    const { transport, caller } = await connected();
    const cuts = [bytesOf(whole), ...[1, 3, 4, 5, 100, whole.length - 1].map((at) => [whole.slice(0, at), whole.slice(at)])];
    for (const pieces of cuts) {
      const reply = transport.exchange(GET_APP);
      await caller.request();
      await drip(caller, pieces);
      expect(await reply).toEqual(whole.slice(4));
    }
  });

  test('what is joined is taken apart: a reply that nobody asked for answers no later request', async () => {
    const { transport, caller } = await connected();
    const first = transport.exchange(GET_APP);
    await caller.request();
    caller.socket.write(concatBytes(framed(hexToBytes('019000')), framed(hexToBytes('6985')), framed(hexToBytes('ff6914'))));
    expect(bytesToHex(await first)).toBe('019000');
    const second = transport.exchange(RESET);
    await caller.request();
    caller.socket.write(framed(hexToBytes('029000')));
    expect(bytesToHex(await second)).toBe('029000');
  });

  test.each(['00001001', '0000ffff', '7fffffff', 'fffffffe'])(
    'a reply that announces %s bytes is refused, and the connection with it',
    async (length) => {
      const { transport, caller } = await connected();
      const reply = transport.exchange(GET_APP);
      const closed = new Promise((resolve) => caller.socket.once('close', resolve));
      await caller.request();
      caller.socket.write(hexToBytes(length));
      await expect(reply).rejects.toMatchObject({ code: 'bad-answer', data: { expected: 'a reply of at most 4096 bytes' } });
      await closed;
      expect(transport.ended).toBe(true);
      await expect(transport.exchange(GET_APP)).rejects.toMatchObject({ code: 'bad-answer' });
    },
  );

  test.each(['', '000000', '00000003', '0000000301', '00000003010203', '0000000301020390'])(
    'closed after %j of a reply: the device went away, for what is asked later too',
    async (part) => {
      const { transport, caller } = await connected();
      const reply = transport.exchange(GET_APP);
      await caller.request();
      caller.socket.end(hexToBytes(part));
      await expect(reply).rejects.toMatchObject({ code: 'disconnected' });
      expect(transport.ended).toBe(true);
      await expect(transport.exchange(GET_APP)).rejects.toMatchObject({ code: 'disconnected' });
    },
  );

  test('reset in the middle of a reply is the same', async () => {
    const { transport, caller } = await connected();
    const reply = transport.exchange(GET_APP);
    await caller.request();
    caller.socket.resetAndDestroy();
    await expect(reply).rejects.toMatchObject({ code: 'disconnected' });
  });

  test('let go while somebody waits: disconnected, and the other end sees it', async () => {
    const { transport, caller } = await connected();
    const closed = new Promise((resolve) => caller.socket.once('close', resolve));
    const reply = transport.exchange(GET_APP);
    await caller.request();
    await transport.close();
    await transport.close();
    await expect(reply).rejects.toMatchObject({ code: 'disconnected' });
    await closed;
  });

  test('nothing listens: not found, with where', async () => {
    const { port, stop } = await listen(() => undefined);
    await stop();
    await expect(connectByName(`Ledger:tcp://127.0.0.1:${port}`)).rejects.toMatchObject({
      code: 'not-found',
      data: { host: '127.0.0.1', port },
    });
  });
});

describe('a session behind a socket', () => {
  test('a device that listens and does not answer: timed out by name, and let go', async () => {
    let left = (): void => undefined;
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    listening = await listen(({ socket }) => socket.once('close', () => left()));
    const transport = await connectByName(`Ledger:tcp://127.0.0.1:${listening.port}`);
    const watch = { sleep: async () => undefined };
    await expect(LedgerDevice.connect(transport, { random: systemRandom, watch })).rejects.toMatchObject({
      code: 'timed-out',
      data: { seconds: 15 },
    });
    await gone;
  });

  test('its app stops: the device is known to be away without being asked, so that the next use connects anew', async () => {
    const app = liveApp();
    listening = await listenAsEmulator((apdu) => app.answer(apdu));
    const name = `Ledger:tcp://127.0.0.1:${listening.port}`;
    const transport = await connectByName(name);
    const device = await LedgerDevice.connect(transport, { random: systemRandom });
    expect(device.ended).toBe(false);
    const other = await connectByName(name);
    const ended = expect.poll(() => device.ended);
    await listening.stop();
    await ended.toBe(true);
    await expect(other.exchange(GET_APP)).rejects.toMatchObject({ code: 'disconnected' });
  });

  test.each(['yes', 'no'] as const)(
    'left while its owner is asked, and met again: their %s to the old question is not taken for an answer to the new one',
    async (word) => {
      let answer = (_: boolean): void => undefined;
      let shown = (): void => undefined;
      const onScreen = new Promise<void>((resolve) => {
        shown = resolve;
      });
      const owner = () => {
        shown();
        return new Promise<boolean>((resolve) => {
          answer = resolve;
        });
      };
      const app = liveApp({ owner });
      // The system answers while the app waits, in the order in which it is asked.
      let queue: Promise<unknown> = Promise.resolve();
      listening = await listenAsEmulator((apdu) => {
        const reply = queue.then(() => app.answer(apdu));
        queue = reply;
        return reply;
      });
      const name = `Ledger:tcp://127.0.0.1:${listening.port}`;
      const first = await LedgerDevice.connect(await connectByName(name), { random: systemRandom });
      const asked = first.viewKey();
      await onScreen;
      await first.close();
      await expect(asked).rejects.toMatchObject({ code: 'disconnected' });
      const again = LedgerDevice.connect(await connectByName(name), { random: systemRandom });
      answer(word === 'yes');
      const second = await again;
      expect(second).toMatchObject({ appVersion: '2.2.0', network: 'mainnet' });
      await second.close();
    },
  );

  test('left in the middle of a payment: the next meeting drops what was open', async () => {
    const app = liveApp();
    listening = await listenAsEmulator((apdu) => app.answer(apdu));
    const name = `Ledger:tcp://127.0.0.1:${listening.port}`;
    const raw = await connectByName(name);
    await raw.exchange(hexToBytes('04720100020001'));
    await raw.exchange(hexToBytes('047001000500000000 00'.replace(' ', '')));
    expect(app.tx.isOpen).toBe(true);
    await raw.close();
    const device = await LedgerDevice.connect(await connectByName(name), { random: systemRandom });
    expect(app.tx.isOpen).toBe(false);
    await device.close();
  });
});
