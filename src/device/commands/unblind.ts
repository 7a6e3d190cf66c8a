import { concatBytes } from '../../base/index.ts';
import type { DeviceSession } from '../session.ts';

/** Opens an amount: the 8 bytes in clear, and the mask of its commitment, 32. @param key of the amount, sealed; `amount` 8 bytes as the chain has them */
export function unblind(
  session: DeviceSession,
  key: Uint8Array,
  amount: Uint8Array,
): Promise<{ readonly amount: Uint8Array; readonly mask: Uint8Array }> {
  const data = concatBytes(session.slot(key), new Uint8Array(32), amount, new Uint8Array(24));
  return session.ask({ instruction: 0x7a, option: 0x02, data }, (reply) => {
    return { amount: reply.bytes(32).slice(0, 8), mask: reply.bytes(32) };
  });
}
