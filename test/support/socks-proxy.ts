import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A SOCKS 4a proxy for a test: it knows only the names given to it. */
export interface SocksProxy {
  readonly port: number;
  /** The requested destinations as `host:port`, in order. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

const GRANTED = [0, 90, 0, 0, 0, 0, 0, 0];
const REJECTED = [0, 91, 0, 0, 0, 0, 0, 0];

/** @param names ports of this machine by host name */
export async function startSocksProxy(names: Readonly<Record<string, number>>): Promise<SocksProxy> {
  const asked: string[] = [];
  const open = new Set<Socket>();
  const track = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => open.delete(socket));
  };
  const server = createServer((client) => {
    track(client);
    client.once('data', (request) => {
      const { host, port } = readRequest(request);
      asked.push(`${host}:${port}`);
      const there = names[host] ?? (host === '127.0.0.1' ? port : undefined);
      if (there === undefined) return client.end(Uint8Array.from(REJECTED));
      const target = connect(there, '127.0.0.1', () => {
        client.write(Uint8Array.from(GRANTED));
        client.pipe(target).pipe(client);
      });
      track(target);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    asked,
    stop: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function readRequest(bytes: Buffer): { readonly host: string; readonly port: number } {
  if (bytes[0] !== 4 || bytes[1] !== 1 || bytes.at(-1) !== 0) throw new Error('expected a request of SOCKS 4 to connect');
  const address = bytes.subarray(4, 8);
  const isName = address[0] === 0 && address[1] === 0 && address[2] === 0 && address[3] !== 0;
  const [, name] = bytes.subarray(8).toString('latin1').split('\0');
  return { port: bytes.readUInt16BE(2), host: isName ? (name ?? '') : address.join('.') };
}
