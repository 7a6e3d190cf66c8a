import type { DeviceSession } from '../session.ts';

/** Closes the transaction: the HMACs are worth nothing any more. */
export async function closeTx(session: DeviceSession): Promise<void> {
  session.endTransaction();
  await session.ask({ instruction: 0x80 }, () => undefined);
}
