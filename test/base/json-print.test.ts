import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeJson, type JsonInput, LazyList, stringifyJson, WithoutEmptyArrays } from '../../src/base/index.ts';
import { PIECE } from '../../src/base/json-print.ts';
import { jsonText } from '../support/json-text.ts';

const code = (code: string) => expect.objectContaining({ code });

/** What is printed, said another way: the native printer, with integers that it does not know carried through as marked strings. */
function model(value: unknown, indent = 0, sparse = false): string {
  const isEmpty = (field: unknown): boolean => (Array.isArray(field) || field instanceof LazyList) && field.length === 0;
  const plain = (inner: unknown): unknown => {
    if (inner instanceof LazyList) return Array.from({ length: inner.length }, (_, i) => plain(inner.at(i)));
    if (typeof inner === 'bigint') return `\u0000integer ${inner}\u0000`;
    if (Array.isArray(inner)) return inner.map(plain);
    if (typeof inner !== 'object' || inner === null) return inner;
    const fields = Object.entries(inner).filter(([, field]) => !(sparse && isEmpty(field)));
    return Object.fromEntries(fields.map(([name, field]) => [name, plain(field)]));
  };
  return JSON.stringify(plain(value), undefined, indent).replace(/"\\u0000integer (-?\d+)\\u0000"/g, '$1');
}

/** As the reference's services lay a value out: fields in order of their names, a line each; arrays on the line they begin on. */
function epee(value: unknown, depth = 0): string {
  if (value instanceof LazyList) return epee(value.toArray(), depth);
  if (Array.isArray(value)) return `[${value.map((item) => epee(item ?? null, depth)).join(',')}]`;
  if (typeof value === 'string') return JSON.stringify(value).replaceAll('/', '\\/');
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  const line = (at: number) => `\r\n${'  '.repeat(at)}`;
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${line(depth + 1)}${epee(name)}: ${epee(field, depth + 1)}`);
  return `{${fields.join(',')}${line(depth)}}`;
}

const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.string({ unit: fc.constantFrom('a', ' ', '"', '\\', '/', '\n', '\u0001', '\u007f', 'é', '€', '😀', '\ud800', '\udc00') }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.bigInt(),
    fc.boolean(),
    fc.constantFrom(null, undefined, -0),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => LazyList.of(items, (item) => item as JsonInput)),
    fc.dictionary(fc.string({ unit: 'binary', maxLength: 4 }), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value as fc.Arbitrary<JsonInput>;

describe('printing', () => {
  it('is what the native printer prints, at any indent, with integers as their digits', () => {
    fc.assert(
      fc.property(fc.array(anything), fc.nat(3), (value, indent) => {
        expect(stringifyJson(value, indent)).toBe(model(value, indent));
        expect(jsonText(encodeJson(value))).toBe(epee(value));
      }),
    );
  });

  it('lays bytes out as the reference does', () => {
    const result = {
      pair: { b: 'a/b', a: [] },
      list: [
        { y: 1, x: true },
        { x: false, y: 2 },
      ],
      numbers: [1, 2],
      none: {},
    };
    expect(jsonText(encodeJson({ result, id: '0' }))).toBe(
      [
        '{',
        '  "id": "0",',
        '  "result": {',
        '    "list": [{',
        '      "x": true,',
        '      "y": 1',
        '    },{',
        '      "x": false,',
        '      "y": 2',
        '    }],',
        '    "none": {',
        '    },',
        '    "numbers": [1,2],',
        '    "pair": {',
        '      "a": [],',
        '      "b": "a\\/b"',
        '    }',
        '  }',
        '}',
      ].join('\r\n'),
    );
  });

  it('leaves empty arrays out of the part that says so, and nowhere else', () => {
    fc.assert(
      fc.property(anything, anything, (id, result) => {
        const printed = stringifyJson({ id: [id], result: [new WithoutEmptyArrays(result)], after: [id] });
        expect(printed).toBe(`{"id":${model([id])},"result":${model([result], 0, true)},"after":${model([id])}}`);
      }),
    );
    const value = { none: [], some: [[], 1, { none: [] }], deep: { none: [], left: 0 } };
    expect(stringifyJson(new WithoutEmptyArrays(value))).toBe('{"some":[[],1,{}],"deep":{"left":0}}');
    expect(stringifyJson(new WithoutEmptyArrays([]))).toBe('[]');
    expect(stringifyJson([new WithoutEmptyArrays({ none: [] }), { kept: [] }])).toBe('[{},{"kept":[]}]');
  });

  it('of many megabytes comes out whole, characters of several bytes included', () => {
    const value = Array.from({ length: 40_000 }, (_, i) => ({
      key: 'ab'.repeat(32),
      note: '€😀é',
      amount: 2n ** 63n + BigInt(i),
      none: [],
    }));
    const lengths: number[] = [];
    expect(jsonText(encodeJson(value), ({ length }) => lengths.push(length))).toBe(epee(value));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(PIECE);
    expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThan(PIECE / 2);
    expect(stringifyJson(value)).toBe(model(value));
  });

  it('stops at its depth and at what JSON cannot say', () => {
    const nested = (levels: number, inmost: JsonInput): JsonInput => (levels === 0 ? inmost : [nested(levels - 1, inmost)]);
    for (const print of [stringifyJson, encodeJson]) {
      expect(() => print(nested(64, 1))).not.toThrow();
      expect(() => print(nested(65, 1))).toThrow(code('too-deep'));
      expect(() => print([Number.NaN])).toThrow(code('bad-structure'));
      expect(() => print([Number.POSITIVE_INFINITY])).toThrow(code('bad-structure'));
    }
    expect(jsonText(encodeJson(nested(100, 1), { maxDepth: 100 }))).toBe(`${'['.repeat(100)}1${']'.repeat(100)}`);
  });
});
