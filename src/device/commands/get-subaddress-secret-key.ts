import { concatBytes, u32ToBytes } from '../../base/index.ts';
import type { SubaddressIndex } from '../../crypto/index.ts';
import { type DeviceSession, VIEW_KEY_SLOT } from '../session.ts';

/**
 * What a subaddress adds to the spend key, sealed. In a transaction the app remembers it: change may go to this subaddress, and to the first of
 * its account.
 */
export function getSubaddressSecretKey(session: DeviceSession, { major, minor }: SubaddressIndex): Promise<Uint8Array> {
  const data = concatBytes(session.slot(VIEW_KEY_SLOT), u32ToBytes(major), u32ToBytes(minor));
  return session.ask({ instruction: 0x4c, data }, (reply) => reply.secret());
}
