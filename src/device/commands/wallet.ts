import { bytesToLatin1, concatBytes, u32ToBytes } from '../../base/index.ts';
import type { SubaddressIndex } from '../../crypto/index.ts';
import type { DeviceSession } from '../session.ts';

/** Which wallet the device holds. */

/** Both public keys of the wallet, and its address as the device writes it, which shows its network. */
export function getPublicKeys(
  session: DeviceSession,
): Promise<{ readonly viewKey: Uint8Array; readonly spendKey: Uint8Array; readonly address: string }> {
  return session.ask({ instruction: 0x20, p1: 1 }, (reply) => {
    const [viewKey, spendKey] = [reply.point(), reply.point()];
    return { viewKey, spendKey, address: bytesToLatin1(reply.bytes(95)) };
  });
}

/** The secret view key, 32 bytes: the device asks its owner first. @throws DeviceError `refused` */
export function getViewKey(session: DeviceSession): Promise<Uint8Array> {
  return session.ask({ instruction: 0x20, p1: 2 }, (reply) => reply.scalar(), true);
}

/**
 * Has the device show an address, and waits until its owner has looked. It does not report whether they agreed.
 * @param paymentId 8 bytes: the integrated address, for the wallet's primary address only
 */
export function displayAddress(session: DeviceSession, { major, minor }: SubaddressIndex, paymentId?: Uint8Array): Promise<void> {
  const data = concatBytes(u32ToBytes(major), u32ToBytes(minor), paymentId ?? new Uint8Array(8));
  return session.ask({ instruction: 0x21, p1: paymentId === undefined ? 0 : 1, data }, () => undefined, true);
}
