import { concatBytes } from '../../base/index.ts';
import type { DeviceSession } from '../session.ts';

/** Encrypts a payment id of 8 bytes to a view key. @param secret r, sealed */
export function stealth(
  session: DeviceSession,
  viewKey: Uint8Array,
  secret: Uint8Array,
  paymentId: Uint8Array,
): Promise<Uint8Array> {
  const data = concatBytes(viewKey, session.slot(secret), paymentId);
  return session.ask({ instruction: 0x76, data }, (reply) => reply.bytes(8));
}
