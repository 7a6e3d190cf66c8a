import { concatBytes } from '../../base/index.ts';
import type { DeviceSession } from '../session.ts';

/** Statement to prove: one r makes R of G (or of B) and D of A. 32 bytes each. */
export interface TxProofAsked {
  /** The hash that is signed. */
  readonly hash: Uint8Array;
  readonly R: Uint8Array;
  readonly A: Uint8Array;
  readonly B: Uint8Array | undefined;
  readonly D: Uint8Array;
}

/** A proof of the second form, 64 bytes c ‖ r. @param secret r, sealed, or what stands for the view key */
export function getTxProof(
  session: DeviceSession,
  { hash, R, A, B, D }: TxProofAsked,
  secret: Readonly<Uint8Array>,
): Promise<Uint8Array> {
  const data = concatBytes(hash, R, A, B ?? new Uint8Array(32), D, session.slot(secret));
  return session.ask({ instruction: 0xa0, option: B === undefined ? 0 : 1, data }, (reply) => {
    return concatBytes(reply.scalar(), reply.scalar());
  });
}
