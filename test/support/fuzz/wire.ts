import { connect, type Socket } from 'node:net';

/** One raw reply of an HTTP server. */
export interface RawReply {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** The outcome of a connection: the replies, in order, and whether the other side closed it. */
export interface Exchange {
  readonly replies: readonly RawReply[];
  readonly closed: boolean;
}

/** A connection on which any bytes can be sent, and replies are separated. */
export class RawConnection {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #closed = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    socket.on('error', () => undefined); // A reset: the close that follows reports it.
    socket.on('close', () => {
      this.#closed = true;
      this.#wake();
    });
  }

  /** @param from local address */
  static open(port: number, from = '127.0.0.1'): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new RawConnection(socket));
      });
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Sends pieces one after the other, each in a packet of its own. */
  async send(...pieces: readonly (Uint8Array | string)[]): Promise<void> {
    for (const piece of pieces) {
      if (this.#closed || !this.#socket.writable) return;
      await new Promise<void>((resolve) => this.#socket.write(piece, () => resolve()));
    }
  }

  /** The next `count` replies; fewer if the other side closes first. @throws if neither happens in time */
  async replies(count: number, timeout: number): Promise<Exchange> {
    const replies: RawReply[] = [];
    const late = Date.now() + timeout;
    while (replies.length < count) {
      const reply = this.#take();
      if (reply !== undefined) {
        if (reply.status >= 200) replies.push(reply);
        continue;
      }
      if (this.#closed) break;
      if (!(await this.#more(late - Date.now())))
        throw new Error(`no reply in ${timeout} ms after ${replies.length} of ${count}`);
    }
    return { replies, closed: this.#closed };
  }

  /** Half-closes the connection, and waits for the other side to close. Returns all replies until then. */
  async finish(timeout: number): Promise<Exchange> {
    this.#socket.end();
    return this.replies(Number.POSITIVE_INFINITY, timeout);
  }

  /** Destroys it without closing properly. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** Whether data or the end arrived before the time was over. */
  #more(timeout: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), Math.max(timeout, 0));
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  #take(): RawReply | undefined {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const headers = this.#received.subarray(0, end).toString('latin1');
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(headers)?.[1]);
    if (Number.isNaN(status)) throw new Error(`expected a reply of HTTP, got ${headers.slice(0, 100)}`);
    const rest = this.#received.subarray(end + 4);
    const chunked = /^transfer-encoding: chunked$/im.test(headers);
    const found = chunked ? fromChunks(rest) : fromLength(rest, Number(/^content-length: (\d+)$/im.exec(headers)?.[1] ?? 0));
    if (found === undefined) return undefined;
    this.#received = rest.subarray(found.used);
    const body = found.body.toString('utf8');
    return { status, headers, body };
  }
}

/** A body, and how many bytes of the connection it took. */
interface Taken {
  readonly body: Buffer;
  readonly used: number;
}

const fromLength = (bytes: Buffer, length: number): Taken | undefined =>
  bytes.length < length ? undefined : { body: bytes.subarray(0, length), used: length };

/** The body from chunks; undefined while more are to come. @throws if they are invalid */
function fromChunks(bytes: Buffer): Taken | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const end = line + 2 + length;
    if (bytes.length < end + 2) return undefined;
    if (bytes.toString('latin1', end, end + 2) !== '\r\n') throw new Error(`expected a chunk of ${length} bytes`);
    if (length === 0) return { body: Buffer.concat(parts), used: end + 2 };
    parts.push(bytes.subarray(line + 2, end));
    at = end + 2;
  }
}

/** A request with its length in the header. */
export function framed(body: Uint8Array, headers: readonly string[] = [], first = 'POST /json_rpc HTTP/1.1'): Uint8Array {
  const lines = [first, 'Host: 127.0.0.1', 'Content-Type: application/json', ...headers, `Content-Length: ${body.length}`];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}
