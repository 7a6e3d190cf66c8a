import { concatBytes, varintBytes } from '../../base/index.ts';
import type { PaidAddress } from '../../protocol/index.ts';
import type { DeviceSession } from '../session.ts';

const MORE = 0x80;
const SHORT_AMOUNTS = 0x02;

/** The device shows the fee, on some models at once. @param type of RingCT; `fee` atomic units @throws DeviceError `refused` */
export function validateFee(session: DeviceSession, type: number, fee: bigint): Promise<void> {
  const data = concatBytes(Uint8Array.of(type), varintBytes(fee));
  return session.ask({ instruction: 0x7c, p1: 1, p2: 1, option: MORE, data }, () => undefined, true);
}

/** An output as it is shown to the device's owner. */
export interface OutputShown {
  readonly address: PaidAddress;
  readonly isChange: boolean;
  /** Sealed. */
  readonly amountKey: Uint8Array;
  /** 32 bytes. */
  readonly commitment: Uint8Array;
  /** 8 bytes, as the chain has them. */
  readonly amount: Uint8Array;
}

/** The device shows an output. @param turn from 1; `last` of all @throws DeviceError `refused` */
export function validateOutput(session: DeviceSession, shown: OutputShown, turn: number, last: boolean): Promise<void> {
  const { address, isChange, amountKey, commitment, amount } = shown;
  const flags = Uint8Array.of(address.isSubaddress ? 1 : 0, isChange ? 1 : 0);
  const blinded = concatBytes(commitment, new Uint8Array(32), amount, new Uint8Array(24));
  const data = concatBytes(flags, address.viewKey, address.spendKey, session.slot(amountKey), blinded);
  const option = SHORT_AMOUNTS | (last ? 0 : MORE);
  return session.ask({ instruction: 0x7c, p1: 2, p2: turn, option, data }, () => undefined, true);
}

/** Closes what is signed: all commitments, the hashes of prefix and range proof. @returns the message, 32 bytes */
export async function validateCommitments(
  session: DeviceSession,
  commitments: readonly Uint8Array[],
  hashes: { readonly prefix: Uint8Array; readonly rangeProof: Uint8Array },
): Promise<Uint8Array> {
  for (const [i, data] of commitments.entries()) {
    await session.ask({ instruction: 0x7c, p1: 3, p2: i + 1, option: MORE, data }, () => undefined);
  }
  const data = concatBytes(hashes.prefix, hashes.rangeProof);
  return session.ask({ instruction: 0x7c, p1: 3, p2: commitments.length + 1, data }, (reply) => reply.bytes(32));
}
