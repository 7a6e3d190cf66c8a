import type { DeviceSession } from '../session.ts';

/** The secret view key, 32 bytes: the device asks its owner first. @throws DeviceError `refused` */
export function getViewKey(session: DeviceSession): Promise<Uint8Array> {
  return session.ask({ instruction: 0x20, p1: 2 }, (reply) => reply.scalar(), true);
}
