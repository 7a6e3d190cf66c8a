import { concatBytes, equalBytes, u64ToBytes } from '../../base/index.ts';
import { expectOfDevice } from '../errors.ts';
import { type DeviceSession, SPEND_KEY_SLOT, VIEW_KEY_SLOT } from '../session.ts';

/** A transaction on the device, from its opening to its end, and what goes into it. */

const REAL = 1;

/** Switches to real signing. The reference wallet's other mode is for fee estimates, which we make without the device. */
export function setRealMode(session: DeviceSession): Promise<void> {
  return session.ask({ instruction: 0x72, p1: 1, data: Uint8Array.of(REAL) }, (reply) => {
    expectOfDevice(reply.u32() === REAL, 'the mode that was set');
  });
}

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

/** Closes the transaction: the HMACs become invalid. */
export async function closeTx(session: DeviceSession): Promise<void> {
  session.endTransaction();
  await session.ask({ instruction: 0x80 }, () => undefined);
}

const PIECE = 254;
const MORE = 0x80;

/**
 * Has the device hash the transaction's prefix: it asks its owner if there is an unlock time.
 * @param head version and unlock time; `rest` everything after them
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

/** Encrypts a payment id of 8 bytes to a view key. @param secret r, sealed */
export function stealth(
  session: DeviceSession,
  viewKey: Uint8Array,
  secret: Uint8Array,
  paymentId: Uint8Array,
): Promise<Uint8Array> {
  const data = concatBytes(viewKey, session.slot(secret), paymentId);
  return session.ask({ instruction: 0x76, data }, (reply) => reply.bytes(8));
}

/** Hides an amount: the 8 bytes on the chain. @param amountKey sealed; `mask` of the commitment, 32 bytes; `amount` atomic units */
export function blind(session: DeviceSession, amountKey: Uint8Array, mask: Uint8Array, amount: bigint): Promise<Uint8Array> {
  const data = concatBytes(session.slot(amountKey), mask, u64ToBytes(amount), new Uint8Array(24));
  return session.ask({ instruction: 0x78, option: 0x02, data }, (reply) => {
    const hidden = reply.bytes(32);
    reply.bytes(32);
    return hidden.slice(0, 8);
  });
}

/** The mask of an output's commitment, 32 bytes. @param amountKey sealed */
export function genCommitmentMask(session: DeviceSession, amountKey: Uint8Array): Promise<Uint8Array> {
  return session.ask({ instruction: 0x77, data: session.slot(amountKey) }, (reply) => reply.scalar());
}
