import { concatBytes } from '../../base/index.ts';
import type { DeviceSession } from '../session.ts';

/** x + y, sealed. In a transaction: the last derived key and the last subaddress key alone, in this order. */
export function secretKeyAdd(session: DeviceSession, x: Uint8Array, y: Uint8Array): Promise<Uint8Array> {
  return session.ask({ instruction: 0x3c, data: concatBytes(session.slot(x), session.slot(y)) }, (reply) => reply.secret());
}
