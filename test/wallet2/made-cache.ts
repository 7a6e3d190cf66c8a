import { asciiToBytes } from '../../src/base/index.ts';
import type { AddressKeys } from '../../src/protocol/address.ts';
import { ByteWriter } from '../../src/protocol/bytes.ts';

/** 32 bytes that are told apart by a number. */
const bytesOf = (number: number): Uint8Array => new Uint8Array(32).fill(number);

export const MADE = {
  txHash: bytesOf(0x11),
  outputKey: bytesOf(0x22),
  keyImage: bytesOf(0x33),
  txKey: bytesOf(0x44),
  additionalKey: bytesOf(0x55),
  coldKey: bytesOf(0x66),
  coldImage: bytesOf(0x77),
} as const;

const text = (writer: ByteWriter, value: string) => {
  const bytes = new TextEncoder().encode(value);
  writer.varint(bytes.length).bytes(bytes);
};

/** A prefix as cold wallets make them up: a script for the output before, then one to a key. */
function prefix(writer: ByteWriter): void {
  writer.varint(2).varint(0);
  writer.varint(1).u8(2).varint(0).varint(2).varint(5).varint(6).key(MADE.keyImage);
  writer.varint(2).varint(0).u8(0).varint(0).varint(0).varint(0).u8(3).key(MADE.outputKey).u8(9);
  writer.varint(1).u8(1);
}

function output(writer: ByteWriter): void {
  writer.u64(7n);
  prefix(writer);
  writer.key(MADE.txHash).u64(1n).u64(99n).u8(0).u8(1).u64(0n).key(MADE.keyImage).key(bytesOf(1)).u64(5n);
  writer.u8(1).u8(1).u8(0).u64(0n).u32(2).u32(3).u8(0);
  writer.varint(1).key(bytesOf(2));
  writer.varint(1).key(bytesOf(3)).varint(1).key(bytesOf(4)).key(bytesOf(5)).varint(1).key(bytesOf(6));
  writer.varint(1).varint(2).varint(70).key(bytesOf(7));
}

function destinations(writer: ByteWriter, { spendKey, viewKey }: AddressKeys): void {
  writer.varint(2);
  text(writer, 'whom it was written to');
  writer.varint(10).key(spendKey).key(viewKey).u8(0).u8(0);
  text(writer, '');
  writer.varint(20).key(spendKey).key(viewKey).u8(0).u8(1);
}

function spender(writer: ByteWriter): void {
  writer.varint(2).varint(2).varint(0).varint(3);
  writer.varint(1).varint(2).key(MADE.keyImage).varint(2).varint(5).varint(6);
}

function payment(writer: ByteWriter): void {
  writer.varint(0).key(MADE.txHash).varint(5).varint(2).varint(2).varint(3);
  writer.varint(1).varint(7).varint(0).varint(1_700_000_000).u8(0).u32(2).u32(3);
}

/**
 * A cache in clear with one of everything: an output, transactions under way and confirmed, payments, key images, background data.
 * @param wide positions in full width, as where size_t is no uint64_t
 */
export function madeCache(account: AddressKeys, version = 2, wide = false): Uint8Array {
  const writer = new ByteWriter().bytes(asciiToBytes('monero wallet cache')).varint(version);
  const position = () => (wide ? writer.u64(0n) : writer.varint(0));
  const entry = () => writer.varint(1).varint(2);
  const paymentId = new Uint8Array(32).fill(0xab, 0, 8);
  writer.varint(0).varint(3).key(bytesOf(8)).varint(2).key(bytesOf(8)).key(bytesOf(9));
  writer.varint(1);
  output(writer);
  writer.key(account.spendKey).key(account.viewKey);
  entry().key(MADE.keyImage);
  position();
  entry().key(bytesOf(0x12)).varint(1);
  prefix(writer);
  writer.varint(40).varint(30).varint(8).varint(1_700_000_000);
  destinations(writer, account);
  writer.key(paymentId).varint(1).varint(0);
  spender(writer);
  entry().key(bytesOf(0));
  payment(writer);
  entry().key(MADE.txHash).key(MADE.txKey);
  entry().key(MADE.txHash).varint(1);
  prefix(writer);
  writer.varint(40).varint(30).varint(9).varint(7);
  destinations(writer, account);
  writer.key(paymentId).varint(1_700_000_000).varint(0);
  spender(writer);
  entry().key(MADE.txHash);
  text(writer, 'a note');
  entry().key(bytesOf(0)).varint(0);
  payment(writer);
  writer.u8(1);
  entry().key(MADE.outputKey);
  position();
  writer.varint(0); // contacts
  writer.varint(1).key(MADE.txHash).varint(0); // transactions of the pool that were looked at
  entry().key(account.spendKey).u32(0).u32(0);
  writer.varint(1).varint(1);
  text(writer, 'Primary account');
  entry().key(MADE.txHash).varint(1).key(MADE.additionalKey);
  entry();
  text(writer, 'key');
  text(writer, 'value');
  writer.varint(2).varint(0).varint(0); // tags
  writer.u8(1).u64(6n);
  entry().key(MADE.txHash);
  text(writer, 'of a device');
  writer.u64(0n);
  entry().key(MADE.coldKey).key(MADE.coldImage);
  writer.key(bytesOf(0));
  if (version >= 1) writer.u8(1);
  if (version >= 2) writer.varint(0).u8(1).u64(0n).varint(0).u64(0n).varint(50).varint(200).varint(1);
  return writer.finish();
}
