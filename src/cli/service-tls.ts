import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createServer, type Server as SecureServer, type TLSSocket } from 'node:tls';
import { messageOf } from '../base/index.ts';
import { selfSignedCertificate } from './certificate.ts';
import { CliError } from './errors.ts';
import { authoritiesOf, isPeerAccepted, overridesSystemCheck, type PeerCheck } from './peer-certificate.ts';

/** TLS of the service, from `--rpc-ssl` and related flags. */
export interface ServiceTls {
  /** `autodetect`: TLS and plain HTTP on one port, distinguished by a client's first byte. */
  readonly mode: 'enabled' | 'disabled' | 'autodetect';
  /** PEM files; both empty for a self-signed certificate. */
  readonly keyFile: string;
  readonly certificateFile: string;
  /** Check of client certificates; with neither fingerprints nor authorities all clients are accepted. */
  readonly clients: PeerCheck;
}

/** First byte of a TLS record that holds a handshake; no HTTP method begins with it. */
const TLS_HANDSHAKE = 0x16;
/** Milliseconds that a client may take to send its first byte, and to finish the handshake. */
const PATIENCE = 30_000;

/**
 * Makes an HTTP server accept TLS on its port.
 * @throws CliError when a file cannot be read, or contains no key or certificate
 */
export function addTls(server: Server, tls: ServiceTls): void {
  if (tls.mode === 'disabled') return;
  const speakHttp = server.listeners('connection') as ((socket: Socket) => void)[];
  const serve = (socket: Socket) => {
    for (const listener of speakHttp) listener.call(server, socket);
  };
  const shakeHands = handshakes(secureServer(tls), tls, serve);
  server.removeAllListeners('connection');
  server.on('connection', (socket) => {
    if (tls.mode === 'enabled') shakeHands(socket);
    else whenBegun(socket, (first) => (first === TLS_HANDSHAKE ? shakeHands : serve)(socket));
  });
}

/** Performs the TLS handshake and hands the connection on when its client is accepted. */
function handshakes(secure: SecureServer, { clients }: ServiceTls, serve: (socket: TLSSocket) => void): (socket: Socket) => void {
  // Node does not close connections that never finish the handshake.
  secure.on('tlsClientError', (_, socket) => socket.destroy());
  secure.on('secureConnection', (socket) => {
    if (!overridesSystemCheck(clients) || isPeerAccepted(socket, clients)) serve(socket);
    else socket.destroy();
  });
  return (socket) => {
    // As in Node's own TLS servers: a client that ends during its handshake is gone.
    socket.allowHalfOpen = false;
    secure.emit('connection', socket);
  };
}

function secureServer(tls: ServiceTls): SecureServer {
  const choosy = overridesSystemCheck(tls.clients);
  try {
    const own = tls.keyFile === '' ? selfSignedCertificate(Date.now()) : undefined;
    return createServer({
      minVersion: 'TLSv1.2',
      key: own?.key ?? readFileSync(tls.keyFile),
      cert: own?.cert ?? readFileSync(tls.certificateFile),
      handshakeTimeout: PATIENCE,
      // Checked after the handshake: a pinned certificate needs no authority.
      requestCert: choosy,
      rejectUnauthorized: false,
      ...(choosy ? { ca: authoritiesOf(tls.clients) } : {}),
    });
  } catch (error) {
    throw new CliError(`--rpc-ssl: a key or certificate cannot be used: ${messageOf(error)}`);
  }
}

/** Waits for a client's first byte without consuming it. A client that sends none is disconnected. */
function whenBegun(socket: Socket, then: (first: number) => void): void {
  const giveUp = () => socket.destroy();
  socket.setTimeout(PATIENCE, giveUp);
  socket.on('error', giveUp);
  socket.once('readable', () => {
    const firstBytes = socket.read() as Buffer | null;
    // The connection ended before its first byte.
    if (firstBytes === null) return giveUp();
    socket.removeListener('timeout', giveUp);
    socket.removeListener('error', giveUp);
    socket.setTimeout(0);
    socket.unshift(firstBytes);
    then(firstBytes[0]!);
  });
}
