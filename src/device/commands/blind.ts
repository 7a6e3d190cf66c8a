import { concatBytes, u64ToBytes } from '../../base/index.ts';
import type { DeviceSession } from '../session.ts';

/** Hides an amount: the 8 bytes that the chain shows. @param amountKey sealed; `mask` of the commitment, 32 bytes; `amount` atomic units */
export function blind(session: DeviceSession, amountKey: Uint8Array, mask: Uint8Array, amount: bigint): Promise<Uint8Array> {
  const data = concatBytes(session.slot(amountKey), mask, u64ToBytes(amount), new Uint8Array(24));
  return session.ask({ instruction: 0x78, option: 0x02, data }, (reply) => {
    const hidden = reply.bytes(32);
    reply.bytes(32);
    return hidden.slice(0, 8);
  });
}
