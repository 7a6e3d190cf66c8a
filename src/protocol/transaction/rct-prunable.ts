import type { ClsagSignature } from '../../crypto/index.ts';
import { type ByteReader, type ByteWriter, writeBytes } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';
import { type Mlsag, type RctPrunable, RctType } from '../model.ts';
import {
  readBorromeanProofs,
  readBulletproof,
  readBulletproofPlus,
  writeBorromeanProof,
  writeBulletproof,
  writeBulletproofPlus,
} from './range-proofs.ts';
import { expectLength } from './rct-base.ts';
import { rctForm } from './rct-forms.ts';

/** Counts that determine the size of the prunable part. They come from the prefix and are not repeated on the wire. */
export interface RctShape {
  readonly type: RctType;
  readonly inputs: number;
  readonly outputs: number;
  /** Ring members of the first input. The wire format implies that all rings have this size. */
  readonly ringSize: number;
}

/** Reads range proofs and ring signatures (rctTypes.h, serialize_rctsig_prunable). `shape.type` is not Null. */
export function readRctPrunable(reader: ByteReader, shape: RctShape): RctPrunable {
  const { type, inputs, outputs, ringSize } = shape;
  if (ringSize === 0) throw new ProtocolError('bad-structure', 'expected rings with at least one member');
  const proofs = { rangeProofs: [], bulletproofs: [], bulletproofsPlus: [], ...readRangeProofs(reader, type, outputs) };
  const form = rctForm(type);
  const clsags = form.signature === 'clsag' ? readClsags(reader, inputs, ringSize) : [];
  const mlsags = form.signature === 'clsag' ? [] : readMlsags(reader, shape);
  const pseudoOuts = form.pseudoOuts === 'prunable' ? reader.keys(inputs) : [];
  return { ...proofs, mlsags, clsags, pseudoOuts };
}

function readRangeProofs(reader: ByteReader, type: RctType, outputs: number): Partial<RctPrunable> {
  const { rangeProof } = rctForm(type);
  if (rangeProof === 'bulletproof-plus') {
    expectOneProof(reader.varint(32), outputs);
    return { bulletproofsPlus: [readBulletproofPlus(reader, outputs)] };
  }
  if (rangeProof === 'bulletproof') {
    expectOneProof(type === RctType.Bulletproof ? BigInt(reader.u32()) : reader.varint(32), outputs);
    return { bulletproofs: [readBulletproof(reader, outputs)] };
  }
  return { rangeProofs: readBorromeanProofs(reader, outputs) };
}

/** One aggregate proof covers all outputs, at least one; the reference refuses any other count while reading. */
function expectOneProof(count: bigint, outputs: number): void {
  if (count !== 1n || outputs === 0) throw new ProtocolError('bad-structure', `expected one aggregate range proof, got ${count}`);
}

function readClsags(reader: ByteReader, inputs: number, ringSize: number): ClsagSignature[] {
  const keys = reader.keys(inputs * (ringSize + 2));
  return Array.from({ length: inputs }, (_, i) => {
    const start = i * (ringSize + 2);
    return { s: keys.slice(start, start + ringSize), c1: keys[start + ringSize]!, D: keys[start + ringSize + 1]! };
  });
}

/** One two-row MLSAG per input, but type Full has a single one with a row for each input and one for the amounts. */
function mlsagShape({ type, inputs }: RctShape): { count: number; rows: number } {
  return rctForm(type).signature === 'joint-mlsag' ? { count: 1, rows: inputs + 1 } : { count: inputs, rows: 2 };
}

function readMlsags(reader: ByteReader, shape: RctShape): Mlsag[] {
  const { count, rows } = mlsagShape(shape);
  const size = shape.ringSize * rows + 1;
  const keys = reader.keys(count * size);
  return Array.from({ length: count }, (_, i) => ({
    ss: Array.from({ length: shape.ringSize }, (_, member) => {
      const start = i * size + member * rows;
      return keys.slice(start, start + rows);
    }),
    cc: keys[i * size + size - 1]!,
  }));
}

/** @throws `bad-structure` when the parts do not have the lengths that the shape requires */
export function writeRctPrunable(writer: ByteWriter, prunable: RctPrunable, shape: RctShape): void {
  const { type, inputs, outputs, ringSize } = shape;
  const form = rctForm(type);
  writeRangeProofs(writer, prunable, type, outputs);
  if (form.signature === 'clsag') {
    expectLength(prunable.clsags, inputs, 'CLSAG signatures');
    for (const { s, c1, D } of prunable.clsags) {
      expectLength(s, ringSize, 'responses a CLSAG');
      writer.keys(s).key(c1).key(D);
    }
  } else writeMlsags(writer, prunable.mlsags, shape);
  expectLength(prunable.pseudoOuts, form.pseudoOuts === 'prunable' ? inputs : 0, 'prunable pseudo outputs');
  writer.keys(prunable.pseudoOuts);
}

function writeRangeProofs(writer: ByteWriter, prunable: RctPrunable, type: RctType, outputs: number): void {
  const { rangeProof } = rctForm(type);
  if (rangeProof === 'bulletproof-plus') {
    expectLength(prunable.bulletproofsPlus, 1, 'Bulletproof+');
    writer.varint(1);
    for (const proof of prunable.bulletproofsPlus) writeBulletproofPlus(writer, proof);
  } else if (rangeProof === 'bulletproof') {
    expectLength(prunable.bulletproofs, 1, 'Bulletproof');
    if (type === RctType.Bulletproof) writer.u32(1);
    else writer.varint(1);
    for (const proof of prunable.bulletproofs) writeBulletproof(writer, proof);
  } else {
    expectLength(prunable.rangeProofs, outputs, 'Borromean range proofs');
    for (const proof of prunable.rangeProofs) writeBorromeanProof(writer, proof);
  }
}

function writeMlsags(writer: ByteWriter, mlsags: readonly Mlsag[], shape: RctShape): void {
  const { count, rows } = mlsagShape(shape);
  expectLength(mlsags, count, 'MLSAG signatures');
  for (const { ss, cc } of mlsags) {
    expectLength(ss, shape.ringSize, 'columns an MLSAG');
    for (const column of ss) {
      expectLength(column, rows, 'rows an MLSAG');
      writer.keys(column);
    }
    writer.key(cc);
  }
}

/** The bytes that the prunable hash covers. @throws as {@link writeRctPrunable} */
export function serializeRctPrunable(prunable: RctPrunable, shape: RctShape): Uint8Array<ArrayBuffer> {
  return writeBytes(4096, (writer) => writeRctPrunable(writer, prunable, shape));
}
