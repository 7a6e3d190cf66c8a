import { concatBytes } from '../../base/index.ts';
import type { DeviceSession } from '../session.ts';

/** s·P, 32 bytes. @param secret sealed, or what stands for the view key */
export function secretScalMulKey(session: DeviceSession, point: Uint8Array, secret: Readonly<Uint8Array>): Promise<Uint8Array> {
  return session.ask({ instruction: 0x42, data: concatBytes(point, session.slot(secret)) }, (reply) => reply.point());
}
