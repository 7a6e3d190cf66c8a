import type { Random } from '../../crypto/random.ts';
import { ByteWriter } from '../../protocol/bytes.ts';
import type { WalletEvent } from '../../wallet/state/events.ts';
import { DecodeError } from '../codec/decode.ts';
import { decodeEvents, encodeEvents } from '../codec/events.ts';
import { damagedError } from '../errors.ts';
import { seal, unseal } from './header.ts';

/** Common part of the seals of a journal's records. */
export interface RecordSeal {
  readonly masterKey: Uint8Array;
  readonly walletId: Uint8Array;
  readonly generation: number;
}

/** Binds a record to wallet, generation and position: one that was moved, repeated, or taken from elsewhere does not open. */
function bound({ walletId, generation }: RecordSeal, position: number): Uint8Array {
  return new ByteWriter(32).bytes(walletId).u32(generation).u64(BigInt(position)).finish();
}

/** The sealed bytes of the record at a position, counted from 0. */
export function sealRecord(
  key: RecordSeal,
  position: number,
  events: readonly WalletEvent[],
  random: Random,
): Uint8Array<ArrayBuffer> {
  const plain = encodeEvents(events);
  const sealed = seal(key.masterKey, plain, bound(key, position), random);
  plain.fill(0);
  return sealed;
}

/** @throws StorageError `damaged` naming the record */
export function openRecord(key: RecordSeal, position: number, sealed: Uint8Array): WalletEvent[] {
  const plain = unseal(key.masterKey, sealed, bound(key, position));
  if (plain === undefined) throw damagedError(position, 'its seal to hold');
  try {
    return decodeEvents(plain);
  } catch (error) {
    if (error instanceof DecodeError) throw damagedError(position, error.message.replace(/^expected /, ''));
    throw error;
  } finally {
    plain.fill(0);
  }
}
