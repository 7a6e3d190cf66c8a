import { connect, type Socket } from 'node:net';
import { encodePortableStorage, storage } from '../../src/protocol/index.ts';

/** Misbehaving clients of a daemon: none of them ends by itself. */

const MEGABYTE = 2 ** 20;

const sockets = new Set<Socket>();

/** Ends them all. */
export function endRudeClients(): void {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
}

function openRudely(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  // The node cuts it off eventually.
  socket.on('error', () => undefined);
  sockets.add(socket);
  return socket;
}

/** Writes for as long as the node accepts data, whatever comes back. */
function flood(socket: Socket, piece: Buffer | string): void {
  const more = () => {
    while (!socket.destroyed && socket.writable && socket.write(piece)) {
      // Until the system's buffer is full.
    }
  };
  socket.on('connect', more).on('drain', () => setImmediate(more));
}

const BLOCKS = Buffer.from(encodePortableStorage(storage.object({ start_height: storage.u64(1) })));
const head = (path: string, length: number) => `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${length}\r\n`;

/** Requests as many blocks as a daemon gives at once. */
const BLOCKS_REQUEST = Buffer.concat([Buffer.from(`${head('/get_blocks.bin', BLOCKS.length)}\r\n`), BLOCKS]);

/** By behaviour. */
export const RUDE: Readonly<Record<string, (port: number) => void>> = {
  'half a request': (port) => void openRudely(port).write(`${head('/json_rpc', 100)}\r\n{"jsonrpc"`),
  'nothing at all': (port) => void openRudely(port),
  'never reads': (port) => {
    const socket = openRudely(port).pause();
    for (let i = 0; i < 50; i++) socket.write(BLOCKS_REQUEST);
  },
  'a huge body': (port) => {
    const socket = openRudely(port);
    socket.write(`${head('/json_rpc', 2 ** 31)}\r\n`);
    flood(socket, Buffer.alloc(MEGABYTE, 'a'));
  },
  'a huge body in pieces': (port) => {
    const socket = openRudely(port);
    socket.write('POST /json_rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n');
    flood(socket, `10000\r\n${'a'.repeat(0x10000)}\r\n`);
  },
  'endless headers': (port) => {
    const socket = openRudely(port);
    socket.write('GET /get_height HTTP/1.1\r\nHost: 127.0.0.1\r\n');
    flood(socket, 'X-More: and more\r\n');
  },
  'no HTTP': (port) => flood(openRudely(port), '\u0001\u0002\u0003'.repeat(1000)),
};
