import { type ByteReader, type ByteWriter, writeBytes } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';
import { type EcdhInfo, type RctBase, RctType } from '../model.ts';
import { type RctForm, rctForm } from './rct-forms.ts';

/** The RingCT part of a coinbase transaction. */
export const NO_RCT: RctBase = { type: RctType.Null, fee: 0n, pseudoOuts: [], ecdhInfo: [], outPk: [] };

/** Reads the part of RingCT that every node keeps (rctTypes.h, serialize_rctsig_base). */
export function readRctBase(reader: ByteReader, inputs: number, outputs: number): RctBase {
  const type = reader.u8();
  if (type === RctType.Null) return NO_RCT;
  const form = rctForm(type);
  const fee = reader.varint();
  const pseudoOuts = form.pseudoOuts === 'base' ? reader.keys(inputs) : [];
  const ecdhInfo = readEcdhInfo(reader, form, outputs);
  const outPk = reader.keys(outputs);
  return { type, fee, pseudoOuts, ecdhInfo, outPk };
}

function readEcdhInfo(reader: ByteReader, { compactAmounts }: RctForm, outputs: number): EcdhInfo[] {
  if (compactAmounts) return reader.byteStrings(outputs, 8).map((amount) => ({ mask: undefined, amount }));
  const keys = reader.keys(2 * outputs);
  return Array.from({ length: outputs }, (_, i) => ({ mask: keys[2 * i]!, amount: keys[2 * i + 1]! }));
}

/** @throws `bad-structure` when the lists do not have the lengths that the type, `inputs` and `outputs` require */
export function writeRctBase(writer: ByteWriter, rct: RctBase, inputs: number, outputs: number): void {
  writer.u8(rct.type);
  if (rct.type === RctType.Null) return;
  const { compactAmounts, pseudoOuts } = rctForm(rct.type);
  writer.varint(rct.fee);
  expectLength(rct.pseudoOuts, pseudoOuts === 'base' ? inputs : 0, 'pseudo outputs in the RingCT base');
  writer.keys(rct.pseudoOuts);
  expectLength(rct.ecdhInfo, outputs, 'encrypted amounts');
  for (const { mask, amount } of rct.ecdhInfo) {
    if (compactAmounts) writer.fixed(amount, 8);
    else if (mask !== undefined) writer.key(mask).key(amount);
    else throw new ProtocolError('bad-structure', `expected a mask beside each encrypted amount of RingCT type ${rct.type}`);
  }
  expectLength(rct.outPk, outputs, 'output commitments');
  writer.keys(rct.outPk);
}

/** The bytes that the base hash covers. @throws as {@link writeRctBase} */
export function serializeRctBase(rct: RctBase, inputs: number, outputs: number): Uint8Array<ArrayBuffer> {
  return writeBytes(1024, (writer) => writeRctBase(writer, rct, inputs, outputs));
}

/** @param what elements of the list, in the plural, for the error @throws ProtocolError `bad-structure` */
export function expectLength(list: readonly unknown[], length: number, what: string): void {
  if (list.length !== length) throw new ProtocolError('bad-structure', `expected ${length} ${what}, got ${list.length}`);
}
