import { equalBytes } from '../../base/index.ts';
import { expectOfDevice } from '../errors.ts';
import { type DeviceSession, SPEND_KEY_SLOT, VIEW_KEY_SLOT } from '../session.ts';

/**
 * Opens a transaction: the device draws its key r, and a key for the HMACs of every secret until it is closed.
 * @returns r·G, and r sealed
 */
export function openTx(session: DeviceSession): Promise<{ readonly publicKey: Uint8Array; readonly secret: Uint8Array }> {
  session.beginTransaction();
  return session.ask({ instruction: 0x70, p1: 1, data: new Uint8Array(4) }, (reply) => {
    const opened = { publicKey: reply.point(), secret: reply.secret() };
    const standIns = equalBytes(reply.secret(), VIEW_KEY_SLOT) && equalBytes(reply.secret(), SPEND_KEY_SLOT);
    expectOfDevice(standIns, "what stands for the wallet's keys");
    return opened;
  });
}
