import { connect, type Socket } from 'node:net';
import { concatBytes } from '../../base/index.ts';
import { u32be } from '../apdu.ts';
import { DeviceError } from '../errors.ts';
import type { DeviceTransport } from './port.ts';

/** What a reply may announce, bytes: far above what any app sends. */
const MOST_REPLY = 4096;

/**
 * A device behind a socket, as emulators speak: a request is its length (u32, highest byte first) and the APDU, a reply the length of its data, the
 * data, and two bytes of status.
 * @param model where it is known: it tells how much its screen holds
 * @throws DeviceError `not-found` when nothing listens there
 */
export async function connectTcp(host: string, port: number, model?: string): Promise<DeviceTransport> {
  const socket = connect({ host, port, noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => resolve());
    socket.once('error', (cause) =>
      reject(new DeviceError('not-found', 'expected a device to listen there', { host, port }, cause)),
    );
  });
  return new TcpTransport(socket, model === undefined ? `${host}:${port}` : `${model} at ${host}:${port}`);
}

class TcpTransport implements DeviceTransport {
  readonly label: string;
  readonly #socket: Socket;
  #received = new Uint8Array();
  #waiting: { resolve(reply: Uint8Array): void; reject(error: unknown): void } | undefined;
  #gone: DeviceError | undefined;

  constructor(socket: Socket, label: string) {
    this.label = label;
    this.#socket = socket;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('error', (cause) => this.#end(cause));
    socket.on('close', () => this.#end(undefined));
  }

  exchange(apdu: Uint8Array): Promise<Uint8Array> {
    if (this.#gone !== undefined) return Promise.reject(this.#gone);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(concatBytes(u32be(apdu.length), apdu));
    });
  }

  async close(): Promise<void> {
    this.#end(undefined);
    this.#socket.destroy();
  }

  #take(bytes: Uint8Array): void {
    this.#received = concatBytes(this.#received, bytes);
    if (this.#received.length < 4) return;
    const length = new DataView(this.#received.buffer, this.#received.byteOffset).getUint32(0);
    const end = 4 + length + 2;
    if (length > MOST_REPLY) {
      this.#end(new Error('a reply longer than any'));
      this.#socket.destroy();
      return;
    }
    if (this.#received.length < end) return;
    const reply = this.#received.slice(4, end);
    this.#received = this.#received.slice(end);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(reply);
  }

  #end(cause: unknown): void {
    this.#gone ??= new DeviceError('disconnected', 'expected the device to stay connected', {}, cause);
    this.#waiting?.reject(this.#gone);
    this.#waiting = undefined;
  }
}
