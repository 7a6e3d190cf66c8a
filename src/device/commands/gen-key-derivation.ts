import { concatBytes } from '../../base/index.ts';
import type { DeviceSession } from '../session.ts';

/** 8·s·P, sealed. @param secret sealed, or what stands for the view key */
export function genKeyDerivation(session: DeviceSession, point: Uint8Array, secret: Readonly<Uint8Array>): Promise<Uint8Array> {
  return session.ask({ instruction: 0x32, data: concatBytes(point, session.slot(secret)) }, (reply) => reply.secret());
}
