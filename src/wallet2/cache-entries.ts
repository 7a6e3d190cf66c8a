import { bytesToHex } from '../base/index.ts';
import type { SubaddressIndex } from '../crypto/keys.ts';
import { type ByteReader, ProtocolError } from '../protocol/index.ts';
import { bool } from './archive.ts';
import { anyPrefix, passMany, passVarint, readPrefix } from './cache-prefix.ts';
import { type TxDestination, txDestination } from './construction.ts';
import { transferDetailsLayout } from './transfers.ts';

/** Facts about a wallet's output (`transfer_details`, wallet2.h) that are not on the chain. */
export interface CachedOutput {
  /** One-time key, 64 hex digits; undefined in the made-up prefixes of cold wallets. */
  readonly key: string | undefined;
  /** Id of its transaction, 64 hex digits. */
  readonly txHash: string;
  readonly subaddress: SubaddressIndex;
  readonly frozen: boolean;
  /** 64 hex digits; undefined if the wallet does not know it. */
  readonly keyImage: string | undefined;
}

/** A transaction that the wallet made (`confirmed_transfer_details`, `unconfirmed_transfer_details`). Amounts in atomic units. */
export interface CachedSend {
  /** 64 hex digits. */
  readonly txHash: string;
  /** Atomic units that came back to the wallet. */
  readonly change: bigint;
  /** Recipients; empty if the wallet did not store them. */
  readonly destinations: readonly TxDestination[];
  /** 32 bytes, zeros for none: only the first eight for a short one. */
  readonly paymentId: Uint8Array;
  readonly account: number;
  /** Ascending. */
  readonly subaddresses: readonly number[];
}

/** An entry of the address book (`address_book_row`). */
export interface CachedContact {
  /** 32 bytes each. */
  readonly spendKey: Uint8Array;
  readonly viewKey: Uint8Array;
  readonly isSubaddress: boolean;
  /** 8 bytes; undefined for none. */
  readonly paymentId: Uint8Array | undefined;
  readonly description: string;
}

/** 32 bytes as hex digits. */
export const hex = (reader: ByteReader): string => bytesToHex(reader.key());

/** Text as people wrote it: bytes that are not UTF-8 become U+FFFD. */
export function readText(reader: ByteReader): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(reader.bytes(reader.count(1)));
}

/** Reads the count, 2, with which every pair begins. */
export function readPair(reader: ByteReader): void {
  const count = reader.varint();
  if (count !== 2n) throw new ProtocolError('bad-structure', `expected a pair, got ${count} elements`);
}

/** Pairs of a map, in the file's order. @param minSize of key and value together */
export function readMap<K, V>(
  reader: ByteReader,
  minSize: number,
  readKey: (reader: ByteReader) => K,
  readValue: (reader: ByteReader) => V,
): [K, V][] {
  return reader.list(1 + minSize, (r) => {
    readPair(r);
    return [readKey(r), readValue(r)];
  });
}

/** A map from hashes or keys to values. */
export function readHexMap<V>(reader: ByteReader, minSize: number, readValue: (reader: ByteReader) => V): [string, V][] {
  return readMap(reader, 32 + minSize, hex, readValue);
}

/** Account and index, four bytes each. */
export const readIndex = (reader: ByteReader): SubaddressIndex => ({ major: reader.u32(), minor: reader.u32() });

/** Reads a part's version. @param newest version ever written, and the newest that can be read @throws ProtocolError `bad-structure` */
export function readVersion(reader: ByteReader, newest: number): number {
  const version = reader.varintNumber(32);
  if (version > newest) throw new ProtocolError('bad-structure', `expected version ${newest} or older, got ${version}`);
  return version;
}

const details = transferDetailsLayout(anyPrefix);

/** Minimum bytes of an output. */
export const MIN_OUTPUT = details.minSize;

/** An output of the wallet: what a scan does not find again is kept, the rest is skipped. @throws ProtocolError */
export function readOutput(reader: ByteReader): CachedOutput {
  const { prefix, outputIndex, txHash, subaddress, frozen, keyImage, ...is } = details.read(reader);
  const key = outputIndex < BigInt(prefix.length) ? prefix[Number(outputIndex)] : undefined;
  return {
    key: key && bytesToHex(key),
    txHash: bytesToHex(txHash),
    subaddress,
    frozen,
    keyImage: is.keyImageKnown && !is.keyImagePartial ? bytesToHex(keyImage) : undefined,
  };
}

/** Minimum bytes of a received payment, and of one in the pool. */
export const MIN_PAYMENT = 48;

/** Skips a received payment, which is on the chain as well. */
export function passPayment(reader: ByteReader): void {
  readVersion(reader, 0);
  reader.skip(32);
  reader.varint();
  passMany(reader, 1, passVarint);
  for (let i = 0; i < 4; i++) reader.varint(); // fee, height, unlock time, time
  bool.read(reader);
  readIndex(reader);
}

/** Skips a payment that was in the pool (`pool_payment_details`): the daemon reports it again. */
export function passPoolPayment(reader: ByteReader): void {
  readVersion(reader, 0);
  passPayment(reader);
  bool.read(reader);
}

/** Minimum bytes of a transaction that the wallet made. */
export const MIN_SEND = 43;

/** One that is not on the chain yet, or never will be. */
export function readUnconfirmed(reader: ByteReader): Omit<CachedSend, 'txHash'> {
  const version = readVersion(reader, 1);
  readPrefix(reader);
  return readSend(reader, version >= 1 ? 2 : 1); // pending, in the pool, or failed; time
}

/** One that is on the chain. */
export function readConfirmed(reader: ByteReader): Omit<CachedSend, 'txHash'> {
  if (readVersion(reader, 1) >= 1) readPrefix(reader);
  return readSend(reader, 2); // time, unlock time
}

/** The part after the prefix; its rings are on the chain. @param passed number of unused integers after the payment id */
function readSend(reader: ByteReader, passed: number): Omit<CachedSend, 'txHash'> {
  for (let i = 0; i < 2; i++) reader.varint(); // total of inputs, and of outputs
  const change = reader.varint();
  reader.varint(); // when it was sent, or its height
  const destinations = reader.list(txDestination.minSize, (r) => txDestination.read(r));
  const paymentId = reader.key();
  for (let i = 0; i < passed; i++) reader.varint();
  const account = reader.varintNumber(32);
  const subaddresses = reader.list(1, (r) => r.varintNumber(32));
  passMany(reader, 34, (r) => {
    readPair(r);
    r.skip(32);
    passMany(r, 1, passVarint);
  });
  return { change, destinations, paymentId, account, subaddresses };
}

/** Minimum bytes of a contact. */
export const MIN_CONTACT = 76;

/** An entry of the address book (`address_book_row`). @throws ProtocolError */
export function readContact(reader: ByteReader): CachedContact {
  readVersion(reader, 0);
  const [spendKey, viewKey] = [reader.key(), reader.key()];
  const paymentId = reader.bytes(8);
  const description = readText(reader);
  const isSubaddress = bool.read(reader);
  const hasPaymentId = bool.read(reader);
  return { spendKey, viewKey, isSubaddress, paymentId: hasPaymentId ? paymentId : undefined, description };
}
