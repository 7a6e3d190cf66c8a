import type { DeviceSession } from '../session.ts';

const PIECE = 254;
const MORE = 0x80;

/**
 * Has the device hash the transaction's prefix: it asks its owner where that is locked for a time.
 * @param head version and unlock time; `rest` everything behind them
 * @returns 32 bytes
 */
export async function prefixHash(session: DeviceSession, head: Uint8Array, rest: Uint8Array): Promise<Uint8Array> {
  await session.ask({ instruction: 0x7d, p1: 1, data: head }, () => undefined, true);
  for (let turn = 1; ; turn++) {
    const data = rest.subarray((turn - 1) * PIECE, turn * PIECE);
    const command = { instruction: 0x7d, p1: 2, p2: turn, data };
    if (turn * PIECE >= rest.length) return session.ask(command, (reply) => reply.bytes(32));
    await session.ask({ ...command, option: MORE }, () => undefined);
  }
}
