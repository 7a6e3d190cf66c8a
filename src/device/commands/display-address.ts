import { concatBytes, u32ToBytes } from '../../base/index.ts';
import type { SubaddressIndex } from '../../crypto/index.ts';
import type { DeviceSession } from '../session.ts';

/**
 * Has the device show an address, and waits until its owner has looked. It does not tell whether they agreed.
 * @param paymentId 8 bytes: the integrated address, of the wallet's first address alone
 */
export function displayAddress(session: DeviceSession, { major, minor }: SubaddressIndex, paymentId?: Uint8Array): Promise<void> {
  const data = concatBytes(u32ToBytes(major), u32ToBytes(minor), paymentId ?? new Uint8Array(8));
  return session.ask({ instruction: 0x21, p1: paymentId === undefined ? 0 : 1, data }, () => undefined, true);
}
