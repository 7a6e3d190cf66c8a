import { concatBytes } from '../../base/index.ts';
import { u32be } from '../apdu.ts';
import type { DeviceSession } from '../session.ts';

/** Hs(D ‖ i) + s, sealed. @param derivation sealed; `secret` sealed, or what stands for the spend key */
export function deriveSecretKey(
  session: DeviceSession,
  derivation: Uint8Array,
  index: number,
  secret: Readonly<Uint8Array>,
): Promise<Uint8Array> {
  const data = concatBytes(session.slot(derivation), u32be(index), session.slot(secret));
  return session.ask({ instruction: 0x38, data }, (reply) => reply.secret());
}
