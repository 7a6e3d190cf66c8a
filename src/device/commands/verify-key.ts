import { concatBytes } from '../../base/index.ts';
import type { DeviceSession } from '../session.ts';

/** Whether a secret makes a public key. */
export function verifyKey(session: DeviceSession, secret: Readonly<Uint8Array>, publicKey: Uint8Array): Promise<boolean> {
  return session.ask({ instruction: 0x26, data: concatBytes(session.slot(secret), publicKey) }, (reply) => reply.u32() === 1);
}
