import { bytesToLatin1, latin1ToBytes, U64_MAX } from './bytes.ts';
import { FormatError } from './errors.ts';
import { isEmptyArray } from './json-print.ts';

export {
  encodeJson,
  isEmptyArray,
  type JsonBytes,
  type JsonInput,
  stringifyJson,
  WithoutEmptyArrays,
} from './json-print.ts';

/**
 * The only place where JSON text becomes values and back (T20).
 *
 * Integers keep every digit: one that a double holds exactly (|n| ≤ 2^53−1) is a `number`, any other is a `bigint`. Numbers with a fraction
 * or an exponent are `number`. Read amounts with {@link asU64}, which takes both. Of repeated keys the last one counts, as in the
 * reference's parser (epee, portable_storage_from_json.h), except that null and an empty array leave the earlier value, and an object adds
 * its fields to an earlier object.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;
/** An object of parsed JSON. Integers beyond 2^53 in it are `bigint`: see {@link JsonValue}. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Bounds of {@link parseJson}. */
export interface JsonOptions {
  /** Most levels of nesting, 64 by default. The reference's parser stops at 100. */
  readonly maxDepth?: number;
  /** Most fields of one object; unlimited by default. */
  readonly maxFields?: number;
  /** Most elements and fields of all arrays and objects together; unlimited by default. */
  readonly maxValues?: number;
}

const DEFAULT_DEPTH = 64;
/** Longer integers have no use here, and their conversion is not linear. */
const MAX_DIGITS = 400;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Reads one JSON text, white space around it allowed. @throws FormatError `bad-json` with the offset, or `too-deep` */
export function parseJson(text: string, options: JsonOptions = {}): JsonValue {
  return new Parser(text, options, false).document();
}

/**
 * Reads a reply in which a daemon may have put raw bytes inside strings (binary distributions, pool hashes):
 * every string of the result holds one byte a character; decode with `latin1ToBytes`, or `utf8FromLatin1` for text.
 */
export function parseJsonBytes(bytes: Uint8Array): JsonValue {
  return new Parser(bytesToLatin1(bytes), {}, true).document();
}

class Parser {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #maxFields: number;
  /** Number of values still allowed. */
  #left: number;
  /** Control characters may occur unescaped in strings, and \v is an escape: the reference writes both. */
  readonly #raw: boolean;
  readonly #plain: RegExp;
  #at = 0;

  constructor(text: string, { maxDepth, maxFields, maxValues }: JsonOptions, raw: boolean) {
    this.#text = text;
    this.#maxDepth = maxDepth ?? DEFAULT_DEPTH;
    this.#maxFields = maxFields ?? Number.POSITIVE_INFINITY;
    this.#left = maxValues ?? Number.POSITIVE_INFINITY;
    this.#raw = raw;
    // Everything but the quote and the backslash; outside of raw mode without control characters.
    this.#plain = raw ? /[^"\\]*/y : /[ !#-[\]-\uffff]*/y;
  }

  document(): JsonValue {
    this.#space();
    const value = this.#value(0);
    this.#space();
    if (this.#at !== this.#text.length) this.#fail('the end of the text');
    return value;
  }

  /** @param before earlier value of the same key, if it is repeated */
  #value(depth: number, before?: JsonValue): JsonValue {
    switch (this.#text.charCodeAt(this.#at)) {
      case 0x22:
        return this.#string();
      case 0x7b:
        return this.#object(depth + 1, isJsonObject(before) ? before : {});
      case 0x5b:
        return this.#array(depth + 1);
      case 0x74:
        return this.#word('true', true);
      case 0x66:
        return this.#word('false', false);
      case 0x6e:
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  /** @param object receives the fields */
  #object(depth: number, object: JsonObject): JsonObject {
    this.#enter(depth);
    if (this.#take(0x7d)) return object;
    for (let fields = 0; ; fields++) {
      if (fields === this.#maxFields) this.#fail(`at most ${this.#maxFields} fields`);
      this.#count();
      if (this.#text.charCodeAt(this.#at) !== 0x22) this.#fail('a field name');
      const name = this.#string();
      this.#space();
      if (!this.#take(0x3a)) this.#fail('":"');
      const before = Object.hasOwn(object, name) ? object[name] : undefined;
      const parsed = this.#value(depth, before);
      const value = before !== undefined && (parsed === null || isEmptyArray(parsed)) ? before : parsed;
      if (name === '__proto__')
        Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
      else object[name] = value;
      this.#space();
      if (this.#take(0x7d, false)) return object;
      if (!this.#take(0x2c)) this.#fail('"," or "}"');
    }
  }

  #array(depth: number): JsonValue[] {
    this.#enter(depth);
    const array: JsonValue[] = [];
    if (this.#take(0x5d)) return array;
    for (;;) {
      this.#count();
      array.push(this.#value(depth));
      this.#space();
      if (this.#take(0x5d, false)) return array;
      if (!this.#take(0x2c)) this.#fail('"," or "]"');
    }
  }

  #enter(depth: number): void {
    if (depth > this.#maxDepth) throw new FormatError('too-deep', `expected JSON nested at most ${this.#maxDepth} deep`);
    this.#at++;
    this.#space();
  }

  #count(): void {
    if (this.#left === 0) this.#fail('fewer values');
    this.#left--;
  }

  #take(code: number, thenSpace = true): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false;
    this.#at++;
    if (thenSpace) this.#space();
    return true;
  }

  #word<T extends JsonValue>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#fail('a value');
    this.#at += word.length;
    return value;
  }

  #number(): number | bigint {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) return this.#fail('a value');
    const token = match[0];
    this.#at += token.length;
    const number = Number(token);
    if (match[1] !== undefined || match[2] !== undefined) {
      if (!Number.isFinite(number)) this.#fail('a number that a double can hold');
      return number;
    }
    if (Number.isSafeInteger(number)) return number === 0 ? 0 : number;
    if (token.length > MAX_DIGITS) this.#fail(`an integer of at most ${MAX_DIGITS} digits`);
    return BigInt(token);
  }

  #string(): string {
    const start = this.#at + 1;
    const end = this.#plainEnd(start);
    const code = this.#text.charCodeAt(end);
    if (code === 0x5c) return this.#escapedString(start, end);
    this.#endString(end);
    return this.#text.slice(start, end);
  }

  /** Where the plain letters of a string stop: at a quote, an escape, a control character or the end of the text. */
  #plainEnd(from: number): number {
    this.#plain.lastIndex = from;
    this.#plain.test(this.#text);
    return this.#plain.lastIndex;
  }

  #endString(end: number): void {
    this.#at = end;
    if (this.#text.charCodeAt(end) !== 0x22) this.#fail('the rest of a string');
    this.#at = end + 1;
  }

  #escapedString(start: number, firstEscape: number): string {
    const text = this.#text;
    let result = text.slice(start, firstEscape);
    let at = firstEscape;
    while (text.charCodeAt(at) === 0x5c) {
      this.#at = at;
      result += this.#escape(text.charAt(at + 1));
      const plain = at + (text.charAt(at + 1) === 'u' ? 6 : 2);
      at = this.#plainEnd(plain);
      result += text.slice(plain, at);
    }
    this.#endString(at);
    return result;
  }

  /** Character that the escape at the parser's position stands for. */
  #escape(letter: string): string {
    if (letter === 'u') {
      const digits = this.#text.slice(this.#at + 2, this.#at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.#fail('four hex digits after \\u');
      return this.#unicode(Number.parseInt(digits, 16));
    }
    const plain = ESCAPES[letter] ?? (this.#raw && letter === 'v' ? '\v' : undefined);
    return plain ?? this.#fail('an escape that JSON has');
  }

  /** In raw mode strings are UTF-8 bytes, so an escape becomes its UTF-8 bytes, as the reference does. */
  #unicode(code: number): string {
    const character = String.fromCharCode(code);
    return this.#raw && code > 0x7f ? bytesToLatin1(new TextEncoder().encode(character)) : character;
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #fail(expected: string): never {
    throw new FormatError('bad-json', `expected ${expected} at character ${this.#at} of the JSON text`, { offset: this.#at });
  }
}

function unexpected(expected: string, path: string): FormatError {
  return new FormatError('unexpected-type', `expected ${path} to be ${expected}`, { path });
}

/** An integer in 0 … 2^64−1, whole digits: amounts, indices, times. */
export function asU64(value: JsonValue | undefined, path = 'the value'): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === 'bigint' && value >= 0n && value <= U64_MAX) return value;
  throw unexpected('an integer in 0 … 2^64-1', path);
}

/** An integer in 0 … 2^53−1: heights, counts, sizes. */
export function asCount(value: JsonValue | undefined, path = 'the value'): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw unexpected('an integer in 0 … 2^53-1', path);
}

/** The value as a string. @param path of the value in its document, for the error @throws FormatError `unexpected-type` */
export function asText(value: JsonValue | undefined, path = 'the value'): string {
  if (typeof value === 'string') return value;
  throw unexpected('a text', path);
}

/** The value as a boolean; 0, 1 and texts are not accepted. @throws as {@link asText} */
export function asBoolean(value: JsonValue | undefined, path = 'the value'): boolean {
  if (typeof value === 'boolean') return value;
  throw unexpected('true or false', path);
}

/** The value as an array, of anything. @throws as {@link asText} */
export function asArray(value: JsonValue | undefined, path = 'the value'): JsonValue[] {
  if (Array.isArray(value)) return value;
  throw unexpected('an array', path);
}

/** Whether the value is an object; null and arrays are not. */
export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value as an object; null and arrays are not. @throws as {@link asText} */
export function asObject(value: JsonValue | undefined, path = 'the value'): JsonObject {
  if (isJsonObject(value)) return value;
  throw unexpected('an object', path);
}

/** Decodes a string of {@link parseJsonBytes} that is known to be text; bytes that are not UTF-8 become U+FFFD. */
export function utf8FromLatin1(text: string): string {
  return new TextDecoder().decode(latin1ToBytes(text));
}
