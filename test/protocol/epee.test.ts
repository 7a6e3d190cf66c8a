import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../src/base/index.ts';
import {
  decodePortableStorage,
  encodePortableStorage,
  type StorageArray,
  type StorageEntry,
  StorageObject,
  storage,
} from '../../src/protocol/index.ts';

const {
  object,
  nested,
  array,
  u64,
  u32,
  u16,
  u8,
  i64,
  double,
  bool,
  bytes,
  text,
  objects,
  byteStrings,
  u64s,
  packed,
  packedU64s,
} = storage;
const code = (code: string) => expect.objectContaining({ code });
const HEADER = '011101010101020101';

const int = (low: number, high: number) => fc.integer({ min: low, max: high });
const big = (low: bigint, high: bigint) => fc.bigInt({ min: low, max: high });

const scalar: fc.Arbitrary<StorageEntry> = fc.oneof(
  big(-(2n ** 63n), 2n ** 63n - 1n).map((value): StorageEntry => ({ type: 'int64', value })),
  big(0n, 2n ** 64n - 1n).map((value): StorageEntry => ({ type: 'uint64', value })),
  int(-(2 ** 31), 2 ** 31 - 1).map((value): StorageEntry => ({ type: 'int32', value })),
  int(0, 2 ** 32 - 1).map((value): StorageEntry => ({ type: 'uint32', value })),
  int(-(2 ** 15), 2 ** 15 - 1).map((value): StorageEntry => ({ type: 'int16', value })),
  int(0, 2 ** 16 - 1).map((value): StorageEntry => ({ type: 'uint16', value })),
  int(-128, 127).map((value): StorageEntry => ({ type: 'int8', value })),
  int(0, 255).map((value): StorageEntry => ({ type: 'uint8', value })),
  fc.double({ noNaN: true }).map((value): StorageEntry => ({ type: 'double', value })),
  fc.boolean().map((value): StorageEntry => ({ type: 'bool', value })),
  fc.uint8Array({ maxLength: 100 }).map((value): StorageEntry => ({ type: 'string', value })),
);

const plainArray: fc.Arbitrary<StorageArray> = fc.oneof(
  fc.bigUint64Array().map((items): StorageArray => ({ of: 'uint64', items })),
  fc.bigInt64Array().map((items): StorageArray => ({ of: 'int64', items })),
  fc.uint32Array().map((items): StorageArray => ({ of: 'uint32', items })),
  fc.int32Array().map((items): StorageArray => ({ of: 'int32', items })),
  fc.uint16Array().map((items): StorageArray => ({ of: 'uint16', items })),
  fc.int16Array().map((items): StorageArray => ({ of: 'int16', items })),
  fc.uint8Array().map((items): StorageArray => ({ of: 'uint8', items })),
  fc.int8Array().map((items): StorageArray => ({ of: 'int8', items })),
  fc.uint8Array({ max: 1 }).map((items): StorageArray => ({ of: 'bool', items })),
  fc.float64Array({ noNaN: true }).map((items): StorageArray => ({ of: 'double', items })),
  fc.array(fc.uint8Array({ maxLength: 20 })).map((items): StorageArray => ({ of: 'string', items })),
);

const fieldName = fc.string({ minLength: 1, maxLength: 20 }).filter((name) => [...name].every((letter) => letter <= '\u00ff'));
const entries = (value: fc.Arbitrary<StorageEntry>) =>
  fc.uniqueArray(fc.tuple(fieldName, value), { selector: ([name]) => name, maxLength: 6 });

const document = fc.letrec<{ object: StorageObject; entry: StorageEntry }>((tie) => ({
  object: entries(tie('entry')).map((list) => new StorageObject(new Map(list))),
  entry: fc.oneof(
    { maxDepth: 3 },
    scalar,
    plainArray.map((value): StorageEntry => ({ type: 'array', value })),
    tie('object').map((value): StorageEntry => ({ type: 'object', value })),
    fc.array(tie('object'), { maxLength: 3 }).map((items): StorageEntry => ({ type: 'array', value: { of: 'object', items } })),
    fc.array(plainArray, { maxLength: 3 }).map((items): StorageEntry => ({ type: 'array', value: { of: 'array', items } })),
  ),
})).object;

describe('portable storage', () => {
  it('every value is read as it was written', () => {
    fc.assert(
      fc.property(document, (value) => {
        const written = encodePortableStorage(value);
        const read = decodePortableStorage(written);
        expect(read).toEqual(value);
        expect(bytesToHex(encodePortableStorage(read))).toBe(bytesToHex(written));
      }),
    );
  });

  it('sorts fields by name, byte by byte, as the reference does', () => {
    const names = (root: StorageObject) => [...decodePortableStorage(encodePortableStorage(root)).entries.keys()];
    expect(names(object({ b: u8(1), B: u8(2), 'b\u00e9': u8(3), a: u8(4), bb: u8(5) }))).toEqual([
      'B',
      'a',
      'b',
      'bb',
      'b\u00e9',
    ]);
  });

  it('is the format byte for byte', () => {
    const root = object({ n: u64(1), s: text('hi'), o: nested(object({})), l: u64s([2n]) });
    expect(bytesToHex(encodePortableStorage(root))).toBe(
      `${HEADER}10${'016c85040200000000000000'}${'016e050100000000000000'}${'016f0c00'}${'01730a086869'}`,
    );
  });

  it('sizes take one, two or four bytes', () => {
    for (const length of [0, 63, 64, 16_383, 16_384, 100_000]) {
      const blob = new Uint8Array(length).fill(7);
      expect(decodePortableStorage(encodePortableStorage(object({ blob: bytes(blob) }))).getBytes('blob')).toEqual(blob);
    }
  });
});

describe('readers of fields', () => {
  const key = (fill: number) => new Uint8Array(32).fill(fill);
  const root = decodePortableStorage(
    encodePortableStorage(
      object({
        ...{ a: u64(2n ** 64n - 1n), b: u32(7), c: u16(8), d: i64(-1n), e: double(0.5), f: bool(true), g: text('OK') },
        ...{ keys: packed([key(1), key(2)]), offsets: packedU64s([3n, 4n]), list: byteStrings([key(3)]), none: objects([]) },
        small: array({ of: 'uint8', items: Uint8Array.of(1, 2) }),
      }),
    ),
  );

  it('give the value, of any integer type that fits', () => {
    expect([root.getU64('a'), root.getNumber('b'), root.getU64('c')]).toEqual([2n ** 64n - 1n, 7, 8n]);
    expect([root.entries.get('e')?.value, root.getBoolean('f'), root.getText('g')]).toEqual([0.5, true, 'OK']);
    expect(root.getPacked('keys', 32)).toEqual([key(1), key(2)]);
    expect([...root.getPackedU64s('offsets')]).toEqual([3n, 4n]);
    expect([...root.getU64s('small')]).toEqual([1n, 2n]);
    expect(root.getByteStrings('list')).toEqual([key(3)]);
  });

  it('a missing array is empty, a missing value is its fallback or an error', () => {
    expect(root.has('none')).toBe(false);
    expect(root.getObjects('none')).toEqual([]);
    expect(root.getU64('missing', 5n)).toBe(5n);
    expect(() => root.getU64('missing')).toThrow(/expected field "missing" to be an integer .* got nothing/);
  });

  it('say what was expected of a field of another type', () => {
    expect(() => root.getU64('d')).toThrow(code('unexpected-type'));
    expect(() => root.getNumber('a')).toThrow(code('unexpected-type'));
    expect(() => root.getObject('g')).toThrow(/expected field "g" to be an object, got string/);
    expect(() => root.getFixedBytes('g', 32)).toThrow(code('unexpected-type'));
    expect(() => root.getPacked('g', 32)).toThrow(code('unexpected-type'));
    expect(() => root.getObjects('list')).toThrow(/got an array of string/);
  });
});

describe('T6 hostile documents', () => {
  const field = (value: string) => hexToBytes(`${HEADER}04${'0161'}${value}`);

  it.each([
    ['no header', hexToBytes('0111'), 'truncated'],
    ['another header', hexToBytes(`${HEADER.slice(0, -2)}0200`), 'unknown-tag'],
    ['bytes behind it', hexToBytes(`${HEADER}0000`), 'trailing-bytes'],
    ['an unknown type', field('0e00'), 'unknown-tag'],
    ['an array inside another whose type is not one of an array', field('8d040804'), 'unknown-tag'],
    ['a boolean of 2', field('0b02'), 'bad-structure'],
    ['a string longer than the document', field('0afeffffff'), 'bad-length'],
    ['an array longer than the document', field('85feffffff'), 'bad-length'],
    ['a count of 62 bits', field('8cffffffffffffffff'), 'bad-length'],
    ['a repeated name', hexToBytes(`${HEADER}08${'01610801'}${'01610801'}`), 'bad-structure'],
    ['an empty name', hexToBytes(`${HEADER}0400080100`), 'bad-structure'],
  ])('%s', (_name, document, expected) => {
    expect(() => decodePortableStorage(document)).toThrow(code(expected));
  });

  it('nesting stops at its limit', () => {
    const nestedObjects = (levels: number): StorageObject =>
      levels === 0 ? object({}) : object({ a: nested(nestedObjects(levels - 1)) });
    expect(() => decodePortableStorage(encodePortableStorage(nestedObjects(32)))).not.toThrow();
    expect(() => decodePortableStorage(encodePortableStorage(nestedObjects(33)))).toThrow(code('too-deep'));
    const arrays = hexToBytes(`${HEADER}04${'0161'}${'8d04'.repeat(10_000)}`);
    expect(() => decodePortableStorage(arrays)).toThrow(code('too-deep'));
  });

  it('objects, fields and strings stop at their limits', () => {
    const many = encodePortableStorage(object({ a: objects(Array.from({ length: 200_000 }, () => object({}))) }));
    expect(() => decodePortableStorage(many)).toThrow(code('bad-length'));
    const strings = encodePortableStorage(object({ a: byteStrings(Array.from({ length: 200_000 }, () => new Uint8Array())) }));
    expect(() => decodePortableStorage(strings)).toThrow(code('bad-length'));
    const limits = { objects: 10, fields: 1, strings: 10, depth: 10 };
    expect(() => decodePortableStorage(encodePortableStorage(object({ a: u8(1), b: u8(2) })), limits)).toThrow(
      code('bad-length'),
    );
  });

  it('numbers and names that do not fit are not written', () => {
    expect(() => encodePortableStorage(object({ a: u8(256) }))).toThrow(code('out-of-range'));
    expect(() => encodePortableStorage(object({ a: u64(-1n) }))).toThrow(code('out-of-range'));
    expect(() => encodePortableStorage(object({ ['n'.repeat(255)]: u8(1) }))).toThrow(code('bad-structure'));
  });
});
