import { connect, type Socket } from 'node:net';
import { concatBytes } from '../../base/index.ts';
import { u32be } from '../apdu.ts';
import { DeviceError } from '../errors.ts';
import type { DeviceTransport } from './port.ts';

/** Longest reply in bytes, far above any app's. */
const MOST_REPLY = 4096;
/** Bytes of a length, and of a status word. */
const HEAD = 4;
const STATUS = 2;

/**
 * A device behind a socket, as emulators provide it: a request is its length (u32, big-endian) and the APDU, a reply the length of its
 * data, the data, and two bytes of status.
 * @param model if known: it determines what its screen can show
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

interface Waiting {
  isIts(reply: Uint8Array): boolean;
  resolve(reply: Uint8Array): void;
  reject(error: unknown): void;
}

class TcpTransport implements DeviceTransport {
  readonly label: string;
  readonly #socket: Socket;
  #received = new Uint8Array();
  #waiting: Waiting | undefined;
  #gone: DeviceError | undefined;

  constructor(socket: Socket, label: string) {
    this.label = label;
    this.#socket = socket;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('error', (cause) => this.#end(away(cause)));
    socket.on('close', () => this.#end(away()));
  }

  get ended(): boolean {
    return this.#gone !== undefined;
  }

  exchange(apdu: Uint8Array, isIts: Waiting['isIts'] = () => true): Promise<Uint8Array> {
    if (this.#gone !== undefined) return Promise.reject(this.#gone);
    return new Promise((resolve, reject) => {
      this.#waiting = { isIts, resolve, reject };
      this.#socket.write(concatBytes(u32be(apdu.length), apdu));
    });
  }

  async close(): Promise<void> {
    this.#end(away());
    this.#socket.destroy();
  }

  #take(bytes: Uint8Array): void {
    this.#received = concatBytes(this.#received, bytes);
    while (this.#received.length >= HEAD) {
      const length = new DataView(this.#received.buffer, this.#received.byteOffset).getUint32(0);
      if (length > MOST_REPLY) {
        this.#refuse();
        return;
      }
      const end = HEAD + length + STATUS;
      if (this.#received.length < end) return;
      const reply = this.#received.slice(HEAD, end);
      this.#received = this.#received.slice(end);
      // An emulator sends a reply to the last client that connected, whoever asked: an unexpected one is left over.
      if (this.#waiting?.isIts(reply) !== true) continue;
      const { resolve } = this.#waiting;
      this.#waiting = undefined;
      resolve(reply);
    }
  }

  #refuse(): void {
    const expected = `a reply of at most ${MOST_REPLY} bytes`;
    this.#end(new DeviceError('bad-answer', `expected ${expected}`, { expected }));
    this.#socket.destroy();
  }

  #end(error: DeviceError): void {
    this.#gone ??= error;
    this.#waiting?.reject(this.#gone);
    this.#waiting = undefined;
  }
}

const away = (cause?: unknown): DeviceError =>
  new DeviceError('disconnected', 'expected the device to stay connected', {}, cause);
