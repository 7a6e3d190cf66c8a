import { type ByteReader, ByteWriter } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';
import { type EcdhInfo, type RctBase, RctType } from '../model.ts';

/** Types 4 and up keep 8 bytes of encrypted amount; 1 to 3 keep a 32-byte mask and a 32-byte amount. */
function hasCompactAmounts(type: RctType): boolean {
  return type >= RctType.Bulletproof2;
}

/** Reads the part of RingCT that every node keeps (rctTypes.h, serialize_rctsig_base). */
export function readRctBase(reader: ByteReader, inputs: number, outputs: number): RctBase {
  const type = reader.u8();
  if (type === RctType.Null) return { type, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] };
  if (type > RctType.BulletproofPlus)
    throw new ProtocolError('unknown-tag', `expected a RingCT type of 0 to 6, got ${type}`, { type });
  const fee = reader.varint();
  const pseudoOuts = type === RctType.Simple ? reader.keys(inputs) : [];
  const ecdhInfo = readEcdhInfo(reader, type, outputs);
  const outPk = reader.keys(outputs);
  return { type, fee, pseudoOuts, ecdhInfo, outPk };
}

function readEcdhInfo(reader: ByteReader, type: RctType, outputs: number): EcdhInfo[] {
  if (hasCompactAmounts(type)) return reader.byteStrings(outputs, 8).map((amount) => ({ mask: undefined, amount }));
  const keys = reader.keys(2 * outputs);
  return Array.from({ length: outputs }, (_, i) => ({ mask: keys[2 * i]!, amount: keys[2 * i + 1]! }));
}

/** @throws `bad-structure` when the lists do not have the lengths that the type, `inputs` and `outputs` ask for */
export function writeRctBase(writer: ByteWriter, rct: RctBase, inputs: number, outputs: number): void {
  writer.u8(rct.type);
  if (rct.type === RctType.Null) return;
  writer.varint(rct.fee);
  expectLength(rct.pseudoOuts, rct.type === RctType.Simple ? inputs : 0, 'pseudo outputs in the RingCT base');
  writer.keys(rct.pseudoOuts);
  expectLength(rct.ecdhInfo, outputs, 'encrypted amounts');
  for (const { mask, amount } of rct.ecdhInfo) {
    if (hasCompactAmounts(rct.type)) writer.fixed(amount, 8);
    else if (mask !== undefined) writer.key(mask).key(amount);
    else throw new ProtocolError('bad-structure', `expected a mask beside each encrypted amount of RingCT type ${rct.type}`);
  }
  expectLength(rct.outPk, outputs, 'output commitments');
  writer.keys(rct.outPk);
}

/** The bytes that the base hash covers. @throws as {@link writeRctBase} */
export function serializeRctBase(rct: RctBase, inputs: number, outputs: number): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(1024);
  writeRctBase(writer, rct, inputs, outputs);
  return writer.finish();
}

export function expectLength(list: readonly unknown[], length: number, what: string): void {
  if (list.length !== length) throw new ProtocolError('bad-structure', `expected ${length} ${what}, got ${list.length}`);
}
