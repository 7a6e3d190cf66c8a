import { totalOf } from './amount.ts';
import { ByteReader, type ByteWriter, writeBytes } from './bytes.ts';
import { ProtocolError } from './errors.ts';
import { RctType, type Transaction, type TransactionV1, type TransactionV2, type TxPrefix } from './model.ts';
import { readPrefix, ringSizeOf, writePrefix } from './transaction/prefix.ts';
import { NO_RCT, readRctBase, writeRctBase } from './transaction/rct-base.ts';
import { type RctShape, readRctPrunable, writeRctPrunable } from './transaction/rct-prunable.ts';

export { absoluteOffsets, keyImagesIn, keyInputs, relativeOffsets, serializePrefix } from './transaction/prefix.ts';
export type { RctShape } from './transaction/rct-prunable.ts';

/** Options of {@link parseTransaction}. */
export interface ParseTransactionOptions {
  /** The bytes contain only prefix and RingCT base: no signatures, no range proofs. */
  readonly pruned?: boolean;
  /**
   * Accepts what a node parses before refusing it: a transaction without inputs, and a last number that is cut short by the end of the
   * bytes. Writing these does not give the same bytes.
   */
  readonly asNode?: boolean;
}

/**
 * Reads one whole transaction of version 1 or 2, any RingCT type. Writing the result gives the same bytes.
 * @throws ProtocolError `truncated`, `trailing-bytes`, `bad-varint`, `bad-length`, `bad-structure`, `unknown-tag`, `unknown-era`
 */
export function parseTransaction(bytes: Uint8Array, options: ParseTransactionOptions = {}): Transaction {
  const reader = new ByteReader(bytes, 0, bytes.length, options.asNode);
  const tx = readTransaction(reader, options);
  reader.expectEnd('the transaction');
  return tx;
}

/** Reads a transaction at the reader's position, and leaves what follows. */
export function readTransaction(reader: ByteReader, { pruned = false, asNode = false }: ParseTransactionOptions): Transaction {
  const prefix = readPrefix(reader, asNode);
  return prefix.version === 1 ? readV1(reader, prefix, pruned) : readV2(reader, prefix, pruned);
}

function readV1(reader: ByteReader, prefix: TxPrefix, pruned: boolean): TransactionV1 {
  const tx = { ...prefix, version: 1 as const };
  if (pruned) return { ...tx, signatures: undefined };
  const signatures = prefix.inputs.map((input) => (input.type === 'key' ? reader.byteStrings(input.keyOffsets.length, 64) : []));
  return { ...tx, signatures };
}

function readV2(reader: ByteReader, prefix: TxPrefix, pruned: boolean): TransactionV2 {
  const { length } = prefix.inputs;
  const rct = length === 0 ? NO_RCT : readRctBase(reader, length, prefix.outputs.length);
  const whole = !pruned && rct.type !== RctType.Null;
  return { ...prefix, version: 2, rct, prunable: whole ? readRctPrunable(reader, shapeOf(prefix, rct.type)) : undefined };
}

/** Counts that determine the size of a transaction's prunable part. */
export function shapeOf(prefix: TxPrefix, type: RctType): RctShape {
  return { type, inputs: prefix.inputs.length, outputs: prefix.outputs.length, ringSize: ringSizeOf(prefix) };
}

/** The transaction's bytes; of a pruned one, the bytes without the prunable part. */
export function serializeTransaction(tx: Transaction): Uint8Array<ArrayBuffer> {
  return writeBytes(4096, (writer) => writeTransaction(writer, tx));
}

/** Appends what {@link serializeTransaction} returns to the writer. @throws ProtocolError `bad-structure`, `bad-length` */
export function writeTransaction(writer: ByteWriter, tx: Transaction): void {
  writePrefix(writer, tx);
  if (tx.version === 1) {
    writeSignatures(writer, tx);
    return;
  }
  writeRctBase(writer, tx.rct, tx.inputs.length, tx.outputs.length);
  if (tx.prunable === undefined) return;
  if (tx.rct.type === RctType.Null) throw new ProtocolError('bad-structure', 'expected no prunable part in RingCT of type Null');
  writeRctPrunable(writer, tx.prunable, shapeOf(tx, tx.rct.type));
}

function writeSignatures(writer: ByteWriter, tx: TransactionV1): void {
  tx.signatures?.forEach((ring, i) => {
    const input = tx.inputs[i];
    const expected = input?.type === 'key' ? input.keyOffsets.length : 0;
    if (ring.length !== expected)
      throw new ProtocolError('bad-structure', `expected ${expected} signatures on input ${i}, got ${ring.length}`);
    for (const signature of ring) writer.fixed(signature, 64);
  });
}

/**
 * Fee of a transaction, atomic units: stated in version 2, inputs minus outputs in version 1; at least 0. Sums wrap at 64 bits, as in the
 * reference; an overflow is refused elsewhere.
 */
export function feeOf(tx: Transaction): bigint {
  if (tx.version === 2) return tx.rct.fee;
  const came = tx.inputs.reduce((sum, input) => (input.type === 'key' ? sum + input.amount : sum), 0n);
  const went = totalOf(tx.outputs);
  const fee = BigInt.asUintN(64, came) - BigInt.asUintN(64, went);
  return fee < 0n ? 0n : fee;
}

/** Whether the transaction lacks its prunable part, so that it can be neither hashed nor weighed by itself. */
export function isPruned(tx: Transaction): boolean {
  return tx.version === 1 ? tx.signatures === undefined : tx.prunable === undefined && tx.rct.type !== RctType.Null;
}
