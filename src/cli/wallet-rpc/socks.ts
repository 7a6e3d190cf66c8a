import { connect, isIP, isIPv4, type Socket } from 'node:net';

/** Where a proxy listens. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** `[ip:]port`; undefined when it is neither. */
export function readEndpoint(text: string): Endpoint | undefined {
  const [, ip, port] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const host = ip === undefined ? '127.0.0.1' : ip.replace(/^\[(.*)\]$/, '$1');
  const number = Number(port);
  return isIP(host) !== 0 && number >= 1 && number <= 65_535 ? { host, port: number } : undefined;
}

const VERSION = 4;
const CONNECT = 1;
const GRANTED = 90;
const REPLY_LENGTH = 8;
/** An invalid address, which means that a name follows. */
const BY_NAME = [0, 0, 0, 1];
/** Milliseconds that the proxy may take: onion services are slow to connect. With TLS after it, less than the transport waits. */
const PATIENCE = 40_000;

/**
 * A connection to a host through a SOCKS proxy, which also resolves the host's name: SOCKS 4a, as in the reference (net/socks.cpp).
 * @throws Error that says what the proxy did
 */
export async function connectThrough(proxy: Endpoint, host: string, port: number): Promise<Socket> {
  const socket = connect(proxy.port, proxy.host);
  try {
    socket.setTimeout(PATIENCE, () => socket.destroy(new Error('expected an answer of the SOCKS proxy in time')));
    socket.write(connectRequest(host, port));
    const reply = await replyOf(socket);
    if (reply[0] !== 0) throw new Error('expected a proxy that speaks SOCKS 4a');
    if (reply[1] !== GRANTED) throw new Error(`the SOCKS proxy did not connect to ${host}:${port} (code ${reply[1]})`);
    socket.setTimeout(0);
    socket.removeAllListeners();
    return socket;
  } catch (error) {
    socket.on('error', () => {});
    socket.destroy();
    throw error;
  }
}

function connectRequest(host: string, port: number): Buffer {
  const address = isIPv4(host) ? host.split('.').map(Number) : BY_NAME;
  const name = isIPv4(host) ? [] : [...Buffer.from(`${host}\0`)];
  return Buffer.from([VERSION, CONNECT, port >> 8, port & 0xff, ...address, 0, ...name]);
}

/** The proxy's eight bytes; what the host sends after them stays in the socket. */
function replyOf(socket: Socket): Promise<Buffer> {
  return new Promise((done, fail) => {
    socket.on('readable', () => {
      const reply = socket.read(REPLY_LENGTH) as Buffer | null;
      if (reply?.length === REPLY_LENGTH) done(reply);
    });
    socket.on('error', fail);
    socket.on('end', () => fail(new Error('the SOCKS proxy closed the connection')));
  });
}
