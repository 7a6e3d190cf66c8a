import type { Server } from 'node:http';
import { isNear } from './connection-limiter.ts';

const MINUTE = 60_000;

/**
 * How long a connection stays open between two requests, in milliseconds: half an hour from this machine and private networks, five minutes
 * from elsewhere, as in the reference (abstract_tcp_server2.inl). A wallet of 0.18.0.0 takes a connection that ended meanwhile for a daemon
 * that is not there.
 * @param address of a client; IPv4 may be written in IPv6
 */
export const idleTime = (address: string): number => (isNear(address) ? 30 : 5) * MINUTE;

/** Makes a server end idle connections after `idleTime`. Its header `Keep-Alive` names five minutes to everybody. */
export function endIdleConnections(server: Server): void {
  server.keepAliveTimeout = idleTime('');
  server.on('request', ({ socket }, response) => {
    // Node sets its own time at the end of an answer, in a listener that is called before this one.
    response.on('finish', () => socket.setTimeout(idleTime(socket.remoteAddress ?? '')));
  });
}
