import type { DeviceSession } from '../session.ts';

/** s·G, 32 bytes, of a sealed s. */
export function secretKeyToPublicKey(session: DeviceSession, secret: Uint8Array): Promise<Uint8Array> {
  return session.ask({ instruction: 0x30, data: session.slot(secret) }, (reply) => reply.point());
}
