import type { DeviceSession } from '../session.ts';

/** s·G, 32 bytes, of a sealed s: {@link secretKeyToPublicKey} by another number, as the reference wallet asks for a transaction's public key. */
export function secretScalMulBase(session: DeviceSession, secret: Uint8Array): Promise<Uint8Array> {
  return session.ask({ instruction: 0x44, data: session.slot(secret) }, (reply) => reply.point());
}
