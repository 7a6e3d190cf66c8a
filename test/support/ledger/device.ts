import { createServer, type Server, type Socket } from 'node:net';
import { concatBytes } from '../../../src/base/index.ts';
import { systemRandom } from '../../../src/crypto/index.ts';
import { DeviceError, type DeviceTransport, LedgerDevice, type LedgerOptions } from '../../../src/device/index.ts';
import { type AppOptions, MoneroApp } from './app.ts';
import { liveChance } from './chance.ts';

/** An app with its own random values. */
export const liveApp = (options: Partial<AppOptions> = {}): MoneroApp =>
  new MoneroApp({ chance: liveChance(systemRandom), ...options });

/** Faults in transit, by the number of the exchange since the connection, counted from 1. */
export interface Faults {
  /** Before a request reaches the app. Throws to break the connection. */
  readonly before?: (turn: number, apdu: Uint8Array) => void | Promise<void>;
  /** Replaces the app's reply. */
  readonly alter?: (turn: number, apdu: Uint8Array, reply: Uint8Array) => Uint8Array;
}

/** The app, connected directly, without any transport. */
export function transportTo(app: MoneroApp, faults: Faults = {}): DeviceTransport {
  let turn = 0;
  let closed = false;
  const gone = () => new DeviceError('disconnected', 'expected the device to stay connected');
  return {
    label: app.touch ? 'Stax, a double' : 'a double',
    async exchange(apdu) {
      turn += 1;
      if (closed) throw gone();
      await faults.before?.(turn, apdu);
      const reply = await app.answer(apdu);
      if (reply === undefined) throw gone();
      return faults.alter?.(turn, apdu, reply) ?? reply;
    },
    async close() {
      closed = true;
    },
  };
}

/** A connected device. */
export function connectDouble(app: MoneroApp, faults: Faults = {}, options: Partial<LedgerOptions> = {}): Promise<LedgerDevice> {
  return LedgerDevice.connect(transportTo(app, faults), { random: systemRandom, ...options });
}

/** The app behind a socket, like an emulator: `Ledger:tcp://127.0.0.1:port`. */
export interface ServedApp {
  readonly name: string;
  readonly port: number;
  stop(): Promise<void>;
}

export async function serveApp(app: Pick<MoneroApp, 'answer'>): Promise<ServedApp> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    // A client that disconnects abruptly is treated as gone.
    serve(app, socket).catch(() => socket.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  return { port, name: `Ledger:tcp://127.0.0.1:${port}`, stop: () => stop(server, sockets) };
}

async function serve(app: Pick<MoneroApp, 'answer'>, socket: Socket): Promise<void> {
  let received = new Uint8Array() as Uint8Array;
  for await (const bytes of socket as AsyncIterable<Uint8Array>) {
    received = concatBytes(received, bytes);
    while (received.length >= 4) {
      const end = 4 + new DataView(received.buffer, received.byteOffset).getUint32(0);
      if (received.length < end) break;
      const reply = await app.answer(received.slice(4, end));
      received = received.slice(end);
      if (reply === undefined) {
        socket.destroy();
        return;
      }
      const length = new Uint8Array(4);
      new DataView(length.buffer).setUint32(0, reply.length - 2);
      socket.write(concatBytes(length, reply));
    }
  }
}

async function stop(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await new Promise((done) => server.close(done));
}
