import { asciiToBytes } from '../../base/index.ts';
import type { DeviceSession } from '../session.ts';

/** Version told to the app, which refuses others than 0.18, and more than 14 characters. */
const VERSION = '0.18.5.3';

/**
 * Begins anew: whatever was open on the device is dropped. Tells the app which protocol we speak, and is told its version: three numbers.
 * @throws DeviceError `app-too-new` where the app does not speak to our version
 */
export function reset(session: DeviceSession): Promise<readonly [number, number, number]> {
  session.endTransaction();
  return session.ask({ instruction: 0x02, data: asciiToBytes(VERSION) }, (reply) => {
    const [major = 0, minor = 0, patch = 0] = reply.bytes(3);
    return [major, minor, patch] as const;
  });
}
