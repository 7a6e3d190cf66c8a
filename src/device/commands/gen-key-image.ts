import { concatBytes } from '../../base/index.ts';
import type { DeviceSession } from '../session.ts';

/** x·Hp(P), 32 bytes. @param secret x, sealed */
export function genKeyImage(session: DeviceSession, key: Uint8Array, secret: Uint8Array): Promise<Uint8Array> {
  return session.ask({ instruction: 0x3a, data: concatBytes(key, session.slot(secret)) }, (reply) => reply.point());
}
