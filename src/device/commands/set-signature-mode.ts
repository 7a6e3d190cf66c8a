import { expectOfDevice } from '../errors.ts';
import type { DeviceSession } from '../session.ts';

const REAL = 1;

/** What is signed from now on is meant. The reference wallet's other mode is for estimates of fees, which we make without the device. */
export function setRealMode(session: DeviceSession): Promise<void> {
  return session.ask({ instruction: 0x72, p1: 1, data: Uint8Array.of(REAL) }, (reply) => {
    expectOfDevice(reply.u32() === REAL, 'the mode that was set');
  });
}
