import { concatBytes } from '../../base/index.ts';
import { u32be } from '../apdu.ts';
import type { DeviceSession } from '../session.ts';

/** P − Hs(D ‖ i)·G, 32 bytes. @param derivation sealed */
export function deriveSubaddressPublicKey(
  session: DeviceSession,
  key: Uint8Array,
  derivation: Uint8Array,
  index: number,
): Promise<Uint8Array> {
  const data = concatBytes(key, session.slot(derivation), u32be(index));
  return session.ask({ instruction: 0x46, data }, (reply) => reply.point());
}
