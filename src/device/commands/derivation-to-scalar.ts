import { concatBytes } from '../../base/index.ts';
import { u32be } from '../apdu.ts';
import type { DeviceSession } from '../session.ts';

/** Hs(D ‖ i), sealed. @param derivation sealed */
export function derivationToScalar(session: DeviceSession, derivation: Uint8Array, index: number): Promise<Uint8Array> {
  const data = concatBytes(session.slot(derivation), u32be(index));
  return session.ask({ instruction: 0x34, data }, (reply) => reply.secret());
}
