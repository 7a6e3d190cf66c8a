import { asciiToBytes } from '../../base/index.ts';
import type { DeviceSession } from '../session.ts';

/** Version sent to the app, which refuses others than 0.18, and more than 14 characters. */
const VERSION = '0.18.5.3';

/**
 * Resets the device: anything open is dropped. Sends our protocol version, and receives the app's: three numbers.
 * @throws DeviceError `app-too-new` if the app does not support our version
 */
export function reset(session: DeviceSession): Promise<readonly [number, number, number]> {
  session.endTransaction();
  return session.ask({ instruction: 0x02, data: asciiToBytes(VERSION) }, (reply) => {
    const [major = 0, minor = 0, patch = 0] = reply.bytes(3);
    return [major, minor, patch] as const;
  });
}
