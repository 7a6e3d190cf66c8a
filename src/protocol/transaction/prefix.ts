import { type ByteReader, type ByteWriter, writeBytes } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';
import { type KeyImage, type KeyInput, type TxInput, type TxOutput, type TxPrefix, toKeyImage } from '../model.ts';

/** Variant tags of inputs and outputs (cryptonote_basic.h). The script variants have never been valid on the chain. */
const INPUT_GEN = 0xff;
const INPUT_KEY = 0x02;
const OUTPUT_KEY = 0x02;
const OUTPUT_TAGGED_KEY = 0x03;

const MIN_INPUT_SIZE = 2;
const MIN_OUTPUT_SIZE = 34;

/** Reads version, unlock time, inputs, outputs and extra: what every transaction starts with. */
export function readPrefix(reader: ByteReader, allowNoInputs = false): TxPrefix {
  const version = reader.varint();
  if (version !== 1n && version !== 2n)
    throw new ProtocolError('unknown-era', `expected a transaction of version 1 or 2, got ${version}`);
  const unlockTime = reader.varint();
  const inputs = reader.list(MIN_INPUT_SIZE, readInput);
  if (inputs.length === 0 && !allowNoInputs)
    throw new ProtocolError('bad-structure', 'expected a transaction with at least one input');
  if (inputs.length > 1 && inputs.some(({ type }) => type === 'gen'))
    throw new ProtocolError('bad-structure', 'expected the input of a coinbase alone');
  const outputs = reader.list(MIN_OUTPUT_SIZE, readOutput);
  const extra = reader.bytes(reader.count(1));
  return { version: version === 1n ? 1 : 2, unlockTime, inputs, outputs, extra };
}

function readInput(reader: ByteReader): TxInput {
  const tag = reader.u8();
  if (tag === INPUT_GEN) return { type: 'gen', height: reader.varintNumber() };
  if (tag !== INPUT_KEY) throw new ProtocolError('unknown-tag', `expected an input of type gen or key, got tag ${tag}`, { tag });
  const amount = reader.varint();
  const keyOffsets = reader.list(1, (r) => r.varint());
  return { type: 'key', amount, keyOffsets, keyImage: reader.key() };
}

function readOutput(reader: ByteReader): TxOutput {
  const amount = reader.varint();
  const tag = reader.u8();
  if (tag === OUTPUT_KEY) return { amount, key: reader.key(), viewTag: undefined };
  if (tag === OUTPUT_TAGGED_KEY) return { amount, key: reader.key(), viewTag: reader.u8() };
  throw new ProtocolError('unknown-tag', `expected an output of type key or tagged key, got tag ${tag}`, { tag });
}

/** Writes what {@link readPrefix} reads. */
export function writePrefix(writer: ByteWriter, prefix: TxPrefix): void {
  writer.varint(prefix.version).varint(prefix.unlockTime);
  writer.varint(prefix.inputs.length);
  for (const input of prefix.inputs) writeInput(writer, input);
  writer.varint(prefix.outputs.length);
  for (const output of prefix.outputs) writeOutput(writer, output);
  writer.varint(prefix.extra.length).bytes(prefix.extra);
}

function writeInput(writer: ByteWriter, input: TxInput): void {
  if (input.type === 'gen') {
    writer.u8(INPUT_GEN).varint(input.height);
    return;
  }
  writer.u8(INPUT_KEY).varint(input.amount).varint(input.keyOffsets.length);
  for (const offset of input.keyOffsets) writer.varint(offset);
  writer.key(input.keyImage);
}

function writeOutput(writer: ByteWriter, output: TxOutput): void {
  writer.varint(output.amount);
  if (output.viewTag === undefined) writer.u8(OUTPUT_KEY).key(output.key);
  else writer.u8(OUTPUT_TAGGED_KEY).key(output.key).u8(output.viewTag);
}

/** The bytes that the prefix hash covers. */
export function serializePrefix(prefix: TxPrefix): Uint8Array<ArrayBuffer> {
  return writeBytes(1024, (writer) => writePrefix(writer, prefix));
}

/** Ring members of the first input, which determine the size of the ring signatures on the wire; 1 for a coinbase. */
export function ringSizeOf(prefix: TxPrefix): number {
  const first = prefix.inputs[0];
  return first?.type === 'key' ? first.keyOffsets.length : 1;
}

/** The inputs that spend, in order: all but those of type gen. */
export function keyInputs(prefix: TxPrefix): KeyInput[] {
  return prefix.inputs.filter((input): input is KeyInput => input.type === 'key');
}

/** The key images of what a transaction spends, in the order of its inputs. */
export const keyImagesIn = (prefix: TxPrefix): KeyImage[] => keyInputs(prefix).map(({ keyImage }) => toKeyImage(keyImage));

/**
 * Converts offsets as on the wire (each relative to the one before) to global indices.
 * @throws `out-of-range` when an index leaves 0 … 2^64−1
 */
export function absoluteOffsets(relative: readonly bigint[]): bigint[] {
  let sum = 0n;
  return relative.map((offset) => {
    sum += offset;
    if (sum >> 64n !== 0n) throw new ProtocolError('out-of-range', 'expected ring member indices below 2^64');
    return sum;
  });
}

/** Converts global indices to offsets as on the wire, after sorting them. */
export function relativeOffsets(absolute: readonly bigint[]): bigint[] {
  const sorted = [...absolute].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted.map((index, i) => (i === 0 ? index : index - sorted[i - 1]!));
}
