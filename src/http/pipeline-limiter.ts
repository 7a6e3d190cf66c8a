import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may wait for their replies. Pipelining clients send a few ahead. */
const MOST_AHEAD = 200;

/** Node's own statuses for requests that it cannot parse; anything else is a bad request. */
const STATUSES: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** Requests of a connection that wait for their replies. */
interface Line {
  ahead: number;
  last: IncomingMessage;
  /** Bytes that are not HTTP have followed the last request: nothing more is read. */
  broken: boolean;
}

/**
 * Limits how many requests a connection may send ahead of its replies (T15). Everything that has arrived is parsed at once, and each
 * request takes memory and everybody's time until it is answered: a hundred thousand of them fit into four megabytes.
 */
export class PipelineLimiter {
  readonly #lines = new WeakMap<Socket, Line>();

  /**
   * Bytes that are not HTTP end their connection, but only after the complete requests before them are answered: these are carried out, and
   * a client that saw an error instead would repeat them, and pay twice.
   */
  constructor(server: Server) {
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      const line = this.#lines.get(socket);
      if (line !== undefined && line.ahead > 0 && line.last.complete && socket.writable) {
        line.broken = true;
        return;
      }
      // Nothing is written into the middle of a reply.
      if (socket.writable && (line?.ahead ?? 0) <= 1)
        socket.write(`HTTP/1.1 ${STATUSES[error.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`);
      socket.destroy();
    });
  }

  /** @returns whether the request may be answered; if not, its connection has been ended */
  admits(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    const line = this.#lines.get(socket) ?? { ahead: 0, last: request, broken: false };
    this.#lines.set(socket, line);
    line.ahead += 1;
    line.last = request;
    if (line.ahead > MOST_AHEAD) {
      socket.destroy();
      return false;
    }
    response.once('close', () => {
      line.ahead -= 1;
      if (line.broken && line.ahead === 0) socket.destroySoon();
    });
    return true;
  }
}
