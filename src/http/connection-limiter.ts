import type { Server } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';

/** Largest numbers of simultaneous connections; each at least 1. */
export interface ConnectionLimits {
  readonly all: number;
  /** Connections from one local address (loopback or private network); undefined for no separate limit. */
  readonly eachNear: number | undefined;
  /** Connections from one public address. */
  readonly eachFar: number | undefined;
}

/**
 * Bounds the connections of a server, so that strangers cannot occupy all of them: when there are too many, the oldest one that has sent no
 * accepted request is closed. A partial handshake, a partial request or a wrong login holds a place only until somebody else needs it.
 */
export class ConnectionLimiter {
  /** Open sockets by the client's address and port, oldest first. */
  readonly #sockets = new Map<string, Socket>();
  /** Connections that are open, by address. */
  readonly #from = new Map<string, number>();
  readonly #places: ConnectionLimits;
  #open = 0;

  constructor(server: Server, places: ConnectionLimits) {
    this.#places = places;
    server.on('connection', (socket) => this.#add(socket));
  }

  /** Protects a connection whose client has authenticated. */
  letIn(socket: Socket): void {
    this.#sockets.delete(clientOf(socket));
  }

  #add(socket: Socket): void {
    const client = clientOf(socket);
    const address = socket.remoteAddress ?? '';
    this.#count(address, 1);
    this.#sockets.set(client, socket);
    socket.once('close', () => {
      this.#count(address, -1);
      if (this.#sockets.get(client) === socket) this.#sockets.delete(client);
    });
    if (this.#open > this.#places.all) this.#oldest(() => true)?.destroy();
    else if (this.#isFull(address)) this.#oldest((other) => other.remoteAddress === address)?.destroy();
  }

  #count(address: string, change: 1 | -1): void {
    this.#open += change;
    const left = (this.#from.get(address) ?? 0) + change;
    if (left === 0) this.#from.delete(address);
    else this.#from.set(address, left);
  }

  #isFull(address: string): boolean {
    const most = isNear(address) ? this.#places.eachNear : this.#places.eachFar;
    return most !== undefined && (this.#from.get(address) ?? 0) > most;
  }

  #oldest(which: (socket: Socket) => boolean): Socket | undefined {
    for (const [client, socket] of this.#sockets) {
      if (!which(socket)) continue;
      this.#sockets.delete(client);
      return socket;
    }
    return undefined;
  }
}

const clientOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Private addresses as in the reference: loopback, private IPv4 networks, and link-local ones (net_utils_base.cpp, is_loopback and
 * is_local).
 */
const NEAR = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  NEAR.addSubnet(network, prefix);
}
NEAR.addAddress('::1', 'ipv6');
NEAR.addSubnet('fe80::', 10, 'ipv6');

/** @param address of a client; IPv4 may be written in IPv6 */
export function isNear(address: string): boolean {
  return NEAR.check(address.replace(/%.*$/, ''), isIPv6(address) ? 'ipv6' : 'ipv4');
}
