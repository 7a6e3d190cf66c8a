import type { DeviceSession } from '../session.ts';

/** What the reference wallet makes the key of its cache from, 200 bytes. It differs from version to version: nothing of ours hangs on it. */
export function getChacha8Prekey(session: DeviceSession): Promise<Uint8Array> {
  return session.ask({ instruction: 0x24 }, (reply) => reply.bytes(200));
}
