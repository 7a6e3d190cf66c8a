import { bytesToLatin1 } from '../../base/index.ts';
import type { DeviceSession } from '../session.ts';

/** Both public keys of the wallet, and its address as the device writes it: which network it is set to. */
export function getPublicKeys(
  session: DeviceSession,
): Promise<{ readonly viewKey: Uint8Array; readonly spendKey: Uint8Array; readonly address: string }> {
  return session.ask({ instruction: 0x20, p1: 1 }, (reply) => {
    const [viewKey, spendKey] = [reply.point(), reply.point()];
    return { viewKey, spendKey, address: bytesToLatin1(reply.bytes(95)) };
  });
}
