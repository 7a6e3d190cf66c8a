import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  asArray,
  asBoolean,
  asCount,
  asObject,
  asText,
  asU64,
  type JsonInput,
  latin1ToBytes,
  parseJson,
  parseJsonBytes,
  stringifyJson,
  utf8FromLatin1,
} from '../../src/base/index.ts';
import { toAtomicAmount } from '../../src/protocol/index.ts';

const code = (code: string) => expect.objectContaining({ code });

describe('T20 JSON keeps every digit', () => {
  it('an integer above 2^53 survives reading and printing unchanged', () => {
    for (const digits of ['18446744073709551615', '9007199254740993', '-9223372036854775808', '9007199254740991', '0']) {
      const text = `{"amount":${digits},"list":[${digits}]}`;
      expect(stringifyJson(parseJson(text))).toBe(text);
    }
    expect(parseJson('9007199254740991')).toBe(9_007_199_254_740_991);
    expect(parseJson('9007199254740992')).toBe(9_007_199_254_740_992n);
  });

  it('an amount is 0 … 2^64−1, and a sum beyond has a name', () => {
    expect(toAtomicAmount(2n ** 64n - 1n)).toBe(2n ** 64n - 1n);
    for (const sum of [-1n, 2n ** 64n]) expect(() => toAtomicAmount(sum)).toThrow(code('out-of-range'));
  });

  it('prints what the native printer prints, and reads it back to the letter', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(stringifyJson(value as JsonInput)).toBe(text);
        expect(stringifyJson(parseJson(text))).toBe(text);
        expect(stringifyJson(parseJson(stringifyJson(value as JsonInput, 2)))).toBe(text);
      }),
    );
  });

  it.each([
    '',
    '{',
    '[1,]',
    '{"a":1,}',
    '01',
    '1.',
    '.5',
    '+1',
    'nul',
    '"\n"',
    '"\\x"',
    '"\\u12g4"',
    '1 2',
    '"open',
    '{a:1}',
    '1e999',
    '\u00a01',
  ])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow(code('bad-json'));
  });

  it('T6 stops at its depth and at absurd integers', () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(() => parseJson(deep(64))).not.toThrow();
    expect(() => parseJson(deep(65))).toThrow(code('too-deep'));
    expect(() => parseJson('['.repeat(1_000_000))).toThrow(code('too-deep'));
    expect(() => parseJson('9'.repeat(1_000_000))).toThrow(code('bad-json'));
  });

  it('of repeated keys the last counts, null and an empty list leave what was there, objects are joined', () => {
    expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 });
    expect(parseJson('{"a":1,"a":null,"b":[1],"b":[]}')).toEqual({ a: 1, b: [1] });
    expect(parseJson('{"a":{"b":1,"c":{"d":2}},"a":{"b":3,"c":{"e":4}}}')).toEqual({ a: { b: 3, c: { d: 2, e: 4 } } });
    expect(parseJson('{"a":{"b":1},"a":[1],"a":{"c":2}}')).toEqual({ a: { c: 2 } });
    expect(parseJson('{"toString":null}')).toEqual({ toString: null });
  });

  it('no key reaches the prototype', () => {
    const value = asObject(parseJson('{"__proto__":{"polluted":true}}'));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(['__proto__']);
  });

  it('leaves undefined fields out and refuses what JSON cannot say', () => {
    expect(stringifyJson({ a: undefined, b: 1n })).toBe('{"b":1}');
    expect(() => stringifyJson(Number.NaN)).toThrow(code('bad-structure'));
  });
});

describe('bytes in', () => {
  it('raw bytes inside strings come through', () => {
    const raw = Uint8Array.from({ length: 256 }, (_, i) => i).filter((byte) => byte !== 0x22 && byte !== 0x5c);
    const reply = Uint8Array.from([
      ...latin1ToBytes('{"d":"'),
      ...raw,
      ...latin1ToBytes('\\u00e9\\"","n":18446744073709551615}'),
    ]);
    const value = asObject(parseJsonBytes(reply));
    expect(latin1ToBytes(asText(value.d))).toEqual(Uint8Array.from([...raw, 0xc3, 0xa9, 0x22]));
    expect(asU64(value.n)).toBe(2n ** 64n - 1n);
  });

  it('text among them is UTF-8', () => {
    const value = asObject(parseJsonBytes(new TextEncoder().encode('{"name":"Zoë"}')));
    expect(utf8FromLatin1(asText(value.name))).toBe('Zoë');
  });
});

describe('readers of values', () => {
  it('give the value or say what was expected and where', () => {
    expect([asU64(5), asU64(2n ** 63n), asCount(7), asText('t'), asBoolean(false)]).toEqual([5n, 2n ** 63n, 7, 't', false]);
    for (const bad of [-1, 1.5, '5', null, undefined, 2n ** 64n, -1n]) {
      expect(() => asU64(bad, 'fee')).toThrow(/expected fee to be an integer/);
    }
    for (const read of [asCount, asText, asBoolean, asArray, asObject]) expect(() => read(null)).toThrow(code('unexpected-type'));
    expect(() => asObject([])).toThrow(code('unexpected-type'));
  });
});
