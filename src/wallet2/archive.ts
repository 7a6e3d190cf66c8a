import { bytesToLatin1, latin1ToBytes } from '../base/index.ts';
import { ByteReader, type ByteWriter, ProtocolError, writeBytes } from '../protocol/index.ts';

/**
 * The reference's binary archive (serialization/binary_archive.h) as declared layouts: a layout defines once how a value is read and
 * written. Integers have their full width, little-endian, except as elements of lists and pairs, where those wider than a byte are varints.
 */
export interface Layout<T> {
  /** Minimum bytes of a value, 1 or more: a count larger than the remaining bytes is refused before anything is allocated. */
  readonly minSize: number;
  /** @throws ProtocolError */
  read(reader: ByteReader): T;
  /** @throws ProtocolError `out-of-range`, `bad-structure` for a value that has no such form */
  write(writer: ByteWriter, value: T): void;
}

/** The values that a layout reads and writes. */
export type ValueOf<L> = L extends Layout<infer T> ? T : never;

/** 0 … 255. */
export const u8: Layout<number> = { minSize: 1, read: (r) => r.u8(), write: (w, value) => void w.u8(value) };
/** 0 … 2^32−1, four bytes. */
export const u32: Layout<number> = { minSize: 4, read: (r) => r.u32(), write: (w, value) => void w.u32(value) };
/** 0 … 2^64−1, eight bytes. */
export const u64: Layout<bigint> = { minSize: 8, read: (r) => r.u64(), write: (w, value) => void w.u64(value) };
/** A varint of 64 bits. */
export const varint: Layout<bigint> = { minSize: 1, read: (r) => r.varint(), write: (w, value) => void w.varint(value) };
/** A varint of 32 bits. */
export const varint32: Layout<number> = {
  minSize: 1,
  read: (r) => r.varintNumber(32),
  write: (w, value) => void w.varint(value),
};
/** A varint for a position: 0 … 2^53−1. */
export const position: Layout<number> = {
  minSize: 1,
  read: (r) => r.varintNumber(),
  write: (w, value) => void w.varint(value),
};

/** One byte, 0 or 1. */
export const bool: Layout<boolean> = {
  minSize: 1,
  read(reader) {
    const byte = reader.u8();
    if (byte > 1) throw new ProtocolError('bad-structure', `expected 0 or 1, got ${byte}`, { offset: reader.offset - 1 });
    return byte === 1;
  },
  write: (w, value) => void w.u8(value ? 1 : 0),
};

/** Exactly `size` bytes. */
export const blob = (size: number): Layout<Uint8Array> => ({
  minSize: size,
  read: (r) => r.bytes(size),
  write: (w, value) => void w.fixed(value, size),
});

/** 32 bytes: a key, point, scalar or hash. */
export const key = blob(32);

/** Length and bytes. */
export const bytes: Layout<Uint8Array> = {
  minSize: 1,
  read: (r) => r.bytes(r.count(1)),
  write: (w, value) => void w.varint(value.length).bytes(value),
};

/** Length and characters of one byte each. */
export const text: Layout<string> = mapped(bytes, bytesToLatin1, latin1ToBytes);

/** Count and elements. */
export const list = <T>(element: Layout<T>): Layout<readonly T[]> => ({
  minSize: 1,
  read(reader) {
    return reader.list(element.minSize, (r) => element.read(r));
  },
  write(writer, items) {
    writer.varint(items.length);
    for (const item of items) element.write(writer, item);
  },
});

/** Pairs and longer tuples: their count, always the same, and the elements. */
export function tuple<T extends readonly unknown[]>(...layouts: { readonly [K in keyof T]: Layout<T[K]> }): Layout<Readonly<T>> {
  const elements: readonly Layout<unknown>[] = layouts;
  return {
    minSize: elements.reduce((sum, { minSize }) => sum + minSize, 1),
    read(reader) {
      const count = reader.varint();
      if (count !== BigInt(elements.length))
        throw new ProtocolError('bad-structure', `expected ${elements.length} elements, got ${count}`, { offset: reader.offset });
      return elements.map((element) => element.read(reader)) as unknown as T;
    },
    write(writer, values) {
      writer.varint(elements.length);
      elements.forEach((element, i) => {
        element.write(writer, values[i]);
      });
    },
  };
}

/** The fields one after the other, in the order of declaration. */
export function struct<T extends object>(fields: { readonly [K in keyof T]-?: Layout<T[K]> }): Layout<Readonly<T>> {
  const entries = Object.entries(fields) as [keyof T, Layout<T[keyof T]>][];
  return {
    minSize: entries.reduce((sum, [, layout]) => sum + layout.minSize, 0),
    read(reader) {
      const value: Partial<T> = {};
      for (const [name, layout] of entries) value[name] = layout.read(reader);
      return value as T;
    },
    write(writer, value) {
      for (const [name, layout] of entries) layout.write(writer, value[name]);
    },
  };
}

/**
 * A version number and what follows it, which may depend on the version. The newest version is written; a newer one is read as the newest,
 * as in the reference.
 * @param layoutOf the layout of a version
 */
export function versioned<T>(newest: number, layoutOf: (version: number) => Layout<T>): Layout<T> {
  const written = layoutOf(newest);
  return {
    minSize: 1,
    read: (reader) => layoutOf(reader.varintNumber(32)).read(reader),
    write(writer, value) {
      writer.varint(newest);
      written.write(writer, value);
    },
  };
}

/** The same bytes, converted to another value. */
export function mapped<A, B>(layout: Layout<A>, fromWire: (value: A) => B, toWire: (value: B) => A): Layout<B> {
  return {
    minSize: layout.minSize,
    read: (reader) => fromWire(layout.read(reader)),
    write: (writer, value) => layout.write(writer, toWire(value)),
  };
}

/** Reads one value that takes all of the bytes. @throws ProtocolError, `trailing-bytes` when any are left */
export function readAll<T>(layout: Layout<T>, bytes: Uint8Array, what: string): T {
  const reader = new ByteReader(bytes);
  const value = layout.read(reader);
  reader.expectEnd(what);
  return value;
}

/** @throws ProtocolError as the layout's `write` */
export function writeAll<T>(layout: Layout<T>, value: T): Uint8Array<ArrayBuffer> {
  return writeBytes(1024, (writer) => layout.write(writer, value));
}
