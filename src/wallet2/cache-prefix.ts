import { type ByteReader, ProtocolError } from '../protocol/index.ts';
import type { Layout } from './archive.ts';

/** Variant tags of inputs and outputs (cryptonote_basic.h). Those of scripts are in no transaction, but a cache may contain them. */
const INPUT = { script: 0x00, scriptHash: 0x01, key: 0x02, gen: 0xff } as const;
const OUTPUT = { script: 0x00, scriptHash: 0x01, key: 0x02, taggedKey: 0x03 } as const;
const NEWEST_VERSION = 2n;

/** Skips a count and that many elements. @returns the count */
export function passMany(reader: ByteReader, minSize: number, pass: (reader: ByteReader) => void): number {
  const count = reader.count(minSize);
  for (let i = 0; i < count; i++) pass(reader);
  return count;
}

/** Skips a string, or a list of bytes. */
export const passBytes = (reader: ByteReader): void => reader.skip(reader.count(1));

/**
 * Skips a transaction's prefix (`transaction_prefix`, cryptonote_basic.h), which need not be valid on the chain: cold wallets store outputs
 * in made-up prefixes.
 * @returns one-time keys by index of the output; undefined for an output without one
 * @throws ProtocolError
 */
export function readPrefix(reader: ByteReader): (Uint8Array | undefined)[] {
  const version = reader.varint();
  if (version === 0n || version > NEWEST_VERSION)
    throw new ProtocolError('unknown-era', `expected a transaction of version 1 or 2, got ${version}`);
  reader.varint();
  passMany(reader, 2, passInput);
  const keys = reader.list(3, readOutput);
  passBytes(reader);
  return keys;
}

/** {@link readPrefix} as a layout. Caches are never written. */
export const anyPrefix: Layout<(Uint8Array | undefined)[]> = {
  minSize: 5,
  read: readPrefix,
  write() {
    throw new ProtocolError('bad-structure', 'expected a prefix of the chain');
  },
};

function passInput(reader: ByteReader): void {
  const tag = reader.u8();
  switch (tag) {
    case INPUT.gen:
      reader.varint();
      return;
    case INPUT.key:
      reader.varint();
      passMany(reader, 1, passVarint);
      reader.skip(32);
      return;
    case INPUT.script:
      reader.skip(32);
      reader.varint();
      passBytes(reader);
      return;
    case INPUT.scriptHash:
      reader.skip(32);
      reader.varint();
      passScript(reader);
      passBytes(reader);
      return;
    default:
      throw new ProtocolError('unknown-tag', `expected an input, got tag ${tag}`, { tag });
  }
}

function readOutput(reader: ByteReader): Uint8Array | undefined {
  reader.varint();
  const tag = reader.u8();
  switch (tag) {
    case OUTPUT.key:
      return reader.key();
    case OUTPUT.taggedKey: {
      const key = reader.key();
      reader.skip(1);
      return key;
    }
    case OUTPUT.script:
      passScript(reader);
      return undefined;
    case OUTPUT.scriptHash:
      reader.skip(32);
      return undefined;
    default:
      throw new ProtocolError('unknown-tag', `expected an output, got tag ${tag}`, { tag });
  }
}

/** Skips a varint of up to 64 bits. */
export const passVarint = (reader: ByteReader): void => void reader.varint();

/** Skips keys and the script itself. */
function passScript(reader: ByteReader): void {
  passMany(reader, 32, (r) => r.skip(32));
  passBytes(reader);
}
