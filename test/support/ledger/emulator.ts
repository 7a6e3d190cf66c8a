import { createServer, type Server, type Socket } from 'node:net';
import { concatBytes } from '../../../src/base/index.ts';
import { u32be } from '../../../src/device/apdu.ts';

/** Frames a reply like an emulator does: the length of its data, its data, its status word. */
export const framed = (reply: Uint8Array): Uint8Array => concatBytes(u32be(reply.length - 2), reply);

/** One client of a socket, as a test sees it: complete requests come in, any bytes go out. */
export interface Caller {
  readonly socket: Socket;
  /** The next bytes of this length. */
  take(length: number): Promise<Uint8Array>;
  /** The next request, unframed. */
  request(): Promise<Uint8Array>;
}

export interface Listening {
  readonly port: number;
  readonly server: Server;
  stop(): Promise<void>;
}

/** Listens, and passes each client to the test. */
export async function listen(onCaller: (caller: Caller) => void): Promise<Listening> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    onCaller(callerOf(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  };
  return { port, server, stop };
}

function callerOf(socket: Socket): Caller {
  let received: Uint8Array = new Uint8Array();
  let more = (): void => undefined;
  socket.on('data', (bytes) => {
    received = concatBytes(received, bytes);
    more();
  });
  const take = async (length: number): Promise<Uint8Array> => {
    while (received.length < length)
      await new Promise<void>((resolve) => {
        more = resolve;
      });
    const taken = received.slice(0, length);
    received = received.slice(length);
    return taken;
  };
  const request = async () => take(new DataView((await take(4)).buffer).getUint32(0));
  return { socket, take, request };
}

/**
 * Behaves like the common emulator: one device for all connections, each reply goes to the latest connection, and the socket closes with the app.
 * @param answer undefined when the app has ended
 */
export function listenAsEmulator(answer: (apdu: Uint8Array) => Promise<Uint8Array | undefined>): Promise<Listening> {
  let last: Caller | undefined;
  return listen((caller) => {
    last = caller;
    void (async () => {
      for (;;) {
        const reply = await answer(await caller.request());
        if (reply === undefined) last?.socket.destroy();
        else last?.socket.write(framed(reply));
      }
    })();
  });
}
