import type { DeviceSession } from '../session.ts';

/** A fresh key pair: the public key, and the secret one sealed. */
export function generateKeypair(
  session: DeviceSession,
): Promise<{ readonly publicKey: Uint8Array; readonly secret: Uint8Array }> {
  return session.ask({ instruction: 0x40 }, (reply) => ({ publicKey: reply.point(), secret: reply.secret() }));
}
