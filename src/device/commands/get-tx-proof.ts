import { concatBytes } from '../../base/index.ts';
import type { TxProofStatement } from '../../crypto/index.ts';
import type { DeviceSession } from '../session.ts';

/** A proof of the second form, 64 bytes c ‖ r. @param secret r, sealed, or what stands for the view key */
export function getTxProof(
  session: DeviceSession,
  { hash, R, A, B, D }: TxProofStatement,
  secret: Readonly<Uint8Array>,
): Promise<Uint8Array> {
  const data = concatBytes(hash, R, A, B ?? new Uint8Array(32), D, session.slot(secret));
  return session.ask({ instruction: 0xa0, option: B === undefined ? 0 : 1, data }, (reply) => {
    return concatBytes(reply.scalar(), reply.scalar());
  });
}
