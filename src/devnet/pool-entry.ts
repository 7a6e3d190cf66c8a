import { hexToBytes } from '../base/index.ts';
import { ByteReader, ByteWriter } from '../protocol/index.ts';
import type { Chain } from './chain.ts';
import { type ParsedTransaction, parseWholeTransaction } from './parsed.ts';

/** An unconfirmed transaction in the pool. */
export interface PoolTransaction extends ParsedTransaction {
  /** Unix seconds. */
  readonly receivedAt: number;
  /** Number of transactions that came before it, since the pool was new. */
  readonly place: number;
  /** Whether it returned from a removed block. */
  readonly fromBlock: boolean;
  /** Whether it is not relayed yet: it is mined like the others, but shown only to the owner, not by a restricted service. */
  doNotRelay: boolean;
  /** Whether a second transaction with one of its key images was seen. */
  doubleSpendSeen: boolean;
  /** Block of its newest ring member when it came, or when a template last checked it; of height 0 if members are missing. */
  newest: BlockPlace;
  /** The newest block on which a template could not include it; it stays when a later one can. */
  failedAt: BlockPlace | undefined;
}

/** A block by its height and id. */
export interface BlockPlace {
  readonly height: number;
  readonly id: string;
}

/** The main chain's block at a height; an empty id above the newest. */
export const placeOf = (chain: Chain, height: number): BlockPlace => ({ height, id: chain.blockAt(height)?.id ?? '' });

/** The best fee per weight first, then the earliest; within one second, by id (tx_pool.h, txCompare). */
export function byFee(a: PoolTransaction, b: PoolTransaction): number {
  const difference = Number(b.fee) / b.weight - Number(a.fee) / a.weight || a.receivedAt - b.receivedAt;
  return difference || (a.id < b.id ? -1 : 1);
}

/** The order of the reference's database: ids (hex) as numbers, the last byte most significant (db_lmdb.cpp, compare_hash32). */
export const compareStoredIds = (a: string, b: string): number =>
  Buffer.compare(hexToBytes(a).reverse(), hexToBytes(b).reverse());

/** Transactions in the order of {@link compareStoredIds}. */
export const byStoredId = (a: PoolTransaction, b: PoolTransaction): number => compareStoredIds(a.id, b.id);

const DO_NOT_RELAY = 1;
const FROM_BLOCK = 2;
const DOUBLE_SPEND_SEEN = 4;

/** Stored form: flags, time of arrival, place, height of the newest ring member, and bytes. */
export function encodeEntry(entry: PoolTransaction): Uint8Array {
  const writer = new ByteWriter(entry.blob.length + 32);
  const { doNotRelay, fromBlock, doubleSpendSeen } = entry;
  writer.u8(Number(doNotRelay) * DO_NOT_RELAY + Number(fromBlock) * FROM_BLOCK + Number(doubleSpendSeen) * DOUBLE_SPEND_SEEN);
  writer.varint(entry.receivedAt).varint(entry.place).varint(entry.newest.height);
  return writer.bytes(entry.blob).finish();
}

/** @throws ProtocolError for anything but a transaction */
export function decodeEntry(bytes: Uint8Array, chain: Chain): PoolTransaction {
  const reader = new ByteReader(bytes);
  const flags = reader.u8();
  const [receivedAt, place, newest] = [reader.varintNumber(), reader.varintNumber(), reader.varintNumber()];
  return {
    ...parseWholeTransaction(reader.bytes(reader.remaining)),
    ...{ receivedAt, place, newest: placeOf(chain, newest), failedAt: undefined },
    doNotRelay: (flags & DO_NOT_RELAY) !== 0,
    fromBlock: (flags & FROM_BLOCK) !== 0,
    doubleSpendSeen: (flags & DOUBLE_SPEND_SEEN) !== 0,
  };
}
