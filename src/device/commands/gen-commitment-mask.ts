import type { DeviceSession } from '../session.ts';

/** The mask of an output's commitment, 32 bytes. @param amountKey sealed */
export function genCommitmentMask(session: DeviceSession, amountKey: Uint8Array): Promise<Uint8Array> {
  return session.ask({ instruction: 0x77, data: session.slot(amountKey) }, (reply) => reply.scalar());
}
