import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Bounds the connections of a server, so that strangers cannot take all of them: when there are too many, the oldest gives way of those
 * that have sent no request that was let in. Half a handshake, half a request or a wrong login holds a place only until others want it.
 */
export class Newcomers {
  /** By the client's end of the connection, which TLS does not change; oldest first. */
  readonly #sockets = new Map<string, Socket>();
  readonly #most: number;
  #open = 0;

  /** @param most connections at once, at least 1 */
  constructor(server: Server, most: number) {
    this.#most = most;
    server.on('connection', (socket) => this.#add(socket));
  }

  /** Of a connection whose client is no stranger: it stays. */
  letIn(socket: Socket): void {
    this.#sockets.delete(clientOf(socket));
  }

  #add(socket: Socket): void {
    const client = clientOf(socket);
    this.#open += 1;
    this.#sockets.set(client, socket);
    socket.once('close', () => {
      this.#open -= 1;
      if (this.#sockets.get(client) === socket) this.#sockets.delete(client);
    });
    if (this.#open > this.#most) this.#oldest()?.destroy();
  }

  #oldest(): Socket | undefined {
    const [first] = this.#sockets;
    if (first === undefined) return undefined;
    this.#sockets.delete(first[0]);
    return first[1];
  }
}

const clientOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
